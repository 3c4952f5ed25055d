"""The multi-set inverter on the case of `bench.invert`: F1 with its interval, and the time of one epoch.

The published networks are trained for `EPOCHS` epochs only, as each line says; VESTIGE_EPOCHS=30 gives Song's number.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch
from scipy.sparse import csr_array, random_array

from bench.harness import Comparison, compare, peak_memory
from bench.invert import build_film_case
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.multiset.input_rows import ColumnReader
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.multiset.recipes import RECIPES
from vestige.attacks.multiset.recurrent import train_recurrent
from vestige.attacks.multiset.roll_out_gradient import RollOutGradient
from vestige.attacks.multiset.set_decoder import SetDecoder, WordsLeft, roll_out_loss
from vestige.attacks.training_set import TrainingSet
from vestige.case.case import Case
from vestige.case.randomness import stream
from vestige.encoders.load import load_encoder
from vestige.metrics.intervals import document_mean
from vestige.metrics.word_recovery import word_recovery
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Integers, Vectors, silent

SPARSE_TEXTS = (10_000, 40_000, 166_377)
WATCHED = 640
"""Texts to learn from, and as many to validate on, of those in memory: ten updates show the peak."""
EPOCHS = int(os.environ.get("VESTIGE_EPOCHS", "3"))
Attack = MultiLabelInverter | MultiSetInverter


def run() -> Iterator[Comparison | str]:
    name, case = build_film_case()
    pairs = case.auxiliary["same-domain"]

    def f1(label: str, attack: Attack, rows: slice = slice(None)) -> str:
        _fit(attack, pairs.vectors[rows], pairs.texts[rows], pairs.documents[rows])
        return f"  F1 of {label}: {_describe_f1(case, attack)}"

    yield f1("multi-label, default", MultiLabelInverter())
    yield f1("multi-set, default", MultiSetInverter())
    for count in (2000, 5000, 10_000):
        yield f1(f"multi-set, default, {count} pairs", MultiSetInverter(), slice(0, count))
        yield f1(f"multi-label, default, {count} pairs", MultiLabelInverter(), slice(0, count))
    yield f1("multi-set, default, rare_words 1", MultiSetInverter(rare_words=1.0))
    words = Vocabulary.build(map(content_words, pairs.texts), 8000).words
    single_words = (words, load_encoder("minilm").encode(words))
    informed = MultiSetInverter().fit(
        pairs.vectors, pairs.texts, rng=stream(0, "attack"), documents=pairs.documents, single_words=single_words
    )
    yield f"  F1 of multi-set, default, the encoder's vectors of 8,000 single words: {_describe_f1(case, informed)}"
    shuffled = stream(0, "shuffle").permutation(pairs.vectors)
    control = MultiSetInverter()
    _fit(control, shuffled, pairs.texts, pairs.documents)
    yield f"  F1 of the control: {_describe_f1(case, control)}"
    yield from run_networks()
    for recipe in ("song", "coro"):
        yield f1(f"multi-set, {recipe}, {EPOCHS} epochs, not converged", _make_published(recipe, EPOCHS))
        yield compare(
            f"multi-set inversion of {name}, the whole default fit against one epoch",
            lambda: _fit(MultiSetInverter(), pairs.vectors, pairs.texts, pairs.documents),
            f"an epoch of '{recipe}'",
            lambda recipe=recipe: _fit(_make_published(recipe, 1), pairs.vectors, pairs.texts, pairs.documents),  # type: ignore[misc]
            turns=2,
        )


def run_networks() -> Iterator[Comparison | str]:
    """One batch of Corò's network against automatic differentiation, and the peak memory on sparse vectors."""
    model = SetDecoder(2**18, 20_000, 20_000, 512, 0.2, ends=True)
    rng = np.random.default_rng(0)
    table = random_array((64, 20_000), density=12 / 20_000, format="csr", rng=rng, dtype=np.float32)
    labels = csr_array(random_array((64, 20_000), density=8 / 20_000, format="csr", rng=rng, dtype=np.float32))
    reader = ColumnReader(20_000, np.arange(20_000), torch.device("cpu"))
    batch = reader.read(csr_array(table), np.arange(64))
    left = WordsLeft.build(labels, np.ones(20_000, np.float32), None)
    steps, gradient = torch.full((64,), 8), RollOutGradient(model, listed=False)

    def differentiate() -> None:
        model.zero_grad()
        roll_out_loss(model, batch, left, steps, listed=False)[0].mean().backward()

    def write_out() -> None:
        gradient.compute(batch, left, steps)
        batch.clear_gradient(model.projection)

    yield compare(
        "the gradient of a batch of 64, 512 units, 20,000 words, 8 steps",
        write_out,
        "automatic differentiation",
        differentiate,
        turns=5,
    )
    yield from run_memory()


def run_memory() -> Iterator[str]:
    """The peak memory of Corò's network at the thesis' sizes, on slices of the texts, and on as many as it has."""
    for count in SPARSE_TEXTS:
        peak = peak_memory(train_on_counts, count)
        used = len(np.unique(_draw_columns(count)))
        yield (
            f"  peak memory of {count:,} texts x 2^18 columns, {used:,} of them in use, 512 units, 20,000 words, "
            f"batches of 64: {peak:,.0f} MiB; the dense table alone would have {count:,} MiB"
        )


def train_on_counts(count: int) -> None:
    """Ten updates of Corò's network with sparse vectors of made-up texts, all of which are in memory."""
    columns = _draw_columns(count)
    texts = [" ".join(f"word{number}" for number in row) for row in columns.tolist()]
    values, bounds = np.full(columns.size, 0.3, np.float32), np.arange(0, columns.size + 1, columns.shape[1])
    table: Vectors = csr_array((values, columns.ravel(), bounds), shape=(count, 2**18))
    rng = np.random.default_rng(0)
    pairs = TrainingSet.build(table, texts, None, vocabulary_size=20_000, rare_words=0, rng=rng)
    few = replace(pairs, train=pairs.train[:WATCHED], held_out=pairs.held_out[:WATCHED])
    cpu = torch.device("cpu")
    recipe = replace(RECIPES["coro"], epochs=1)
    train_recurrent(few, recipe, single_words=None, end_token=False, device=cpu, rng=rng, progress=silent)


def _draw_columns(count: int) -> Integers:
    """The columns of twelve words per text, as rare as words are."""
    drawn = np.random.default_rng(0).zipf(1.3, (count, 12))
    return np.asarray(drawn % 10**9 * 2_654_435_761 % 2**18)


def _make_published(recipe: str, epochs: int) -> MultiSetInverter:
    return MultiSetInverter(recipe="song" if recipe == "song" else "coro", epochs=epochs)


def _fit(attack: Attack, vectors: Vectors, texts: Sequence[str], documents: Sequence[str]) -> None:
    attack.fit(vectors, texts, rng=stream(0, "attack"), documents=documents)


def _describe_f1(case: Case, attack: Attack) -> str:
    assert case.truth is not None
    truth = [content_words(text) for text in case.truth.texts]
    found = word_recovery(attack.infer(case.targets).sets, truth)
    score = document_mean(found.f1, case.truth.documents, stream(0, "bootstrap"))
    return (
        f"{score.value:.4f} ({score.low:.4f} to {score.high:.4f}, n {score.n}), "
        f"precision {np.mean(found.precision):.3f}, recall {np.mean(found.recall):.3f}"
    )
