"""Membership of windows of words: ways of scoring, epochs of training, and speed; 500 documents a part.

Runs on film reviews where VESTIGE_DATA has them, else on the shipped complaints.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from time import process_time

import numpy as np

from vestige.attacks.membership.words import WordMembership
from vestige.attacks.multiset.word_vectors import WordVectors
from vestige.case.randomness import stream
from vestige.encoders.words.word2vec import Word2VecRecipe
from vestige.metrics.membership.advantage import advantage
from vestige.metrics.membership.auc import auc
from vestige.metrics.membership.side import sides
from vestige.papers.run import Run
from vestige.papers.song2020.texts import SCALES
from vestige.papers.song2020.word_texts import Contest, Parts, contest, read_parts
from vestige.text.corpus import Corpus

RUN = Run(replace(SCALES["small"], articles=500))
SHOWN = (0, 4, 9)
EPOCHS = (1, 5, 20)
WAYS = {
    "the paper's recipe": WordMembership(recipe="song"),
    "all pairs, the mean taken away": WordMembership(directions=0),
    "ours: three directions as well": WordMembership(),
    "ten directions": WordMembership(directions=10),
}
TRUSTS = (0.25, 0.5, 0.75, 1.0)


@cache
def world() -> tuple[Parts, Contest]:
    parts = read_parts(RUN)
    return parts, contest(RUN, parts)


def trained(corpus: Corpus, epochs: int) -> WordVectors:
    found = Word2VecRecipe(epochs=epochs).fit(corpus, rng=stream(0, "word2vec"))
    return found.vocabulary, found.matrix


def run() -> Iterator[str]:
    parts, windows = world()
    yield f"{parts.members.name}, {len(parts.members)} documents a part, word2vec; deciles 1, 5 and 10"
    vectors, public = trained(parts.members, 5), trained(parts.public, 5)
    for way, attack in WAYS.items():
        yield f"  {way}: {told(attack.fit(vectors), windows)}"
    for trust in TRUSTS:
        attack = WordMembership(trust=trust).fit(vectors, reference=public)
        yield f"  ours, beside vectors of public text, trusted {trust:g}: {told(attack, windows)}"
    yield f"  ours, the vectors dealt to other words: {told(WordMembership().fit(_dealt(vectors)), windows)}"
    yield f"  ours, vectors of public text alone: {told(WordMembership().fit(public), windows)}"
    yield from speed(vectors, windows.members[0].words * 25)


def run_epochs() -> Iterator[str]:
    parts, windows = world()
    for epochs in EPOCHS:
        vectors = trained(parts.members, epochs)
        for way in ("the paper's recipe", "ours: three directions as well"):
            yield f"{epochs} epochs, {way}: {told(WAYS[way].fit(vectors), windows)}"


def speed(vectors: WordVectors, windows: Sequence[Sequence[str]]) -> Iterator[str]:
    for way, attack in WAYS.items():
        attack.fit(vectors)
        start = process_time()
        attack.infer(windows)
        yield f"  {way}: {len(windows) / (process_time() - start):,.0f} windows a second of one core"


def told(attack: WordMembership, windows: Contest) -> str:
    """Advantage with its interval, and AUC, at some deciles."""
    return "; ".join(_told(attack, windows, decile) for decile in SHOWN)


def _told(attack: WordMembership, windows: Contest, decile: int) -> str:
    ours, theirs = windows.members[decile], windows.others[decile]
    both = sides(
        attack.infer(ours.words).scores,
        attack.infer(theirs.words).scores,
        member_groups=ours.owners,
        other_groups=theirs.owners,
    )
    score = advantage(*both, stream(0, "threshold"))
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f}, n {score.n}), AUC {auc(*both).value:.3f}"


def _dealt(vectors: WordVectors) -> WordVectors:
    assert isinstance(vectors, tuple)
    return vectors[0], np.random.default_rng(0).permutation(vectors[1])
