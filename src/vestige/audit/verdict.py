"""The findings in plain words."""

from collections.abc import Sequence

from vestige.audit.result import Finding, Level, NotApplicable, Verdict
from vestige.types import Score

SEVERE, SUBSTANTIAL = 0.30, 0.10

_HEADLINES: dict[Level, str] = {
    "none": "No leak was found beyond what guessing gives.",
    "slight": "These vectors give a little of the text away.",
    "substantial": "These vectors give away a substantial part of the text.",
    "severe": "Whoever holds these vectors can read much of the text.",
    "unknown": "Nothing could be measured that can be relied on.",
}
_ADVICE: dict[Level, str] = {
    "none": "That is evidence for these data and this attack, not a proof of safety.",
    "slight": "Treat the vectors as internal data, and measure again when the encoder or the data change.",
    "substantial": "Treat the vectors as you treat the text: the same access rules, contracts and retention.",
    "severe": "Do not hand these vectors to anyone who may not read the text itself.",
    "unknown": "See below what is missing.",
}


def judge(findings: Sequence[Finding], not_run: Sequence[NotApplicable]) -> Verdict:
    """The gravest finding that can be trusted sets the level; each finding adds a sentence."""
    levels: list[Level] = [finding.level for finding in findings if not finding.warnings]
    level: Level = max(levels, key=list(_HEADLINES).index) if levels else "unknown"
    answers = [sentence for finding in findings for sentence in (finding.warnings or (finding.summary,))]
    silence = [f"Not answered: {asked.question} ({asked.reason})" for asked in not_run if not findings]
    return Verdict(level, _HEADLINES[level], (*answers, *silence, _ADVICE[level]))


def level_of(leakage: Score) -> Level:
    """By leakage, the gain over guessing; "none" where the interval reaches zero."""
    if leakage.low <= 0:
        return "none"
    if leakage.value >= SEVERE:
        return "severe"
    return "substantial" if leakage.value >= SUBSTANTIAL else "slight"
