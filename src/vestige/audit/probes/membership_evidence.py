"""What the probe `membership` shows beside its figures: how a text is had, and what near copies do."""

from vestige.audit.probes.membership_answers import Answers
from vestige.audit.probes.membership_parties import Parties
from vestige.audit.result import Bar, Chart
from vestige.metrics.membership.epsilon import EpsilonBound
from vestige.metrics.membership.figures import Membership
from vestige.metrics.membership.operating import Operating


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
        f"The mark is the share that is. {' '.join(map(_realised, first.at))} A text that was changed lies farther "
        "from its vector; the larger the store, the more other vectors lie as near.",
        tuple(bars),
    )


def by_kind(answers: dict[str, Answers], parties: Parties, bound: EpsilonBound) -> Chart:
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
        "reach; the mark is the share of texts that are not in it. Near copies share more than 0.7 of their words with "
        f"a text on the other side; the figures above are without them.{left} {_proved(bound)}",
        tuple(bars),
    )


def _realised(point: Operating) -> str:
    if point.realised is None:
        return f"{point.asked:.1%} cannot be told: {point.reason}."
    return (
        f"Asked for {point.asked:.1%}, the threshold for texts word for word gives {point.realised.value:.1%} (95% "
        f"interval {point.realised.low:.1%} to {point.realised.high:.1%})."
    )


def _proved(bound: EpsilonBound) -> str:
    if bound.at_least is None:
        return f"No bound on epsilon can be given: {bound.reason}."
    if not bound.at_least:
        return "These answers disprove no claim of differential privacy, which is no proof of one."
    return (
        f"With {bound.confidence:.0%} confidence, no claim that such answers are differentially private with an "
        f"epsilon below {bound.at_least:.2f} is true (one text a document). That is a lower bound, of one run and this "
        "attack: the true epsilon may be any higher."
    )
