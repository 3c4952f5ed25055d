"""The findings in plain words."""

from collections.abc import Sequence

from vestige.audit.result import Verdict
from vestige.case.findings import Finding, Level, NotApplicable
from vestige.preflight.result import Preflight

_HEADLINES: dict[Level, str] = {
    "none": "No leak was found beyond what guessing gives.",
    "unknown": "What these vectors give away could not be measured reliably.",
    "slight": "These vectors give a little of the text away.",
    "substantial": "These vectors give away a substantial part of the text.",
    "severe": "Whoever holds these vectors can read much of the text.",
}
_OF_LABELS: dict[Level, str] = {
    "slight": "These vectors tell a little of what a text is labelled with, not its words.",
    "substantial": "Whoever holds these vectors can often tell what a text is labelled with.",
    "severe": "Whoever holds these vectors can tell what a text is labelled with, such as its author.",
}
"""Where attributes alone are told so well."""

_OF_PRESENCE: dict[Level, str] = {
    "slight": "What is told is that a text is there or was learned from, or which encoder made the vectors; not what "
    "a text says.",
}
"""Where nothing else is told."""

_PRESENCE = {"membership", "membership-training", "fingerprint"}
"""What these tell is no part of a text, so that they never hide that another question is open."""

_READ_NOTHING = _PRESENCE | {"attributes"}
"""Where these alone were asked, nobody knows what of the text could be read."""

_UNREAD = "What a stranger could read of the texts was not measured"

_ADVICE: dict[Level, str] = {
    "none": "That is evidence for these data and this attack, not a proof of safety.",
    "slight": "Treat the vectors as internal data, and measure again when the encoder or the data change.",
    "substantial": "Treat the vectors as you treat the text: the same access rules, contracts and retention.",
    "severe": "Do not hand these vectors to anyone who may not read the text itself.",
    "unknown": "See what is missing; more documents make the intervals narrower.",
}


def judge(findings: Sequence[Finding], not_run: Sequence[NotApplicable], looked: Preflight | None = None) -> Verdict:
    """The gravest finding sets the level, one that cannot be trusted counting as unknown; each adds a sentence.

    What lies in clear beside the vectors comes first: no attack is needed to read it.
    """
    levels: list[Level] = ["unknown" if finding.warnings else finding.level for finding in findings]
    level: Level = max(levels, key=list(_HEADLINES).index) if levels else "unknown"
    gravest = {finding.probe for finding, reached in zip(findings, levels, strict=True) if reached == level}
    unread = _unread(findings, not_run)
    if level in ("none", "slight") and (unread or (gravest <= _PRESENCE and "unknown" in levels)):
        level, gravest = "unknown", set()
    headlines = _HEADLINES | (_OF_LABELS if gravest == {"attributes"} else {})
    headlines |= _OF_PRESENCE if gravest and gravest <= _PRESENCE else {}
    headlines |= {"unknown": f"{_UNREAD}."} if unread else {}
    answers = [sentence for finding in findings for sentence in (finding.warnings or (finding.summary,))]
    silence = [f"Not answered: {asked.question} ({asked.reason})" for asked in not_run if not findings]
    silence += [f"{_UNREAD}: {unread.reason}; {unread.remedy}."] if unread else []
    clear = [check.sentence for check in looked.named("plaintext") if check.level == "warning"] if looked else []
    return Verdict(level, headlines[level], (*clear, *answers, *silence, _ADVICE[level]))


def _unread(findings: Sequence[Finding], not_run: Sequence[NotApplicable]) -> NotApplicable | None:
    """The first question about words that stayed open, where some were answered but none of these."""
    if not findings or any(finding.probe not in _READ_NOTHING for finding in findings):
        return None
    return next((asked for asked in not_run if asked.probe not in _READ_NOTHING), None)
