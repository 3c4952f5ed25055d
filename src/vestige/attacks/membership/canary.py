"""Rank the secrets of a format by the vectors of a trained encoder: was this one in its training text?"""

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np

from vestige.attacks.attack import AttackInfo
from vestige.attacks.rows import unit_length
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Encoder, Progress, SecretGuesses, Vectors, silent


class SecretRanking:
    """Scores each candidate secret by how near the encoder puts it to a prompt, such as the owner's name.

    The adversary sees: the encoder's vectors of texts of its own, the format of the secret, and the prompt next to
    which the secret occurred. An encoder learns from what occurs together, word by word or sentence after sentence, so
    that a secret in its training text drifts towards its prompt. Shapes: `fit` takes n candidates; `infer` takes m
    prompts and returns m rows of n scores. Paper: Carlini et al., USENIX Security 2019, and Corò 2022, Section 3.1, who
    rank by the likelihood of a language model; an encoder has none, and similarity replaces it.

    `recipe="default"` subtracts what each candidate scores with the prompts of other owners: the rest is due to this
    one. `recipe="similarity"` is the plain cosine.
    """

    info = AttackInfo(
        name="secret-ranking",
        summary="ranks the secrets of a format by what an encoder learned of them in training (Carlini et al. 2019)",
        output=SecretGuesses,
        access=("queries",),
        paper="Carlini et al., USENIX Security 2019; Corò, Padova 2022, Section 3.1",
        recipes=("default", "similarity"),
    )

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

        The encoder should have seen those owners in training, with any secret; an unseen owner is encoded as [unknown]
        and is no reference.
        """
        check_choice("recipe", self.recipe, ("default", "similarity"))
        if len(set(candidates)) < max(len(candidates), 2):
            raise InputError(
                f"{len(candidates)} candidates, {len(set(candidates))} different; expected two or more, all different"
            )
        if self.recipe == "default" and not references:
            raise InputError(
                "no references; recipe 'default' needs the prompts of other owners: give some, "
                "or use recipe='similarity'"
            )
        self.encoder_ = encoder
        self.candidates_ = tuple(candidates)
        self.vectors_ = self._encode(candidates, progress)
        self.reference_ = np.zeros(self.vectors_.shape[1], np.float32)
        if self.recipe == "default":
            self.reference_ = self._encode(references, progress).mean(axis=0)
        return self

    def infer(self, prompts: Sequence[str], *, progress: Progress = silent) -> SecretGuesses:
        """The score of every candidate for each prompt."""
        if not hasattr(self, "vectors_"):
            raise NotFitted("SecretRanking.infer was called before fit; call fit(candidates, encoder=...) first")
        queried = self._encode(prompts, progress) - self.reference_
        return SecretGuesses(self.candidates_, queried.astype(np.float64) @ self.vectors_.T.astype(np.float64))

    def _encode(self, texts: Sequence[str], progress: Progress) -> Vectors:
        return unit_length(as_vectors(self.encoder_.encode(texts, progress=progress)))
