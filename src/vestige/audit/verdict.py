"""The findings in plain words."""

from collections.abc import Sequence

from vestige.audit.result import Finding, Level, NotApplicable, Verdict

SEVERE, SUBSTANTIAL = 0.30, 0.10

_HEADLINES: dict[Level, str] = {
    "none": "No leak was found beyond what guessing gives.",
    "slight": "These vectors give a little of the text away.",
    "substantial": "These vectors give away a substantial part of the text.",
    "severe": "Whoever holds these vectors can read much of the text.",
    "unknown": "Nothing could be measured.",
}
_ADVICE: dict[Level, str] = {
    "none": "That is evidence for these data and this attack, not a proof of safety.",
    "slight": "Treat the vectors as internal data, and measure again when the encoder or the data change.",
    "substantial": "Treat the vectors as you treat the text: the same access rules, contracts and retention.",
    "severe": "Do not hand these vectors to anyone who may not read the text itself.",
    "unknown": "See below what was missing.",
}


def judge(findings: Sequence[Finding], not_run: Sequence[NotApplicable]) -> Verdict:
    """The gravest finding sets the level; each finding adds a sentence."""
    levels: list[Level] = [level_of(finding) for finding in findings]
    level: Level = max(levels, key=list(_HEADLINES).index) if levels else "unknown"
    sentences = [finding.summary for finding in findings] + [
        f"Not answered: {question.question} ({question.reason})" for question in not_run if not findings
    ]
    return Verdict(level, _HEADLINES[level], (*sentences, _ADVICE[level]))


def level_of(finding: Finding) -> Level:
    """By leakage, the gain over guessing; "none" where the interval reaches zero."""
    if finding.leakage.low <= 0:
        return "none"
    if finding.leakage.value >= SEVERE:
        return "severe"
    return "substantial" if finding.leakage.value >= SUBSTANTIAL else "slight"
