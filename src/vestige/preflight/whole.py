"""Check every row of a source in one pass, in parts, on one machine or many.

Counts, lengths, moments, repeated vectors and plain text are those of all rows. What compares vectors with each other
or with an encoder uses a sample, which the same pass draws.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from vestige.case.source import find_texts
from vestige.case.vector_sample import VectorSample
from vestige.engine.job import Engine, Job, SourceChanged
from vestige.engine.parts import Part
from vestige.preflight.duplicates import check_near, describe_equal, find_first_equal, fold_text
from vestige.preflight.form import NumberForm, describe_form, is_coded
from vestige.preflight.invalid_vectors import FaultyRows, check_counted_invalid
from vestige.preflight.lengths import LengthSummary, describe_lengths, is_around_one
from vestige.preflight.plaintext import check_counted_texts
from vestige.preflight.result import Check
from vestige.preflight.statistics import Hashes, Invalid, RunningTotal, Statistics, choose_level
from vestige.preflight.variation import (
    FEWEST,
    SPARSE,
    describe_columns,
    describe_spread,
    effective_dimension,
    find_constant,
    mean_cosine_of_sum,
)
from vestige.stores.arrow_columns import as_vectors
from vestige.stores.columns import Columns
from vestige.stores.dataset_files import is_dataset
from vestige.stores.load import open_store
from vestige.stores.sample import Sample
from vestige.stores.source_address import is_file
from vestige.stores.source_state import check_unchanged, read_state
from vestige.stores.store import Store
from vestige.stores.table import draw_rows
from vestige.text.corpus import Corpus
from vestige.types import Advance, Integers, Progress, Vectors

BLOCK_VALUES = 2**20
"""Numbers that are read at a time: few enough for the processor's cache to hold what is computed from them."""

PART_VALUES = 2**24
"""Numbers in a part, where the source does not say where to cut it."""


@dataclass(frozen=True)
class SampledPart:
    """A part, and the rows of it that are sampled."""

    part: Part
    rows: Integers

    def __str__(self) -> str:
        return str(self.part)


@dataclass(frozen=True)
class PassWork:
    """Computes the statistics of parts of a source."""

    source: str
    columns: Columns
    vectors: str
    block: int
    level: int
    text_column: str | None
    metadata: tuple[str, ...]
    layout: Any = None

    def prepare(self, advance: Advance) -> "_Pass":
        """Open the source."""
        return _Pass(self, open_store(self.source, self.columns, self.layout), advance)


class _Pass:
    def __init__(self, work: PassWork, store: Store, advance: Advance) -> None:
        self._work, self._store, self._advance = work, store, advance

    def __call__(self, item: SampledPart) -> tuple[Statistics, Sample | None]:
        import pyarrow as pa

        total = RunningTotal()
        sampled, start = [], item.part.start
        for batch in self._read(item.part):
            total.add(self._summarize(batch, start))
            here = item.rows[(item.rows >= start) & (item.rows < start + len(batch))]
            if len(here):
                sampled.append(batch.take(pa.array(here - start)))
            start += len(batch)
            self._advance(len(batch))
        statistics = total.merge()
        assert statistics is not None
        rows = pa.Table.from_batches(sampled) if sampled else None
        sample = None if rows is None else self._store.build_sample(rows, item.rows, self._get_vectors(rows))
        return statistics, sample

    def _read(self, part: Part) -> Iterator[Any]:
        return self._store.read(part.start, part.stop, self._work.block, every_column=False, unchecked=True)

    def close(self) -> None:
        """Close the source."""
        self._store.close()

    def _get_vectors(self, rows: Any) -> Vectors:
        return as_vectors(rows.column(self._work.vectors), self._work.vectors)

    def _summarize(self, batch: Any, start: int) -> Statistics:
        work = self._work
        texts = None if work.text_column is None else _hash_texts(self._store.list_values(batch, work.text_column))
        statistics = Statistics.of(self._get_vectors(batch), start, work.level, texts)
        readable = [name for name in work.metadata if _may_hold_text(batch.schema.field(name).type)]
        return statistics.with_texts({name: self._store.list_values(batch, name) for name in readable})


def _may_hold_text(kind: Any) -> bool:
    """Whether values of an Arrow type can be strings or contain them; numbers as Python objects would cost the most."""
    import pyarrow as pa

    return not pa.types.is_primitive(kind)


def _hash_texts(texts: Sequence[Any]) -> Hashes:
    """A hash of each text, without case and white space, which many encoders do not see."""
    folded = (" ".join(fold_text(str(text))).encode("utf-8", "surrogatepass") for text in texts)
    return np.array([int.from_bytes(blake2b(text, digest_size=8).digest(), "big") for text in folded], np.uint64)


@dataclass(frozen=True)
class WholePass:
    """The statistics of all rows, and a sample of them."""

    statistics: Statistics
    sample: VectorSample


def read_whole(
    source: str,
    columns: Columns,
    n: int,
    seed: int,
    *,
    texts: Corpus | None,
    engine: Engine,
    progress: Progress,
) -> WholePass:
    """Compute the statistics of all rows, and sample `n` of them; `texts`, one per row, replace those of the source.

    The pass over all rows draws the sample of a very large source by position. Another source is read before, to draw
    by content.
    """
    state = read_state(source)
    with open_store(source, columns) as store:
        description = store.describe()
        block, rows = (max(1, values // description.dimension) for values in (BLOCK_VALUES, PART_VALUES))
        parts = [Part(number, *each) for number, each in enumerate(store.cut(rows))]
        metadata, layout = store.metadata_columns, store.layout
        drawn = VectorSample.from_store(store, n, seed, texts) if store.draws_by_content else None
    positions = draw_rows(description.rows, 0 if drawn else n, np.random.default_rng([seed, n]))
    items = [SampledPart(part, positions[_between(positions, part)]) for part in parts]
    own = description.columns.texts if texts is None else None
    assert description.columns.vectors is not None
    level = choose_level(description.rows)
    work = PassWork(source, columns, description.columns.vectors, block, level, own, metadata, layout)
    job = Job(work, threads=is_dataset(source) or is_file(source), repeats=True)
    advance = progress("reading all rows", description.rows)
    statistics, samples = _merge_in_order(engine, job, items, advance)
    check_unchanged(source, state)
    if drawn is None:
        sample = Sample.join(samples)
        behind = None if texts is None else find_texts(texts, sample, description)
        drawn = VectorSample.in_order(description, sample, behind)
    return WholePass(statistics, drawn)


def _between(positions: Integers, part: Part) -> slice:
    return slice(int(np.searchsorted(positions, part.start)), int(np.searchsorted(positions, part.stop)))


def _merge_in_order(
    engine: Engine, job: Job[SampledPart, Any], items: list[SampledPart], advance: Advance
) -> tuple[Statistics, list[Sample]]:
    """Merge results in the order of the parts, so that the last bits are always the same; few wait for their turn."""
    waiting: dict[int, tuple[Statistics, Sample | None]] = {}
    total = RunningTotal()
    samples: list[Sample] = []
    done = 0
    for outcome in engine.run(job, items, len(items), advance):
        waiting[outcome.index] = outcome.result
        while done in waiting:
            statistics, sample = waiting.pop(done)
            total.add(statistics)
            samples += [] if sample is None else [sample]
            done += 1
    merged = total.merge()
    if merged is None:
        raise SourceChanged("the source has no rows any more; restore it")
    return merged, samples


def check_whole(whole: WholePass) -> Iterator[Check]:
    """The checks that need no encoder, on all rows."""
    found, sample = whole.statistics, whole.sample
    form = _detect_form(found, sample.form)
    yield from check_counted_texts(found.texts, found.rows, len(sample.metadata))
    yield describe_form(sample, form, found.rows)
    infinite, huge, zeros = map(_describe_rows, (found.infinite, found.huge, found.zeros))
    yield from check_counted_invalid(infinite, huge, zeros, found.rows)
    if found.lengths.n and form not in ("int8", "binary"):
        yield describe_lengths(_summarize_lengths(found), form)
    if found.columns.n >= 2:
        yield _check_repeats(found, sample)
        yield _note_sample(check_near(sample, find_first_equal(sample.vectors[sample.valid])), sample)
    if found.columns.n >= FEWEST:
        yield _check_columns(found, sample.dimension)
        cosine = mean_cosine_of_sum(found.columns.n, found.directions)
        yield _note_sample(describe_spread(cosine, effective_dimension(sample.directions)), sample)


def _note_sample(check: Check, sample: VectorSample) -> Check:
    """Say that a check used a sample."""
    if len(sample.vectors) == sample.rows:
        return check
    sentence = f"{check.sentence} (Compared in a sample of {len(sample.vectors):,}.)"
    return Check(check.name, check.level, sentence, check.evidence, check.examples)


def _detect_form(found: Statistics, declared: str) -> NumberForm:
    if len(found.traits.values) == 2:
        return "binary"
    if is_coded(declared):
        return "coded"
    if not found.columns.n:
        return "float32"
    if found.traits.whole:
        return "int8"
    return "float16" if found.traits.half or found.traits.brain else "float32"


def _describe_rows(invalid: Invalid) -> FaultyRows:
    return FaultyRows(invalid.rows, tuple(f"row {row}" for row in invalid.first))


def _summarize_lengths(found: Statistics) -> LengthSummary:
    n, (unit, beside) = found.lengths.n, found.near_unit
    return LengthSummary(
        low=found.find_length(0.01),
        median=found.find_length(0.5),
        high=found.find_length(0.99),
        unit=unit / n,
        spread=float(found.lengths.deviation / found.lengths.mean),
        others=found.find_length(0.5, apart=True),
        around_one=is_around_one(unit / n, beside / n),
    )


def _check_repeats(found: Statistics, sample: VectorSample) -> Check:
    """Repeated vectors: counted, or estimated from a part of all hashes if there are very many rows."""
    repeats, rows = found.repeats, found.columns.n
    same = repeats.same_text if sample.texts is not None else None
    if not repeats.level:
        return describe_equal(repeats.repeated, rows, same)
    scale = rows / max(repeats.rows, 1)
    scaled = None if same is None else round(same * scale)
    return describe_equal(round(repeats.repeated * scale), rows, scaled, about="About ")


def _check_columns(found: Statistics, dimension: int) -> Check:
    constant = find_constant(found.columns.deviation)
    zero = int((~found.nonzero[constant]).sum())
    sparse = found.zero_values > SPARSE * found.columns.n * dimension
    return describe_columns(constant, zero, dimension, sparse=sparse)
