"""The evidence of the probe `names`: name by name, and whether the context gives a name away."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from vestige.case.case import Knowledge, Truth
from vestige.case.findings import Bar, Chart
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import MOST_SWAPPED
from vestige.metrics.intervals import proportion
from vestige.text.names import Name, swap_person
from vestige.text.words import content_words
from vestige.types import Floats, Guesser, Progress

RECOVERED_NAMES = "Which names are recovered"
"""The title of the chart of single names."""

SHOWN_NAMES = 12
FEWEST_SIGHTINGS = 5

WordSets = Sequence[frozenset[str]]


def by_name(attack: WordSets, present: WordSets, documents: Sequence[str], source: str, show_text: bool) -> Chart:
    """The share of documents in which a name is recovered; a document counts once per name, by its first text."""
    first: dict[tuple[str, str], bool] = {}
    for names, claimed, document in zip(present, attack, documents, strict=True):
        for name in names:
            first.setdefault((name, document), name in claimed)
    seen = Counter(name for name, _ in first)
    recovered = Counter(name for (name, _), hit in first.items() if hit)
    texts = Counter(name for names in present for name in names)
    wrong = Counter(name for names, claimed in zip(present, attack, strict=True) for name in claimed - names)
    eligible = sorted(name for name in seen if seen[name] >= FEWEST_SIGHTINGS)
    bars = []
    for name in eligible:
        alarm = wrong[name] / max(len(present) - texts[name], 1)
        bars.append((name, proportion(recovered[name], seen[name], baseline=alarm, among=len(eligible))))
    bars.sort(key=lambda bar: (-bar[1].value, -bar[1].n, bar[0]))
    return Chart(
        RECOVERED_NAMES,
        "Of the documents that contain the name, the share in which the attack claims it; the mark is how often it "
        f"claims the name falsely. Names in at least {FEWEST_SIGHTINGS} target documents, the one at greatest risk "
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
    present: WordSets,
    attack: WordSets,
    inverter: Guesser,
    seed: int,
    progress: Progress,
) -> Iterator[Chart]:
    """Compare one name per text with another name put in its place; nothing if no encoder is available for that.

    The adversary's own texts contain both names, so that it can claim either. Over all texts, each name is put in as
    often as it is replaced.
    """
    if knowledge.encoder is None:
        return
    known = {name for text in knowledge.auxiliary.texts for name in content_words(text)}
    own = {row: min(names & known) for row, names in enumerate(present) if names & known}
    other = exchange_names(dict(islice(own.items(), MOST_SWAPPED)), present, stream(seed, "names put in"))
    rows = sorted(other)
    scorer = Scorer([truth.documents[row] for row in rows], seed)
    if not scorer.enough(np.ones(len(rows))):
        return
    original, put_in = [own[row] for row in rows], [other[row] for row in rows]
    texts = [
        swap_person(truth.texts[row], Name(old), Name(new))
        for row, old, new in zip(rows, original, put_in, strict=True)
    ]
    vectors = knowledge.encoder.encode(
        texts, progress=lambda _, total: progress("encoding texts with other names", total)
    )
    claimed = inverter.infer(vectors).sets
    before = [attack[row] for row in rows]
    yield Chart(
        "Does the context give the name away?",
        "The share of texts in which the attack claims a name: the name in the text; another name put in its place, "
        "which the context does not suggest; and, as the rate of false claims, that other name before it was put in. "
        "Texts exchange names in pairs, so that each name is put in as often as it is replaced.",
        (
            Bar("the name in the text", scorer.score(_claimed(original, before))),
            Bar("another name put in its place", scorer.score(_claimed(put_in, claimed))),
            Bar("a name that is not in the text", scorer.score(_claimed(put_in, before))),
        ),
    )


def _claimed(names: Sequence[str], sets: WordSets) -> Floats:
    return np.array([name in claimed for name, claimed in zip(names, sets, strict=True)], dtype=np.float64)


def exchange_names(own: Mapping[int, str], present: WordSets, rng: np.random.Generator) -> dict[int, str]:
    """Texts exchange names in pairs, so that each name is put in as often as it is replaced, however frequent it is.

    No text receives a name that it contains; a text without a partner is skipped. Texts are sorted by the frequency of
    their names, and partners are half of the list apart: only a name that more than half of the texts contain could be
    exchanged for itself.
    """
    frequent = Counter(own.values())
    order = sorted(rng.permutation(list(own)).tolist(), key=lambda row: (-frequent[own[row]], own[row]))
    half = len(order) // 2
    pairs = zip(order[:half], order[half : 2 * half], strict=True)
    free = [(one, two) for one, two in pairs if own[one] not in present[two] and own[two] not in present[one]]
    return {row: own[partner] for one, two in free for row, partner in ((one, two), (two, one))}
