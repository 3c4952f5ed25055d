"""What the probe `membership-training` shows beside its figures: ways of comparing, low rates, lengths."""

from collections.abc import Iterator
from dataclasses import replace

from vestige.case.findings import Bar, Chart
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.metrics.membership.figures import Membership
from vestige.probes.membership_wording import proved, realised
from vestige.probes.training_told import Rows, Told
from vestige.probes.training_ways import Way
from vestige.types import Score

CALLED: dict[Way, str] = {
    "learned": "learned similarity",
    "fixed": "fixed similarity",
    "words": "nearness of words",
}
BY_WORDS = (
    "The vectors of this encoder are means of word vectors, so that words that stand side by side are compared too; "
    "the figures above are of whichever way tells better the documents that the stranger knows of. "
)
BANDS = ((2, 4), (5, 9), (10, 14), (15, 20))


def by_way(attack: dict[Way, Told], prior: dict[Way, Told], seed: int) -> Chart:
    """Documents and pairs, with labels and without."""
    bars = []
    for unit in ("documents", "pairs"):
        for way in attack:
            rows, beside = (getattr(each[way], unit) for each in (attack, prior))
            bars.append(Bar(f"{unit}, {CALLED[way]}", _advantage(rows, beside, seed)))
    return Chart(
        "What the stranger needs to know",
        "The advantage of one who knows of some documents whether they were learned from, and has learned from them "
        "how to compare two sentences; and of one who knows of none, and takes a fixed similarity. "
        f"{BY_WORDS if 'words' in attack else ''}The mark is what the same gives on vectors of an encoder that knows "
        "neither side.",
        tuple(bars),
    )


def at_low_rates(figures: Membership, *, alike: bool) -> Chart:
    """True positives where few others may be accused, and what all this proves.

    Only of sides that are `alike` as texts can be said that what tells them apart was learned.
    """
    bound = figures.epsilon
    if not alike:
        bound = replace(bound, at_least=None, reason="the two sides differ as texts, whatever was learned")
    bars = [Bar(f"at {point.asked:.1%}", point.tpr) for point in figures.at if point.tpr is not None]
    return Chart(
        "How many documents are found where few others are accused",
        "The share of the documents that were learned from that are found where the threshold lets so few others be "
        f"taken for them; the mark is the share that is. {' '.join(map(realised, figures.at))} "
        f"{proved(bound, 'the training')}",
        tuple(bars),
    )


def by_length(attack: Told, prior: Told, seed: int) -> Iterator[Chart]:
    """Documents of so many sentences, where enough of either side have as many; none where no two bands do."""
    bars = []
    for low, high in BANDS:
        chosen = (attack.lengths >= low) & (attack.lengths <= high)
        rows, beside = attack.documents.take(chosen), prior.documents.take(chosen)
        if min(rows.members.sum(), (~rows.members).sum()) >= FEWEST_DOCUMENTS:
            bars.append(Bar(f"{low} to {high} sentences", _advantage(rows, beside, seed)))
    if len(bars) > 1:
        yield Chart(
            "By the length of a document",
            "The advantage on documents of so many sentences, of which each two in a row are a hint; documents are cut "
            f"at {BANDS[-1][1]}. The mark is what an encoder gives that knows neither side.",
            tuple(bars),
        )


def _advantage(rows: Rows, beside: Rows, seed: int) -> Score:
    score, prior = (each.figures(seed).advantage for each in (rows, beside))
    return replace(score, baseline=prior.value)
