"""Pattern reconstruction: infer the secret fields of texts whose format is known."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from scipy.special import softmax

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import FEWEST_PAIRS, check_floor
from vestige.attacks.patterns.field_classifiers import FieldExamples
from vestige.attacks.rows import split_blocks
from vestige.checks import as_vectors, check_choice
from vestige.errors import NotFitted
from vestige.nn.device import Device, choose_device
from vestige.text.patterns import Pattern, load_pattern
from vestige.types import Encoder, FieldGuesses, Progress, TrainingLog, Vectors, silent

if TYPE_CHECKING:
    from vestige.attacks.patterns.field_classifiers import SharedNetwork
    from vestige.attacks.patterns.published_networks import PublishedNetworks

_ROWS_AT_ONCE = 128
HELD = 1000
"""Texts whose loss is watched, at most."""


class PatternReconstructor:
    """Infers birth dates, nucleotides and similar fields from a vector when the format of the text is known.

    The adversary sees: the format of the texts, and the target vectors. It may query the encoder for the vectors of
    `examples` texts that it makes up in this format; it has no real record. Black box.
    Shapes: `fit` takes an encoder; `infer` takes (m, d) and returns, per secret field, m rows of probabilities.
    Paper: Pan et al., IEEE S&P 2020, Section V and Appendix B.

    `recipe="default"` trains all fields together in one network, for ten epochs over the `examples`. `recipe="pan"` has
    the published networks: one per field, and for a field of several characters one for all positions. The paper trains
    for 100,000 `iterations`, each on 128 fresh texts, 12.8 million queries: so does `fresh=True`. Otherwise batches are
    drawn from the `examples`. A tenth of these, at most 1,000, are held out, so that `log_` has a learning curve; with
    `fresh`, 1,000 further texts are queried for it.
    """

    info = AttackInfo(
        name="patterns",
        summary="infers the secret fields of texts of a known format, such as birth dates or codes (Pan et al. 2020)",
        output=FieldGuesses,
        access=("queries",),
        paper="Pan et al., IEEE S&P 2020, Section V and Appendix B",
        recipes=("default", "pan"),
        named_recipes={"pan-patterns": {"recipe": "pan"}},
    )

    def __init__(
        self,
        *,
        pattern: Pattern | str,
        recipe: Literal["default", "pan"] = "default",
        examples: int = 20_000,
        iterations: int | None = None,
        fresh: bool = False,
        device: Device = "cpu",
    ) -> None:
        self.pattern = pattern
        self.recipe = recipe
        self.examples = examples
        self.iterations = iterations
        self.fresh = fresh
        self.device = device

    def fit(self, encoder: Encoder, *, rng: np.random.Generator, progress: Progress = silent) -> Self:
        """Make up texts in the format, query the encoder for their vectors, and learn from these."""
        check_choice("recipe", self.recipe, ("default", "pan"))
        check_floor("examples", self.examples, FEWEST_PAIRS)
        if self.iterations is not None:
            check_floor("iterations", self.iterations, 1)
        pattern = load_pattern(self.pattern) if isinstance(self.pattern, str) else self.pattern

        def query(texts: list[str]) -> Vectors:
            return as_vectors(encoder.encode(texts, progress=silent if self.fresh else progress))

        records = pattern.generate(HELD if self._is_fresh else self.examples, rng)
        examples = FieldExamples.build(query(records.texts), records, pattern)
        import torch

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(rng.integers(2**31)))
            self.networks_ = self._train(pattern, examples, query, rng, progress)
        self.values_, self.columns_ = pattern.secrets, examples.vectors.shape[1]
        return self

    @property
    def log_(self) -> TrainingLog | None:
        """How the published training ended; our own has no rule."""
        return getattr(self.networks_, "log_", None)

    @property
    def _is_fresh(self) -> bool:
        return self.fresh and self.recipe == "pan"

    def infer(self, vectors: Vectors) -> FieldGuesses:
        """The probability of each value of each secret field."""
        if not hasattr(self, "columns_"):
            raise NotFitted("PatternReconstructor.infer was called before fit; call fit(encoder, rng=...) first")
        vectors = as_vectors(vectors, self.columns_)
        found = [
            [softmax(table[:count].astype(np.float64), axis=1) for table in self.networks_.logits(block)]
            for block, count in split_blocks(vectors, _ROWS_AT_ONCE)
        ]
        empty = [[np.empty((0, len(values))) for values in self.values_.values()]]
        tables = [np.concatenate(parts) for parts in zip(*(found or empty), strict=True)]
        return FieldGuesses(self.values_, dict(zip(self.values_, tables, strict=True)))

    def _train(
        self,
        pattern: Pattern,
        examples: FieldExamples,
        query: Callable[[list[str]], Vectors],
        rng: np.random.Generator,
        progress: Progress,
    ) -> "SharedNetwork | PublishedNetworks":
        from vestige.attacks.patterns import field_classifiers
        from vestige.attacks.patterns import published_networks as published

        device = choose_device(self.device)
        if self.recipe == "default":
            return field_classifiers.SharedNetwork(examples, self.iterations, device, rng, progress)
        places = {field.name: len(field.places) for field in pattern.attacked}
        networks = published.PublishedNetworks(places, examples.vectors.shape[1], examples.sizes, device)
        iterations = self.iterations or published.ITERATIONS
        if self.fresh:
            batches, held = published.draw_fresh(pattern, query, iterations, rng), examples
        else:
            known, held = examples.split(max(1, min(HELD, len(examples.vectors) // 10)))
            batches = published.draw_stored(known, iterations, rng)
        return networks.train(batches, held, iterations, rng, progress)
