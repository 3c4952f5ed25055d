"""Sparse inversion of the film case: 20,000 auxiliary sentences, 1,000 targets, the 12,000 most frequent pieces.

The published recipe and scikit-learn's sparse coder solve the same problem after the same map M; the default solves
another one. scikit-learn takes seconds per target, so it codes the first few targets and the time is scaled.
"""

import time
from collections.abc import Iterator

import numpy as np

from bench.harness import Comparison, compare
from bench.invert import build_film_case
from vestige.attacks.dictionary import Guess, TokenizedTexts, mean_word_vectors, tokenize_texts
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.ridge import ridge_map
from vestige.attacks.sparse import SparseInverter
from vestige.attacks.sparse_coding import PENALTY, THRESHOLD
from vestige.attacks.training_set import hold_out
from vestige.case.case import Case
from vestige.case.randomness import stream
from vestige.encoders.load import load_encoder
from vestige.encoders.white_box import white_box
from vestige.metrics.intervals import document_mean
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words
from vestige.types import Singles, WhiteBox, WordGuesses

PIECES = 12_000
FEW = 40


def run(turns: int = 2) -> Iterator[Comparison | str]:
    name, case = build_film_case()
    box = white_box(load_encoder("minilm"))
    pairs = case.auxiliary["same-domain"]
    guesses: dict[str, WordGuesses] = {}

    def invert(label: str, attack: SparseInverter, rows: slice = slice(None)) -> None:
        attack.fit(pairs.vectors, pairs.texts, box=box, rng=stream(0, "attack"), documents=pairs.documents)
        guesses[label] = attack.infer(case.targets[rows])

    ours, paper = SparseInverter(guess="pieces", vocabulary_size=PIECES), make_published()
    yield compare(
        f"sparse inversion of {name}, {PIECES} pieces, fit and infer",
        lambda: invert("ours", ours),
        "the paper's recipe",
        lambda: invert("the paper's recipe", paper),
        turns=turns,
    )
    for label, guess in guesses.items():
        yield f"  pieces, {label}: {_describe_scores(case, guess.sets, 'pieces', box)}"
    yield from _against_scikit_learn(case, box, ours)
    words = SparseInverter()
    words.fit(pairs.vectors, pairs.texts, box=box, rng=stream(0, "attack"), documents=pairs.documents)
    yield f"  content words, ours: {_describe_scores(case, words.infer(case.targets).sets, 'words', box)}"
    plain = MultiLabelInverter().fit(pairs.vectors, pairs.texts, rng=stream(0, "attack"), documents=pairs.documents)
    yield f"  content words, multi-label: {_describe_scores(case, plain.infer(case.targets).sets, 'words', box)}"


def make_published() -> SparseInverter:
    return SparseInverter(recipe="paper", guess="pieces", vocabulary_size=PIECES, penalty=PENALTY, threshold=THRESHOLD)


def _against_scikit_learn(case: Case, box: WhiteBox, ours: SparseInverter) -> Iterator[str]:
    """`sparse_encode(positive=True)`, coordinate descent and least angles, with the penalty of the published recipe.

    scikit-learn halves the squared error, so its alpha is half the penalty.
    """
    from sklearn.decomposition import sparse_encode

    pairs = case.auxiliary["same-domain"]
    tokenized = tokenize_texts(box, pairs.texts, "pieces", PIECES)
    atoms, mapped = _build_problem(case, box, tokenized)
    start = time.perf_counter()
    ours.infer(case.targets)
    our_seconds = time.perf_counter() - start
    for algorithm in ("lasso_cd", "lasso_lars"):
        start = time.perf_counter()
        codes = sparse_encode(mapped, atoms, algorithm=algorithm, alpha=PENALTY / 2, positive=True, max_iter=1000)
        seconds = (time.perf_counter() - start) * len(case.targets) / FEW
        sets = [
            frozenset(tokenized.dictionary.names[place] for place in np.flatnonzero(row > THRESHOLD)) for row in codes
        ]
        yield (
            f"  scikit-learn {algorithm}, alpha {PENALTY / 2}, the first {FEW} targets: {seconds:.0f} s per thousand, "
            f"ours is {seconds / our_seconds:.0f}x as fast; {_describe_scores(case, sets, 'pieces', box)}"
        )
    first = ours.infer(case.targets[:FEW]).sets
    yield f"  ours, the first {FEW} targets: {_describe_scores(case, first, 'pieces', box)}"


def _build_problem(case: Case, box: WhiteBox, tokenized: TokenizedTexts) -> tuple[Singles, Singles]:
    pairs = case.auxiliary["same-domain"]
    matrix = box.word_matrix.detach().float().numpy()
    train, held = hold_out(len(pairs.texts), pairs.documents, stream(0, "attack"))
    down = ridge_map(pairs.vectors, mean_word_vectors(matrix, tokenized.ids), train, held)
    return tokenized.dictionary.vectors(matrix), down(case.targets[:FEW])


def _describe_scores(case: Case, sets: list[frozenset[str]], guess: Guess, box: WhiteBox) -> str:
    assert case.truth is not None
    texts, documents = case.truth.texts[: len(sets)], case.truth.documents[: len(sets)]
    pieces = [frozenset(box.words[row] for row in box.word_ids(text)) for text in texts]
    found = word_recovery(sets, pieces if guess == "pieces" else [content_words(text) for text in texts])
    f1 = document_mean(found.f1, documents, stream(0, "bootstrap"))
    return (
        f"F1 {f1.value:.4f} ({f1.low:.4f} to {f1.high:.4f}, n {f1.n}), "
        f"precision {found.precision.mean():.4f}, recall {found.recall.mean():.4f}"
    )
