"""A comparison in plain words."""

from collections.abc import Iterator, Sequence

from vestige.audit.comparison import Change, InputChange, ProbeChange
from vestige.audit.difference import PRIMARY
from vestige.types import Score

ATTACKER = {
    *("pairs", "vocabulary_size", "recipe", "access", "rewritten", "queries", "labels", "auxiliary", "vestige"),
    *("surrogate", "importance", "vocabulary", "budgets"),
    *("keywords", "attributes", "patterns"),
}
"""If one of these differs, the leakage may change although the vectors are the same."""

TARGETS = {"seed", "targets", "unit", "shortest", "longest", "sample", "corpus", "texts", "documents"}
"""If one of these differs, the two audits score different targets."""


def write_headline(changes: Sequence[ProbeChange], names: tuple[str, str], *, identical: bool = False) -> str:
    """The answer in one sentence."""
    base, new = names
    if identical:
        return f"'{base}' and '{new}' leak the same: their results are identical."
    worse, better = _list_probes(changes, "worse"), _list_probes(changes, "better")
    if worse:
        return f"'{new}' leaks more than '{base}' in {worse}{f', and less in {better}' if better else ''}."
    if better:
        return f"'{new}' leaks less than '{base}' in {better}."
    if _list_probes(changes, "undecided") or _list_probes(changes, "no difference"):
        return f"No change of the leakage from '{base}' to '{new}' could be shown."
    return f"'{base}' and '{new}' could not be compared."


def write_sentences(
    changes: Sequence[ProbeChange], inputs: Sequence[InputChange], *, identical: bool = False
) -> Iterator[str]:
    """What the intervals mean, what they leave open, and what makes the comparison weaker."""
    if identical:
        yield "Every target has the same score in both, so there is nothing for an interval to leave open."
        return
    compared = [change for change in changes if change.difference is not None]
    if len(compared) > 1:
        half = ", half of which is for words" if any(change.probe == PRIMARY for change in compared) else ""
        yield (
            f"The intervals allow for {len(compared)} comparisons at once: if nothing changed, the choice of documents "
            f"makes some probe look worse or better in at most 5% of cases{half}. They also allow for an attack that "
            "does a little better or worse each time it is fitted; by how much was measured for words only."
        )
    undecided = {change.probe: change.difference for change in compared if change.change == "undecided"}
    if undecided:
        yield f"Not excluded: {', '.join(_describe_bounds(undecided))}."
    yield from _describe_unpaired(changes, inputs)
    attacker = [change.name for change in inputs if change.name in ATTACKER or _is_one_encoder(change)]
    if attacker:
        yield (
            f"The attackers differ ({', '.join(attacker)}), so a change may come from the attacker and not from the "
            "vectors."
        )


def _is_one_encoder(change: InputChange) -> bool:
    """Whether only one of the attackers had an encoder to query."""
    return change.name == "encoder" and (change.base == "-") != (change.new == "-")


def _describe_bounds(undecided: dict[str, Score | None]) -> Iterator[str]:
    for probe, score in undecided.items():
        assert score is not None
        yield f"an increase of {probe} by up to {max(score.high, 0):.3f}"


def _describe_unpaired(changes: Sequence[ProbeChange], inputs: Sequence[InputChange]) -> Iterator[str]:
    """Why intervals are wider than they could be, each reason once."""
    reasons: dict[str, list[str]] = {}
    for change in changes:
        if change.difference is not None and not change.paired:
            reasons.setdefault(change.reason, []).append(change.probe)
    causes = [change.name for change in inputs if change.name in TARGETS]
    for reason, probes in reasons.items():
        because = f" (these inputs differ: {', '.join(causes)})" if causes and "different targets" in reason else ""
        yield (
            f"Not paired: {', '.join(probes)}, because {reason}{because}. Their intervals are wider than "
            "paired ones would be."
        )


def _list_probes(changes: Sequence[ProbeChange], change: Change) -> str:
    return ", ".join(each.probe for each in changes if each.change == change)
