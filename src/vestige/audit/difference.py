"""The difference of two findings of one probe, with an interval that allows for everything that is compared at once."""

from collections.abc import Sequence

from vestige.audit.comparison import Change
from vestige.case.findings import Finding, TargetScores
from vestige.case.randomness import stream
from vestige.errors import InputError
from vestige.metrics.intervals import add_spread, document_difference, unpaired_difference
from vestige.types import Score

PRIMARY = "words"
"""The probe that a comparison is first of all about: it gets half of the 5% error rate, the others share the rest."""

FIT_SPREAD = 0.005
"""The SD of the difference of two fits that should be equal.

`python -m bench compare_null` measures the SD of one fit, for words: at most 0.0034, of the multi-set attack on vectors
with a little noise. The SD of a difference of two is sqrt(2) times that, 0.0048.
"""


def share_error(probes: Sequence[str]) -> dict[str, int]:
    """For each probe, the part of the 5% error rate that its interval may use, as one of so many equal parts.

    The parts add up to the whole, whatever the probes measure (weighted Bonferroni). The weights are fixed in advance.
    """
    if PRIMARY not in probes or len(probes) == 1:
        return dict.fromkeys(probes, len(probes))
    return {probe: 2 if probe == PRIMARY else 2 * (len(probes) - 1) for probe in probes}


def find_unpaired(base: Finding, new: Finding) -> str:
    """Why two findings cannot be paired target by target; empty if they can."""
    if base.per_target is None or new.per_target is None:
        side = "either" if base.per_target is new.per_target else "BASE" if base.per_target is None else "NEW"
        return f"no scores of single targets were recorded in {side}"
    if base.per_target.digest != new.per_target.digest:
        return "the two audits scored different targets"
    return ""


def subtract(base: Finding, new: Finding, *, paired: bool, among: int) -> Score:
    """The difference with its interval over documents, widened by what the fit of an attack varies by chance."""
    if not paired:
        return subtract_scores(base.leakage, new.leakage, among=among)
    assert base.per_target is not None
    assert new.per_target is not None
    _check_lengths(base.probe, base.per_target, new.per_target)
    return subtract_targets(base.per_target, new.per_target, among=among)


def subtract_scores(base: Score, new: Score, *, among: int) -> Score:
    """The difference of two scores of different targets, widened likewise."""
    return add_spread(unpaired_difference(base, new, among=among), FIT_SPREAD, among=among)


def subtract_targets(base: TargetScores, new: TargetScores, *, among: int) -> Score:
    """The paired difference of the scores of the same targets, widened likewise."""
    over_documents = document_difference(
        base.gains,
        new.gains,
        [str(document) for document in base.documents],
        stream(0, "compare"),
        base_weights=base.weights,
        new_weights=new.weights,
        among=among,
    )
    return add_spread(over_documents, FIT_SPREAD, among=among)


def _check_lengths(probe: str, before: TargetScores, after: TargetScores) -> None:
    weights = [each.weights for each in (before, after) if each.weights is not None]
    lengths = {len(part) for part in (before.documents, before.gains, after.documents, after.gains, *weights)}
    if len(lengths) > 1:
        raise InputError(
            f"the scores of '{probe}' have {' and '.join(map(str, sorted(lengths)))} targets under the same digest; "
            "one of the files was changed: run its audit again"
        )


def classify(difference: Score) -> Change:
    """Worse or better if the whole interval is; else undecided."""
    return "worse" if difference.low > 0 else "better" if difference.high < 0 else "undecided"
