"""The windows of Song's Figure 4: who trains on what, which windows are asked about, how rare their middle is (6.4)."""

from dataclasses import dataclass

import numpy as np

from vestige.case.randomness import stream
from vestige.encoders.words.frequent_words import frequent_words
from vestige.papers.elsewhere import first_present
from vestige.papers.run import Run
from vestige.papers.song2020.texts import Sizes
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.text.split import sample_rows, split_documents
from vestige.text.windows import DECILES, Windows, rarity_deciles

WIDTH = 5
MIN_COUNT = 5


@dataclass(frozen=True)
class Parts:
    """Three parts of a corpus, as large as one another, that share no document."""

    members: Corpus
    others: Corpus
    public: Corpus


@dataclass(frozen=True)
class Contest:
    """Windows of members and of others by decile, and how they were come by.

    `words` is the size of the lexicon; `least` the count, in public text, of the rarest word of each decile; `copied`
    and `found` are the windows of both sides that stand on both, and all there are.
    """

    members: tuple[Windows, ...]
    others: tuple[Windows, ...]
    words: int
    least: tuple[int, ...]
    copied: int
    found: int


def read_parts(run: Run[Sizes]) -> Parts:
    """What the vectors learn from, what they do not, and what a stranger may have."""
    own = load_corpus(run.sizes.corpus or first_present("imdb", "complaints"))
    rng = stream(run.seed, "split")
    own = own.take(sample_rows(range(len(own)), 3 * run.sizes.articles, rng))
    public = split_documents(own.documents, 1 / 3, rng)
    private = own.take(public.auxiliary)
    halves = split_documents(private.documents, 0.5, rng)
    return Parts(private.take(halves.auxiliary), private.take(halves.target), own.take(public.target))


def contest(run: Run[Sizes], parts: Parts) -> Contest:
    """At most so many windows a decile and side, all of words that stand often enough in each of the three parts.

    A word that only the members have would betray them, and no vector be needed; for the same reason words are counted
    in the public part, where they stand no more often for having been learned from.
    """
    public = frequent_words(parts.public, MIN_COUNT)
    shared = set(frequent_words(parts.members, MIN_COUNT).words) & set(frequent_words(parts.others, MIN_COUNT).words)
    counts = {word: count for word, count in zip(public.words, public.counts, strict=True) if word in shared}
    members, others = (Windows.of(part, tuple(counts), WIDTH) for part in (parts.members, parts.others))
    copied = members.standing_in(others), others.standing_in(members)
    deciles = rarity_deciles(list(counts.values()))

    def by_decile(side: str, windows: Windows) -> tuple[Windows, ...]:
        rng, at = stream(run.seed, side), deciles[windows.centres]
        rows = [(at == decile).nonzero()[0].tolist() for decile in range(DECILES)]
        drawn = [np.array(sample_rows(some, run.sizes.windows, rng), dtype=np.int64) for some in rows]
        return tuple(map(windows.take, drawn))

    return Contest(
        members=by_decile("members", members.take(~copied[0])),
        others=by_decile("others", others.take(~copied[1])),
        words=len(counts),
        least=tuple(
            min(count for count, at in zip(counts.values(), deciles, strict=True) if at == decile)
            for decile in sorted(set(deciles.tolist()))
        ),
        copied=int(copied[0].sum() + copied[1].sum()),
        found=len(members) + len(others),
    )
