"""Pattern reconstruction (P2, P3): reads the secret fields of texts whose format is known."""

from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from scipy.special import softmax

from vestige.attacks.blocks import blocks
from vestige.attacks.checks import FEWEST_PAIRS, check_floor
from vestige.attacks.patterns.lesson import Lesson
from vestige.checks import as_vectors, check_choice
from vestige.errors import NotFitted
from vestige.text.patterns import Pattern, load_pattern
from vestige.types import Encoder, FieldGuesses, Progress, Vectors, silent

if TYPE_CHECKING:
    from vestige.attacks.patterns.published import PublishedReaders
    from vestige.attacks.patterns.shared import SharedReader

_ROWS_AT_ONCE = 128


class PatternReconstructor:
    """Reads birth dates, nucleotides and the like out of a vector, when the format of the text is known.

    The adversary sees: the format of the texts, and the target vectors. It may ask the encoder for the vectors of
    `examples` texts that it makes up after the format; it has no real record. Black box.
    Shapes: `fit` takes an encoder, `infer` takes (m, d) and gives, per secret field, m rows of probabilities.
    Paper: Pan et al., IEEE S&P 2020, Section V and Appendix B.

    `recipe="default"` teaches all fields together in one network, ten times through the `examples`. `recipe="pan"` has
    the published networks: one a field, and for a field of several characters one for every position. The paper trains
    100,000 `iterations`, each on 128 fresh texts; here they are drawn from the `examples`, since 12.8 million queries
    are not to be had.
    """

    def __init__(
        self,
        *,
        pattern: Pattern | str,
        recipe: Literal["default", "pan"] = "default",
        examples: int = 20_000,
        iterations: int | None = None,
    ) -> None:
        self.pattern = pattern
        self.recipe = recipe
        self.examples = examples
        self.iterations = iterations

    def fit(self, encoder: Encoder, *, rng: np.random.Generator, progress: Progress = silent) -> Self:
        """Make texts up after the pattern, ask the encoder for their vectors, and learn from these."""
        check_choice("recipe", self.recipe, ("default", "pan"))
        check_floor("examples", self.examples, FEWEST_PAIRS)
        if self.iterations is not None:
            check_floor("iterations", self.iterations, 1)
        pattern = load_pattern(self.pattern) if isinstance(self.pattern, str) else self.pattern
        records = pattern.generate(self.examples, rng)
        vectors = as_vectors(encoder.encode(records.texts, progress=progress))
        import torch

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**31)))
            self.readers_ = self._taught(pattern, Lesson.of(vectors, records, pattern), rng, progress)
        self.values_, self.columns_ = pattern.secrets, vectors.shape[1]
        return self

    def infer(self, vectors: Vectors) -> FieldGuesses:
        """How likely each value of each secret field is."""
        if not hasattr(self, "columns_"):
            raise NotFitted("PatternReconstructor.infer was called before fit; call fit(encoder, rng=...) first")
        vectors = as_vectors(vectors, self.columns_)
        found = [
            [softmax(table[:count].astype(np.float64), axis=1) for table in self.readers_.logits(block)]
            for block, count in blocks(vectors, _ROWS_AT_ONCE)
        ]
        empty = [[np.empty((0, len(values))) for values in self.values_.values()]]
        tables = [np.concatenate(parts) for parts in zip(*(found or empty), strict=True)]
        return FieldGuesses(self.values_, dict(zip(self.values_, tables, strict=True)))

    def _taught(
        self, pattern: Pattern, lesson: Lesson, rng: np.random.Generator, progress: Progress
    ) -> "SharedReader | PublishedReaders":
        from vestige.attacks.patterns import published, shared

        if self.recipe == "default":
            return shared.SharedReader(lesson, self.iterations, rng, progress)
        places = {field.name: len(field.places) for field in pattern.attacked}
        return published.PublishedReaders(places, lesson, self.iterations or published.ITERATIONS, rng, progress)
