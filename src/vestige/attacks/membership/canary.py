"""Ranks the secrets of a format by what a trained encoder makes of them (R9): was this one in its training text?"""

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np

from vestige.attacks.nearest_text import unit_length
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Encoder, Progress, SecretGuesses, Vectors, silent


class SecretRanking:
    """Scores each candidate secret by how near the encoder puts it to a prompt, such as the owner's name.

    The adversary sees: what the encoder answers to texts of its own, the format of the secret, and the prompt that
    the secret stood next to. An encoder learns from what stands together, word by word or sentence after sentence, so
    that a secret in its training text drifts towards its prompt.
    Shapes: `fit` takes n candidates, `infer` takes m prompts and gives m rows of n scores.
    Paper: Carlini et al., USENIX Security 2019, and Corò 2022, Section 3.1, who rank by the likelihood that a language
    model gives; an encoder has none, and similarity stands in for it.

    `recipe="default"` takes off what each candidate scores with the prompts of other owners: what is left is due to
    this one. `recipe="similarity"` is the cosine as it stands.
    """

    def __init__(self, *, recipe: Literal["default", "similarity"] = "default") -> None:
        self.recipe = recipe

    def fit(
        self,
        candidates: Sequence[str],
        *,
        encoder: Encoder,
        references: Sequence[str] = (),
        progress: Progress = silent,
    ) -> Self:
        """Encode the candidates once, and the `references`: prompts of the same form with other owners.

        The encoder should have met those owners, with whatever secret; an owner it never met is read as [unknown] and
        refers to nothing.
        """
        check_choice("recipe", self.recipe, ("default", "similarity"))
        if len(set(candidates)) < max(len(candidates), 2):
            raise InputError(
                f"{len(candidates)} candidates, {len(set(candidates))} different; expected two or more, all different"
            )
        if self.recipe == "default" and not references:
            raise InputError(
                "no references; recipe 'default' needs the prompts of other owners: give some, "
                "or take recipe='similarity'"
            )
        self.encoder_ = encoder
        self.candidates_ = tuple(candidates)
        self.vectors_ = self._encoded(candidates, progress)
        self.usual_ = np.zeros(self.vectors_.shape[1], np.float32)
        if self.recipe == "default":
            self.usual_ = self._encoded(references, progress).mean(axis=0)
        return self

    def infer(self, prompts: Sequence[str], *, progress: Progress = silent) -> SecretGuesses:
        """The score of every candidate for each prompt."""
        if not hasattr(self, "vectors_"):
            raise NotFitted("SecretRanking.infer was called before fit; call fit(candidates, encoder=...) first")
        asked = self._encoded(prompts, progress) - self.usual_
        return SecretGuesses(self.candidates_, asked.astype(np.float64) @ self.vectors_.T.astype(np.float64))

    def _encoded(self, texts: Sequence[str], progress: Progress) -> Vectors:
        return unit_length(as_vectors(self.encoder_.encode(texts, progress=progress)))
