"""What the probe `membership` shows beside its figures: how a text is had, and what near copies do."""

from vestige.case.findings import Bar, Chart
from vestige.metrics.membership.epsilon import EpsilonBound
from vestige.metrics.membership.figures import Membership
from vestige.probes.membership_answers import Answers
from vestige.probes.membership_parties import Parties
from vestige.probes.membership_wording import proved, realised


def by_variant(figures: dict[str, Membership]) -> Chart:
    """True positives at a low rate of false ones, by how the stranger has the text."""
    first = next(iter(figures.values()))
    bars = [
        Bar(f"{variant}, at {point.asked:.1%}", point.tpr)
        for variant, each in figures.items()
        for point in each.at
        if point.tpr is not None
    ]
    return Chart(
        "How well a text must be known",
        "The share of the texts in the store that are found where the threshold lets so few others be taken for them. "
        f"The mark is the share that is. Word for word: {' '.join(map(realised, first.at))} A text that was changed "
        "lies farther from its vector; the larger the store, the more other vectors lie as near.",
        tuple(bars),
    )


def by_kind(answers: dict[str, Answers], parties: Parties, near: str, bound: EpsilonBound) -> Chart:
    """Who is said to be there at the stranger's own threshold: members however they are had, others, near copies."""
    exact, *_ = answers.values()
    alarm = exact.said(parties.others)
    bars = [
        Bar(f"in the store, {variant}", each.said(parties.members, baseline=alarm.value))
        for variant, each in answers.items()
    ]
    bars.append(Bar("not in the store", alarm))
    few = []
    for label, rows in (
        ("in the store, and a near copy elsewhere", parties.copied),
        ("not in the store, but a near copy is", parties.near),
    ):
        if parties.enough(rows, exact.truth):
            bars.append(Bar(label, exact.said(rows, baseline=alarm.value)))
        elif rows:
            few.append(f"{len(rows):,} {'text' if len(rows) == 1 else 'texts'} {label}")
    left = f" Too few to be scored: {'; '.join(few)}." if few else ""
    return Chart(
        "Who is said to be in the store",
        "The share of texts that are said to be in the store, at the threshold that 1% of the stranger's own texts "
        f"reach; the mark is the share of texts that are not in it. Near copies {near} on the other side; the figures "
        f"above are without them.{left} {proved(bound, 'such a search')}",
        tuple(bars),
    )
