"""Fingerprinting (P8): which of some encoders made these vectors, or none of them?"""

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np

from vestige.attacks.checks import check_floor
from vestige.attacks.fingerprint.judgement import Closed, Judgement, Open
from vestige.attacks.fingerprint.network import Network
from vestige.attacks.fingerprint.portrait import Portrait
from vestige.attacks.fingerprint.reasons import no_such_columns, nothing_but_zeros
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Encoder, EncoderGuess, Progress, Vectors, silent

FEWEST_TEXTS = 60


class Fingerprinter:
    """Tells which encoder of a library made a set of vectors, and says so when none of them did.

    The adversary sees: the target vectors, and what each candidate answers to `texts_each` texts that need have nothing
    to do with those behind the targets.
    Shapes: `infer` takes (m, d), any m from 1 on, and gives one verdict; `infer_each` gives m.
    Paper: Pan et al., S&P 2020, Section VIII and Appendix D.

    `recipe="default"` fits a Gaussian to the directions of each candidate's vectors, and takes the candidate under
    which the median vector is likeliest, provided that it looks no stranger than 99 in 100 of the candidate's own
    vectors look to a portrait made without their topic. Lengths decide between candidates of the same directions only:
    vectors that were scaled since are still known. `recipe="pan"` is the published classifier, a network
    with 200 hidden units for all candidates of a dimension, which always names one.
    """

    def __init__(self, *, recipe: Literal["default", "pan"] = "default", texts_each: int = 2000) -> None:
        self.recipe = recipe
        self.texts_each = texts_each

    def fit(
        self,
        encoders: Sequence[Encoder],
        texts: Sequence[str],
        *,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Self:
        """Ask each candidate once for the same `texts_each` of the texts."""
        check_choice("recipe", self.recipe, ("default", "pan"))
        check_floor("texts_each", self.texts_each, FEWEST_TEXTS)
        self._check(encoders, texts)
        drawn = sorted(rng.permutation(len(texts))[: self.texts_each].tolist())
        asked = [texts[row] for row in drawn]
        answers: dict[int, dict[str, Vectors]] = {}
        for encoder in encoders:
            vectors = as_vectors(encoder.encode(asked, progress=progress))
            answers.setdefault(vectors.shape[1], {})[encoder.name] = _that_say_something(encoder.name, vectors)
        self.judges_ = {columns: self._judge(alike, rng) for columns, alike in answers.items()}
        return self

    def infer(self, vectors: Vectors) -> EncoderGuess:
        """One verdict for vectors that have one maker."""
        targets, judge = self._targets(vectors)
        if not len(targets):
            raise InputError("there are no vectors to tell the encoder of; give at least one")
        if judge is None:
            return no_such_columns(targets.shape[1], self._names())
        said = targets[targets.any(axis=1)]
        return judge.verdict(said) if len(said) else nothing_but_zeros(judge.names)

    def infer_each(self, vectors: Vectors) -> list[str | None]:
        """A verdict a vector, as if each had a maker of its own; as the paper scores."""
        targets, judge = self._targets(vectors)
        return judge.verdicts(targets) if judge else [None] * len(targets)

    def _judge(self, answers: dict[str, Vectors], rng: np.random.Generator) -> Judgement:
        if self.recipe == "pan":
            return Closed(Network(answers, rng))
        return Open([Portrait.of(name, vectors, rng) for name, vectors in answers.items()])

    def _targets(self, vectors: Vectors) -> tuple[Vectors, Judgement | None]:
        if not hasattr(self, "judges_"):
            raise NotFitted("Fingerprinter.infer was called before fit; call fit(encoders, texts, rng=...) first")
        targets = as_vectors(vectors)
        return targets, self.judges_.get(targets.shape[1])

    def _names(self) -> dict[int, list[str]]:
        return {columns: judge.names for columns, judge in sorted(self.judges_.items())}

    def _check(self, encoders: Sequence[Encoder], texts: Sequence[str]) -> None:
        names = [encoder.name for encoder in encoders]
        if not names or len(set(names)) < len(names):
            raise InputError(f"the candidates are {names}; give at least one, each with a name of its own")
        if len(texts) < FEWEST_TEXTS:
            raise InputError(f"{len(texts)} texts are too few to know an encoder by; give at least {FEWEST_TEXTS}")


def _that_say_something(name: str, vectors: Vectors) -> Vectors:
    """The vectors that are not all zeros, which is what some encoders answer to a text without a word they know."""
    said = vectors[vectors.any(axis=1)]
    if len(said) < FEWEST_TEXTS:
        raise InputError(
            f"encoder '{name}' answers {len(said)} of {len(vectors)} texts with more than zeros; "
            f"give texts of which it knows at least {FEWEST_TEXTS}"
        )
    return said
