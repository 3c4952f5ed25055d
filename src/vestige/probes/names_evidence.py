"""What the probe `names` shows beside its figures: name by name, and whether the context gave the name away."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from vestige.case.case import Knowledge, Truth
from vestige.case.findings import Bar, Chart
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import MOST_SWAPPED
from vestige.metrics.proportion import proportion
from vestige.text.names import Name, swapped
from vestige.text.words import content_words
from vestige.types import Floats, Guesser, Progress

SHOWN_NAMES = 12
FEWEST_SIGHTINGS = 5

WordSets = Sequence[frozenset[str]]


def by_name(attack: WordSets, there: WordSets, documents: Sequence[str], source: str, show_text: bool) -> Chart:
    """The share of documents in which a name is read; a document counts once a name, by its first text."""
    first: dict[tuple[str, str], bool] = {}
    for names, claimed, document in zip(there, attack, documents, strict=True):
        for name in names:
            first.setdefault((name, document), name in claimed)
    seen = Counter(name for name, _ in first)
    read = Counter(name for (name, _), was_read in first.items() if was_read)
    texts = Counter(name for names in there for name in names)
    wrong = Counter(name for names, claimed in zip(there, attack, strict=True) for name in claimed - names)
    eligible = sorted(name for name in seen if seen[name] >= FEWEST_SIGHTINGS)
    bars = []
    for name in eligible:
        alarm = wrong[name] / max(len(there) - texts[name], 1)
        bars.append((name, proportion(read[name], seen[name], baseline=alarm, among=len(eligible))))
    bars.sort(key=lambda bar: (-bar[1].value, -bar[1].n, bar[0]))
    return Chart(
        "Which names are read",
        "Of the documents that hold the name, the share in which the stranger reads it; the mark is how often it "
        f"claims the name where it is not. Names of at least {FEWEST_SIGHTINGS} target documents, the most readable "
        f"first; the intervals allow for the choice among {len(eligible)}. Counted are {source}."
        + ("" if show_text else " Names are masked; --show-text shows them."),
        tuple(
            Bar(name if show_text else f"name {place}", score)
            for place, (name, score) in enumerate(bars[:SHOWN_NAMES], 1)
        ),
    )


def by_context(
    knowledge: Knowledge,
    truth: Truth,
    there: WordSets,
    attack: WordSets,
    reader: Guesser,
    seed: int,
    progress: Progress,
) -> Iterator[Chart]:
    """One name a text, where it stands and with another in its place; nothing where no encoder can make the test.

    Both the name and the one put in for it are in the stranger's own texts, so that it can claim either. The same names
    stand and are put in, each as often.
    """
    if knowledge.encoder is None:
        return
    known = {name for text in knowledge.auxiliary.texts for name in content_words(text)}
    own = {row: min(names & known) for row, names in enumerate(there) if names & known}
    other = exchanged(dict(islice(own.items(), MOST_SWAPPED)), there, stream(seed, "names put in"))
    rows = sorted(other)
    scorer = Scorer([truth.documents[row] for row in rows], seed)
    if not scorer.enough(np.ones(len(rows))):
        return
    stood, put_in = [own[row] for row in rows], [other[row] for row in rows]
    texts = [swapped(truth.texts[row], Name(old), Name(new)) for row, old, new in zip(rows, stood, put_in, strict=True)]
    vectors = knowledge.encoder.encode(
        texts, progress=lambda _, total: progress("encoding texts with other names", total)
    )
    claimed = reader.infer(vectors).sets
    before = [attack[row] for row in rows]
    yield Chart(
        "Does the context give the name away?",
        "The share of texts in which the stranger claims a name: the one that stands there; one put in for it, which "
        "the context knows nothing of; and, as a measure of false alarms, that same one before it was put in. Texts "
        "exchange names in pairs, so that each is put in as often as it stands.",
        (
            Bar("where the name stands", scorer.score(_claimed(stood, before))),
            Bar("another name put in its place", scorer.score(_claimed(put_in, claimed))),
            Bar("a name that is not there", scorer.score(_claimed(put_in, before))),
        ),
    )


def _claimed(names: Sequence[str], sets: WordSets) -> Floats:
    return np.array([name in read for name, read in zip(names, sets, strict=True)], dtype=np.float64)


def exchanged(own: Mapping[int, str], there: WordSets, rng: np.random.Generator) -> dict[int, str]:
    """Texts exchange names in pairs, so that each name is put in as often as it stands, however frequent it is.

    No text is given a name that it holds; one that finds no partner is left out. In the order of frequency no name but
    one that more than half of the texts hold meets itself half the way down.
    """
    frequent = Counter(own.values())
    order = sorted(rng.permutation(list(own)).tolist(), key=lambda row: (-frequent[own[row]], own[row]))
    half = len(order) // 2
    pairs = zip(order[:half], order[half : 2 * half], strict=True)
    free = [(one, two) for one, two in pairs if own[one] not in there[two] and own[two] not in there[one]]
    return {row: own[partner] for one, two in free for row, partner in ((one, two), (two, one))}
