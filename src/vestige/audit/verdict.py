"""The verdict of an audit: its level, and the findings in plain words."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    "slight": "These vectors reveal a little about the labels of a text, not its words.",
    "substantial": "Whoever holds these vectors can often infer the labels of a text.",
    "severe": "Whoever holds these vectors can infer the labels of a text, such as its author.",
}
"""If only attributes reach the level."""

_OF_PRESENCE: dict[Level, str] = {
    "slight": "The vectors reveal that a text is stored or was trained on, or which encoder made them; not what a "
    "text says.",
}
"""If nothing else is revealed."""

_PRESENCE = {"membership", "membership-training", "fingerprint"}
"""These reveal no content, so they never outweigh a probe that was inconclusive."""

_NO_CONTENT = _PRESENCE | {"attributes"}
"""If only these ran, it is unknown how much of the text could be recovered."""

_UNMEASURED = "What a stranger could recover of the texts was not measured"

_ADVICE: dict[Level, str] = {
    "none": "That is evidence for these data and this attack, not a proof of safety.",
    "slight": "Treat the vectors as internal data, and measure again when the encoder or the data change.",
    "substantial": "Treat the vectors as you treat the text: the same access rules, contracts and retention.",
    "severe": "Do not hand these vectors to anyone who may not read the text itself.",
    "unknown": "See what is missing; more documents make the intervals narrower.",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """How many questions were asked, the probes that were not chosen or have not run yet, and notes on the texts."""

    asked: int = 0
    not_asked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()

    def limit(self, headline: str) -> str:
        """The headline, limited to what was asked, and to what has an answer."""
        questions = f"{self.asked} {'question' if self.asked == 1 else 'questions'} asked"
        limited = f"{headline[0].lower()}{headline[1:]}"
        if self.pending:
            return f"Incomplete: judged by {self.asked - len(self.pending)} of the {questions}: {limited}"
        return f"Judged by the {questions}: {limited}" if self.not_asked else headline

    def describe(self) -> tuple[str, ...]:
        """What was not asked, and the notes."""
        if not self.not_asked:
            return self.notes
        listed = ", ".join(self.not_asked)
        return (f"Not asked: {listed}. Run without --probe, or with --preset standard, to ask everything.", *self.notes)


def judge(
    findings: Sequence[Finding],
    not_run: Sequence[NotApplicable],
    preflight: Preflight | None = None,
    scope: Scope = Scope(),  # noqa: B008
) -> Verdict:
    """The most severe finding sets the level; one that cannot be trusted counts as unknown. Each adds a sentence.

    Plaintext that is stored with the vectors comes first: no attack is required to read it.
    """
    levels: list[Level] = ["unknown" if finding.warnings else finding.level for finding in findings]
    level: Level = max(levels, key=list(_HEADLINES).index) if levels else "unknown"
    gravest = {finding.probe for finding, reached in zip(findings, levels, strict=True) if reached == level}
    unmeasured = _find_unmeasured(findings, not_run)
    if level in ("none", "slight") and (unmeasured or (gravest <= _PRESENCE and "unknown" in levels)):
        level, gravest = "unknown", set()
    headlines = _HEADLINES | (_OF_LABELS if gravest == {"attributes"} else {})
    headlines |= _OF_PRESENCE if gravest and gravest <= _PRESENCE else {}
    headlines |= {"unknown": f"{_UNMEASURED}."} if unmeasured else {}
    answers = [sentence for finding in findings for sentence in (finding.warnings or (finding.summary,))]
    unanswered = [f"Not answered: {skipped.question} ({skipped.reason})" for skipped in not_run if not findings]
    unanswered += [f"{_UNMEASURED}: {unmeasured.reason}; {unmeasured.remedy}."] if unmeasured else []
    checks = preflight.named("plaintext") if preflight else ()
    plaintext = [check.sentence for check in checks if check.level == "warning"]
    sentences = (*plaintext, *answers, *unanswered, *scope.describe(), _ADVICE[level])
    return Verdict(level, scope.limit(headlines[level]), sentences)


def _find_unmeasured(findings: Sequence[Finding], not_run: Sequence[NotApplicable]) -> NotApplicable | None:
    """The first probe of content that did not run, if some probes ran but none of content."""
    if not findings or any(finding.probe not in _NO_CONTENT for finding in findings):
        return None
    return next((skipped for skipped in not_run if skipped.probe not in _NO_CONTENT), None)
