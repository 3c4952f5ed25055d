"""If another attribute leaks most in NEW than in BASE, each of the two is compared with itself."""

from dataclasses import dataclass

from vestige.case.findings import Finding
from vestige.case.level import gain_over
from vestige.types import Score

ATTRIBUTES = "attributes"


@dataclass(frozen=True, slots=True)
class MatchedAttribute:
    """An attribute with its leakage on both sides."""

    name: str
    base: Score
    new: Score


def match_attributes(base: Finding, new: Finding) -> tuple[MatchedAttribute, ...]:
    """The attribute that leaks most in BASE, and that of NEW; none unless both were scored on both sides."""
    before, after = _list_leakages(base), _list_leakages(new)
    worst = dict.fromkeys(name for side in (before, after) for name in list(side)[:1])
    if not all(name in before and name in after for name in worst):
        return ()
    return tuple(MatchedAttribute(name, before[name], after[name]) for name in worst)


def describe_match(matched: tuple[MatchedAttribute, ...], chosen: MatchedAttribute) -> str:
    """Which attributes were compared, and whose figures are shown."""
    names = " and ".join(f"“{each.name}”" for each in matched)
    return f"another attribute leaks most: {names} were each compared, and “{chosen.name}” rose more or fell less"


def _list_leakages(finding: Finding) -> dict[str, Score]:
    """The leakage of every attribute with its number of classes, the one that leaks most first."""
    bars = finding.charts[0].bars if finding.probe == ATTRIBUTES and finding.charts else ()
    return {bar.label: gain_over(bar.score, bar.score.baseline or 0.0) for bar in bars}
