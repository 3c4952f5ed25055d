"""The multi-label inverter: 20,000 auxiliary sentences, 1,000 targets of other documents, vocabulary 8,000.

Runs on film reviews where VESTIGE_DATA has them, else on the shipped complaints.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch

from bench.harness import Comparison, compare
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.priors import FixedWords
from vestige.case.case import Case
from vestige.case.inputs import read_inputs
from vestige.case.prepare import plan_case
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.metrics.intervals import document_mean
from vestige.metrics.word_recovery import word_recovery
from vestige.text.corpora import is_available
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Floats, Vectors, WordGuesses, silent

CACHE = Path("vestige-audit/bench")
SETTINGS = Settings(targets=1000, pairs=20_000)


def build_film_case() -> tuple[str, Case]:
    """The corpus and the case; vectors are cached between runs."""
    name = "imdb" if is_available("imdb") else "complaints"
    inputs = read_inputs(None, name, "minilm", None, SETTINGS).cache_vectors(CACHE)
    return name, plan_case(inputs, SETTINGS).build(silent)


def run() -> Iterator[Comparison | str]:
    name, case = build_film_case()
    pairs = case.auxiliary["same-domain"]
    guesses: dict[str, WordGuesses] = {"prior": FixedWords().fit(pairs.texts).infer(case.targets)}

    def invert(label: str, attack: MultiLabelInverter, vectors: Vectors = pairs.vectors) -> None:
        attack.fit(vectors, pairs.texts, rng=stream(0, "attack"), documents=pairs.documents)
        guesses[label] = attack.infer(case.targets)

    invert("warm-up", MultiLabelInverter())
    peers: dict[str, Callable[[], None]] = {
        "the paper's recipe": lambda: invert("the paper's recipe", MultiLabelInverter(recipe="paper")),
        "eight epochs of plain Adam": lambda: guesses.update({"plain Adam, best threshold": fit_plain_adam(case)}),
        "the closed form alone": lambda: invert("the closed form alone", MultiLabelInverter(epochs=0)),
    }
    for peer, work in peers.items():
        what = f"multi-label inversion of {name}, fit and infer"
        yield compare(what, lambda: invert("ours", MultiLabelInverter()), peer, work, turns=2)
    for epochs in (1, 4, 8):
        invert(f"ours, {epochs} epochs", MultiLabelInverter(epochs=epochs))
    invert("control", MultiLabelInverter(), stream(0, "shuffle").permutation(pairs.vectors))
    del guesses["warm-up"]
    for label, guess in guesses.items():
        yield f"  F1 of {label}: {_describe_f1(case, guess)}"
    yield f"  F1 of ours, counting words of the vocabulary only: {_within_vocabulary(case, guesses['ours']):.4f}"


def fit_plain_adam(case: Case) -> WordGuesses:
    """What a skilled engineer would try first: bias at the log odds, Adam 3e-2 falling by a quarter per epoch.

    The threshold is the best one *on the targets*, which no attack could know: a peer with an advantage.
    """
    pairs = case.auxiliary["same-domain"]
    sets = [content_words(text) for text in pairs.texts]
    vocabulary = Vocabulary.build(sets, 8000)
    labels = vocabulary.indicator(sets)
    share = np.asarray(labels.sum(axis=0)).ravel() / len(sets)
    torch.manual_seed(0)
    model = torch.nn.Linear(pairs.vectors.shape[1], len(vocabulary))
    torch.nn.init.zeros_(model.weight)
    model.bias.data = torch.from_numpy(np.log(share / (1 - share)).astype(np.float32))
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-2)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimiser, 0.75)
    inputs = torch.from_numpy(pairs.vectors)
    for _ in range(8):
        for rows in torch.randperm(len(sets)).split(256):
            target = torch.from_numpy(labels[rows.numpy()].toarray())
            loss = torch.nn.functional.binary_cross_entropy_with_logits(model(inputs[rows]), target, reduction="sum")
            optimiser.zero_grad()
            (loss / len(rows)).backward()
            optimiser.step()
        schedule.step()
    with torch.no_grad():
        best = torch.topk(model(torch.from_numpy(case.targets)).sigmoid(), 50)
    chances, words = best.values.numpy(), [[vocabulary.words[place] for place in row] for row in best.indices.tolist()]
    tried = (
        [frozenset(row[:size]) for row, size in zip(words, (chances > threshold).sum(axis=1), strict=True)]
        for threshold in np.linspace(0.02, 0.6, 30)
    )
    return WordGuesses(max(tried, key=lambda sets: _f1_values(case, sets).mean()), [])


def _f1_values(case: Case, sets: list[frozenset[str]]) -> Floats:
    assert case.truth is not None
    return word_recovery(sets, [content_words(text) for text in case.truth.texts]).f1


def _describe_f1(case: Case, guess: WordGuesses) -> str:
    assert case.truth is not None
    score = document_mean(_f1_values(case, guess.sets), case.truth.documents, stream(0, "bootstrap"))
    return f"{score.value:.4f} ({score.low:.4f} to {score.high:.4f}, n {score.n})"


def _within_vocabulary(case: Case, guess: WordGuesses) -> float:
    """As papers count: a word outside the attack's vocabulary is not part of the truth."""
    assert case.truth is not None
    known = Vocabulary.build(map(content_words, case.auxiliary["same-domain"].texts), 8000).index
    sets = [frozenset(word for word in content_words(text) if word in known) for text in case.truth.texts]
    rows = [row for row, words in enumerate(sets) if words]
    return float(word_recovery([guess.sets[row] for row in rows], [sets[row] for row in rows]).f1.mean())
