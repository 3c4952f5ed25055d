"""What limits relaxation as published (Song and Raghunathan 2020, Equation 5): the objective, or the descent?

The encoder is the dual LSTM of Table 1 at its small scale, so that the true words have an objective of zero. A descent
that ends near zero has done its work; whether its likeliest words do too shows what the relaxation is worth. Each line
changes one setting of the published recipe, and objectives are shares of that of the start. The texts are auxiliary
ones, which no table scores.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from vestige.attacks.soft_words import PUBLISHED, PUBLISHED_NOISE, Descent, UniformStart, relax
from vestige.encoders.dual.encoder import UNKNOWN
from vestige.papers.run import PaperRun
from vestige.papers.song2020.setup import MODELS, SCALES, SongSizes
from vestige.papers.song2020.texts import read_texts
from vestige.papers.victims import Victim, load_victims

TEXTS, FEW_WORDS = 4, 500


@dataclass(frozen=True)
class Trial:
    """One way to descend: over the `words` most frequent words and those of the texts, or over all."""

    name: str
    descent: Descent = PUBLISHED
    noise: float = PUBLISHED_NOISE
    words: int | None = FEW_WORDS


FAST = replace(PUBLISHED, rate=0.1, steps=4000)
TRIALS = (
    Trial("as published"),
    Trial("rate 0.01", replace(PUBLISHED, rate=0.01)),
    Trial("rate 0.1", FAST),
    Trial("rate 0.1, all words", FAST, words=None),
    Trial("rate 0.1, temperature 0.2, all words", replace(FAST, temperature=0.2), words=None),
    Trial("rate 0.1, temperature 0.01, all words", replace(FAST, temperature=0.01), words=None),
)


@dataclass(frozen=True)
class Outcome:
    """Of one text: objectives as shares of the first, the mean top probability, words in the mixture, and F1."""

    soft: float
    guessed: float
    true: float
    top: float
    mixed: float
    f1: float
    steps: int
    converged: bool


def run() -> Iterator[str]:
    texts = read_texts(PaperRun[SongSizes](SCALES["small"]))
    loaded = load_victims(PaperRun[object](SCALES["small"]), {"LSTM": MODELS["LSTM"]}, texts.encoded, texts.study)
    target = loaded["LSTM"]
    assert isinstance(target, Victim)
    known = texts.auxiliary["same"].texts
    ids = [target.box.word_ids(text) for text in known[:TEXTS]]
    counts = Counter(piece for text in known for piece in target.box.word_ids(text))
    frequent, length = [piece for piece, _ in counts.most_common()], np.mean([len(own) for own in ids])
    yield f"relaxation of {len(ids)} LSTM vectors, {len(target.box.words):,} words, {length:.0f} per text"
    for trial in TRIALS:
        pieces = _choose_pieces(trial, len(target.box.words), frequent, ids)
        found = [_descend(target, trial, pieces, own) for own in ids]
        yield _describe(trial, len(pieces), found)


def _choose_pieces(trial: Trial, size: int, frequent: Sequence[int], ids: Sequence[Sequence[int]]) -> list[int]:
    if trial.words is None:
        return list(range(size))
    return sorted({*frequent[: trial.words], *(piece for own in ids for piece in own)})


def _descend(target: Victim, trial: Trial, pieces: Sequence[int], own: Sequence[int]) -> Outcome:
    matrix = target.box.word_matrix.detach().float()
    embed = target.box.embed
    with torch.no_grad():
        truth = embed(matrix[list(own)][None])
    start = UniformStart(len(pieces), seed=0, noise=trial.noise).start(np.zeros(len(pieces), np.float32), len(own))
    found = relax(embed, matrix[list(pieces)], truth, start[None], trial.descent)
    chances = found.chances[0]
    best = [pieces[place] for place in chances.argmax(dim=1).tolist()]
    with torch.no_grad():
        first, soft, guessed, true = (
            float((embed(rows[None]) - truth).square().sum())
            for rows in (
                torch.softmax(start / trial.descent.temperature, dim=1) @ matrix[list(pieces)],
                chances @ matrix[list(pieces)],
                matrix[best],
                matrix[list(own)],
            )
        )
    right, guesses = ({target.box.words[piece] for piece in each} - {UNKNOWN} for each in (own, best))
    return Outcome(
        soft=soft / first,
        guessed=guessed / first,
        true=true / first,
        top=float(chances.max(dim=1).values.mean()),
        mixed=_count_mixed(chances),
        f1=2 * len(right & guesses) / max(1, len(right) + len(guesses)),
        steps=found.convergence.record(1).steps[-1],
        converged=bool(found.convergence.record(1).converged.all()),
    )


def _count_mixed(chances: Tensor) -> float:
    """The number of words that a position mixes: the exponential of the entropy, averaged over positions."""
    return float(torch.special.entr(chances).sum(dim=1).exp().mean())


def _describe(trial: Trial, words: int, found: Sequence[Outcome]) -> str:
    def mean(name: str) -> float:
        return float(np.mean([getattr(one, name) for one in found]))

    return (
        f"  {trial.name}, {words:,} words: F1 {100 * mean('f1'):.1f}; objective {mean('soft'):.2g} of the start, "
        f"of the guessed words {mean('guessed'):.2g}, of the true words {mean('true'):.1g}; a position mixes "
        f"{mean('mixed'):.1f} words, the likeliest has {mean('top'):.2f}; {mean('steps'):,.0f} steps, "
        f"{sum(one.converged for one in found)} of {len(found)} converged"
    )
