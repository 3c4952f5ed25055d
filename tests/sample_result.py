"""A made-up result of an audit, small but with everything that a report may contain."""

from dataclasses import replace

from vestige.audit.result import SCHEMA, AuditResult, GateOutcome
from vestige.audit.verdict import judge
from vestige.case.findings import Adversary, Bar, Chart, Example, Finding, Measure, NotApplicable, Strip, Subject, Token
from vestige.case.level import grade_leakage
from vestige.case.settings import Settings
from vestige.types import Score

HOSTILE = "<script>alert(1)</script>"
LONG_WORD = "donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunt"
SECRET = "zanzibar"

CROSS_DOMAIN = NotApplicable(
    "words-cross-domain",
    "Can a stranger who has only cross-domain text read your words?",
    "no cross-domain text was given",
    "name a corpus or a file that is not the owner's with --auxiliary",
)
SUBJECT = Subject(
    vectors=None,
    corpus="letters",
    encoder="minilm",
    auxiliary=None,
    trained_on=None,
    named=True,
    text_column="body",
    document_column=None,
    left_out=12,
    dimension=384,
    texts=35595,
    documents=5138,
    target_texts=1000,
    target_documents=642,
    digest="0123456789ab",
)


def score(value: float, *, half: float = 0.012, n: int = 1000, baseline: float | None = None) -> Score:
    return Score(value, value - half, value + half, n, baseline)


def measure(name: str, label: str, attack: float, prior: float, control: float) -> Measure:
    return Measure(name, label, *(score(value, baseline=prior) for value in (attack, prior, control)))


def example(show_text: bool) -> Example:
    """Six words, two of them recovered; the missed one is the secret that a masked report must not contain."""
    words = [("other", "the"), ("hit", "credit"), ("other", "of"), ("missed", SECRET), ("hit", "bank"), ("other", "is")]
    tokens = tuple(Token(state, text if show_text or state == "hit" else None) for state, text in words)
    return Example("typical", 0.545, tokens, 2)


def finding(*, probe: str = "words", leakage: float = 0.457, show_text: bool = False) -> Finding:
    """A finding whose attack gains `leakage` over guessing."""
    return Finding(
        probe,
        "Can a stranger who has similar text read your words?",
        "multi-label inversion, one linear classifier per word (Song and Raghunathan 2020, Eq. 8)",
        "f1",
        grade_leakage(score(leakage)),
        "A stranger who has similar text reads 58 of every 100 meaningful words of a text from its vector.",
        Strip("recall", "Of ten meaningful words in a text"),
        score(leakage, baseline=0.0),
        (
            measure("f1", "Words recovered (F1)", 0.09 + leakage, 0.090, 0.088),
            measure("precision", "Predicted words that are right (precision)", 0.0745 + leakage, 0.0745, 0.078),
            measure("recall", "Words of the text that are recovered (recall)", 0.128 + leakage, 0.128, 0.112),
        ),
        (
            Chart(
                "Which words are recovered: frequent or rare?",
                "Share of the words that the attack recovers. The mark on each bar is guessing.",
                (
                    Bar("rank 1 to 100", score(0.682, n=921, baseline=0.352)),
                    Bar("never seen by the attacker", Score(0.0, 0.0, 0.0, 229, 0.0)),
                ),
            ),
            Chart("The words that are recovered most reliably", "Words in at least 5 target texts.", ()),
        ),
        (example(show_text),),
        Adversary(("1,000 target vectors, without their texts", "12,000 pairs of text and vector"), 12000, 11873),
        (),
    )


def result(*findings: Finding, show_text: bool = False, not_run: tuple[NotApplicable, ...] = ()) -> AuditResult:
    """The result of an audit with these findings; without any, of an audit that could not measure anything."""
    settings = Settings(show_text=show_text)
    return AuditResult(SCHEMA, "0.1.0", judge(findings, not_run), findings, not_run, (), SUBJECT, settings)


def typical() -> AuditResult:
    """One finding, one probe that did not run, one limit that held and one that failed."""
    gates = (
        GateOutcome("words>0.30", False, "leakage of 'words' is 0.457 (95% interval 0.445 to 0.469)"),
        GateOutcome("words.recall>0.9", True, "recall of 'words' is 0.585 (95% interval 0.573 to 0.597)"),
    )
    return replace(result(finding(), not_run=(CROSS_DOMAIN,)), gates=gates)


def crowded() -> AuditResult:
    """Two findings, a warning, unmasked texts, and words so long or so hostile that a page could break."""
    found = finding(show_text=True)
    drawn = Chart(LONG_WORD, HOSTILE, (Bar(LONG_WORD, score(0.4)), Bar(HOSTILE, score(-0.31, n=7, baseline=1.6))))
    tokens = (Token("hit", LONG_WORD), Token("missed", LONG_WORD), Token("other", HOSTILE), Token("hit", HOSTILE))
    shown = Example(HOSTILE, 0.2, tokens * 3, 1)
    severe = replace(
        found, charts=(*found.charts, drawn), examples=(*found.examples, shown), warnings=(f"{HOSTILE} odd",)
    )
    mild = replace(
        finding(probe="words-cross-domain", leakage=0.004, show_text=True), question=f"{HOSTILE} {LONG_WORD}?"
    )
    whole = result(severe, mild, show_text=True)
    return replace(whole, subject=replace(SUBJECT, corpus=f"{HOSTILE}{LONG_WORD}.csv", encoder=HOSTILE))
