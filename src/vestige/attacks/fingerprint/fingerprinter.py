"""Fingerprinting: which of some encoders made these vectors, or none of them?"""

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np
from threadpoolctl import threadpool_limits

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import check_floor
from vestige.attacks.fingerprint.portrait import Portrait
from vestige.attacks.fingerprint.verdict import (
    EncoderClassifier,
    Judge,
    NetworkJudge,
    PortraitJudge,
    reject_columns,
    reject_zeros,
)
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.types import Encoder, EncoderGuess, Progress, TrainingLog, Vectors, silent

FEWEST_TEXTS = 60


class Fingerprinter:
    """Identifies the encoder of a library that made a set of vectors, or finds that none of them did.

    The adversary sees: the target vectors, and the vectors that each candidate gives to `texts_each` texts, which may
    be unrelated to those behind the targets. Shapes: `infer` takes (m, d), any m from 1 on, and returns one verdict;
    `infer_each` returns m. Paper: Pan et al., S&P 2020, Section VIII and Appendix D.

    `recipe="default"` fits a Gaussian to the directions of each candidate's vectors, and takes the candidate under
    which the median vector is likeliest, if that vector deviates no more than 99 in 100 of the candidate's own vectors
    deviate from a portrait fitted without their topic. Lengths decide only between candidates with the same directions,
    so that scaled vectors are still recognised. `recipe="pan"` is the published classifier, a network with 200 hidden
    units for all candidates of a dimension, which always names one.
    """

    info = AttackInfo(
        name="fingerprint",
        summary="identifies which of some encoders made a set of vectors, or that none of them did (Pan et al. 2020)",
        output=EncoderGuess,
        access=("queries", "texts"),
        paper="Pan et al., IEEE S&P 2020, Section VIII and Appendix D",
        recipes=("default", "pan"),
        named_recipes={"pan-fingerprint": {"recipe": "pan"}},
    )

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
        """Query each candidate once for the same `texts_each` of the texts.

        The portraits are fitted on one core: their matrices are small, and the numbers do not depend on how many
        cores there are.
        """
        check_choice("recipe", self.recipe, ("default", "pan"))
        check_floor("texts_each", self.texts_each, FEWEST_TEXTS)
        self._check(encoders, texts)
        drawn = sorted(rng.permutation(len(texts))[: self.texts_each].tolist())
        queries = [texts[row] for row in drawn]
        made: dict[int, dict[str, Vectors]] = {}
        for encoder in encoders:
            vectors = as_vectors(encoder.encode(queries, progress=progress))
            made.setdefault(vectors.shape[1], {})[encoder.name] = _drop_zeros(encoder.name, vectors)
        with threadpool_limits(1):
            self.judges_ = {columns: self._judge(alike, rng) for columns, alike in made.items()}
        return self

    @property
    def logs_(self) -> tuple[TrainingLog, ...]:
        """How the published networks were trained, one for each dimension with several candidates."""
        return tuple(judge.log for judge in self.judges_.values() if judge.log is not None)

    def infer(self, vectors: Vectors) -> EncoderGuess:
        """One verdict for vectors that all have one encoder."""
        targets, judge = self._targets(vectors)
        if not len(targets):
            raise InputError("no vectors to identify the encoder of; give at least one")
        if judge is None:
            return reject_columns(targets.shape[1], self._names())
        nonzero = targets[targets.any(axis=1)]
        return judge.verdict(nonzero) if len(nonzero) else reject_zeros(judge.names)

    def infer_each(self, vectors: Vectors) -> list[str | None]:
        """One verdict per vector, as if each had an encoder of its own; the paper scores this."""
        targets, judge = self._targets(vectors)
        return judge.verdicts(targets) if judge else [None] * len(targets)

    def _judge(self, made: dict[str, Vectors], rng: np.random.Generator) -> Judge:
        if self.recipe == "pan":
            return NetworkJudge(EncoderClassifier(made, rng))
        return PortraitJudge([Portrait.fit(name, vectors, rng) for name, vectors in made.items()])

    def _targets(self, vectors: Vectors) -> tuple[Vectors, Judge | None]:
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
            raise InputError(f"{len(texts)} texts are too few to fingerprint an encoder; give at least {FEWEST_TEXTS}")


def _drop_zeros(name: str, vectors: Vectors) -> Vectors:
    """The vectors that are not all zeros, which some encoders give to a text without a word they know."""
    nonzero = vectors[vectors.any(axis=1)]
    if len(nonzero) < FEWEST_TEXTS:
        raise InputError(
            f"encoder '{name}' gives a vector other than zeros to {len(nonzero)} of {len(vectors)} texts; "
            f"give texts of which it knows at least {FEWEST_TEXTS}"
        )
    return nonzero
