"""The evidence of the probe `membership`: its charts; low false positive rates and bounds on epsilon in words."""

from vestige.case.findings import Bar, Chart
from vestige.metrics.membership.advantage import EpsilonBound
from vestige.metrics.membership.roc import OperatingPoint
from vestige.metrics.membership.summary import Membership
from vestige.probes.membership_split import MembershipSplit, StoreAnswers


def describe_realised(point: OperatingPoint) -> str:
    """The requested false positive rate and the realised one, or why there is none."""
    if point.realised is None:
        return f"{point.asked:.1%} cannot be measured: {point.reason}."
    return (
        f"The threshold for {point.asked:.1%} realises {point.realised.value:.1%} (95% interval "
        f"{point.realised.low:.1%} to {point.realised.high:.1%})."
    )


def describe_bound(bound: EpsilonBound, what: str) -> str:
    """What a bound says of `what`, and what it does not."""
    if bound.at_least is None:
        return f"No bound on epsilon can be given: {bound.reason}."
    if not bound.at_least:
        return f"This disproves no claim that {what} is differentially private, which is no proof of it."
    return (
        f"With {bound.confidence:.0%} confidence, no claim that {what} is differentially private with an epsilon below "
        f"{bound.at_least:.2f} is true. That is a lower bound, of one run and this attack: the true epsilon may be any "
        "higher."
    )


def by_variant(summaries: dict[str, Membership]) -> Chart:
    """True positive rates at low false positive rates, by the form in which the adversary has the text."""
    first = next(iter(summaries.values()))
    bars = [
        Bar(f"{variant}, at {point.asked:.1%}", point.tpr)
        for variant, each in summaries.items()
        for point in each.at
        if point.tpr is not None
    ]
    return Chart(
        "How well the attacker must know a text",
        "The share of stored texts that are found at a threshold with so few false positives; the mark is the share of "
        f"false positives. Word for word: {' '.join(map(describe_realised, first.at))} A changed text is farther from "
        "its vector, and the larger the store, the more other vectors are as close.",
        tuple(bars),
    )


def by_kind(answers: dict[str, StoreAnswers], split: MembershipSplit, near: str, bound: EpsilonBound) -> Chart:
    """The share claimed to be stored at the adversary's own threshold: members in every form, others, near copies."""
    exact, *_ = answers.values()
    alarm = exact.claimed_share(split.others)
    bars = [
        Bar(f"in the store, {variant}", each.claimed_share(split.members, baseline=alarm.value))
        for variant, each in answers.items()
    ]
    bars.append(Bar("not in the store", alarm))
    few = []
    for label, rows in (
        ("in the store, with a near copy outside it", split.copied),
        ("not in the store, but a near copy is", split.near),
    ):
        if split.enough(rows, exact.truth):
            bars.append(Bar(label, exact.claimed_share(rows, baseline=alarm.value)))
        elif rows:
            few.append(f"{len(rows):,} {'text' if len(rows) == 1 else 'texts'} {label}")
    left = f" Too few to be scored: {'; '.join(few)}." if few else ""
    return Chart(
        "Which texts are claimed to be in the store",
        "The share of texts that are claimed to be in the store, at the threshold that 1% of the attacker's own texts "
        f"reach; the mark is that share among texts that are not in it. Near copies {near} on the other side; the "
        f"scores above exclude them.{left} {describe_bound(bound, 'such a search')}",
        tuple(bars),
    )
