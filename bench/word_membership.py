"""Membership of windows of words: scores, epochs of training, and speed; 500 documents per part.

Runs on film reviews where VESTIGE_DATA has them, else on the shipped complaints.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from time import process_time

import numpy as np

from vestige.attacks.membership.words import WordMembership
from vestige.attacks.word_vectors import WordVectors
from vestige.case.randomness import stream
from vestige.encoders.words.word2vec import Word2VecRecipe
from vestige.metrics.membership.advantage import advantage
from vestige.metrics.membership.grouped_scores import group_scores
from vestige.metrics.membership.roc import auc
from vestige.papers.run import PaperRun
from vestige.papers.song2020.figure4 import CandidateWindows, WindowCorpora, draw_windows, read_parts
from vestige.papers.song2020.setup import SCALES
from vestige.text.corpus import Corpus

RUN = PaperRun(replace(SCALES["small"], articles=500))
SHOWN = (0, 4, 9)
EPOCHS = (1, 5, 20)
ATTACKS = {
    "the paper's recipe": WordMembership(recipe="song"),
    "all pairs, minus the mean": WordMembership(directions=0),
    "ours: minus three directions as well": WordMembership(),
    "ten directions": WordMembership(directions=10),
}
TRUSTS = (0.25, 0.5, 0.75, 1.0)


@cache
def draw_world() -> tuple[WindowCorpora, CandidateWindows]:
    parts = read_parts(RUN)
    return parts, draw_windows(RUN, parts)


def train(corpus: Corpus, epochs: int) -> WordVectors:
    found = Word2VecRecipe(epochs=epochs).fit(corpus, rng=stream(0, "word2vec"))
    return found.vocabulary, found.matrix


def run() -> Iterator[str]:
    parts, windows = draw_world()
    yield f"{parts.members.name}, {len(parts.members)} documents per part, word2vec; deciles 1, 5 and 10"
    vectors, public = train(parts.members, 5), train(parts.public, 5)
    for name, attack in ATTACKS.items():
        yield f"  {name}: {describe_attack(attack.fit(vectors), windows)}"
    for trust in TRUSTS:
        attack = WordMembership(trust=trust).fit(vectors, reference=public)
        yield f"  ours, compared with vectors of public text, trust {trust:g}: {describe_attack(attack, windows)}"
    shuffled = WordMembership().fit(_shuffle_vectors(vectors))
    yield f"  ours, vectors shuffled among words: {describe_attack(shuffled, windows)}"
    yield f"  ours, vectors of public text alone: {describe_attack(WordMembership().fit(public), windows)}"
    yield from time_attacks(vectors, windows.members[0].words * 25)


def run_epochs() -> Iterator[str]:
    parts, windows = draw_world()
    for epochs in EPOCHS:
        vectors = train(parts.members, epochs)
        for name in ("the paper's recipe", "ours: minus three directions as well"):
            yield f"{epochs} epochs, {name}: {describe_attack(ATTACKS[name].fit(vectors), windows)}"


def time_attacks(vectors: WordVectors, windows: Sequence[Sequence[str]]) -> Iterator[str]:
    for name, attack in ATTACKS.items():
        attack.fit(vectors)
        start = process_time()
        attack.infer(windows)
        yield f"  {name}: {len(windows) / (process_time() - start):,.0f} windows per second on one core"


def describe_attack(attack: WordMembership, windows: CandidateWindows) -> str:
    """Advantage with its interval, and AUC, at some deciles."""
    return "; ".join(_describe_decile(attack, windows, decile) for decile in SHOWN)


def _describe_decile(attack: WordMembership, windows: CandidateWindows, decile: int) -> str:
    ours, theirs = windows.members[decile], windows.others[decile]
    both = group_scores(
        attack.infer(ours.words).scores,
        attack.infer(theirs.words).scores,
        member_groups=ours.owners,
        other_groups=theirs.owners,
    )
    score = advantage(*both, stream(0, "threshold"))
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f}, n {score.n}), AUC {auc(*both).value:.3f}"


def _shuffle_vectors(vectors: WordVectors) -> WordVectors:
    assert isinstance(vectors, tuple)
    return vectors[0], np.random.default_rng(0).permutation(vectors[1])
