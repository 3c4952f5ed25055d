"""Parts of pages that quote recorded audits, from results/audits/.

The marks are listed in render_results.py.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import fill, wrap

from paper_tables import render_items
from record_audits import LEADERBOARD, QuotedFinding, read_audit, read_commands, read_leaderboard_record, read_whole

from vestige.audit.gate import parse_gate
from vestige.probes.plan import list_probes
from vestige.report.leaderboard_page import LEADERBOARD_TABLES
from vestige.types import Score

LABELS = {
    "words.f1": "F1 of recovered words",
    "words.leakage": "leakage: attack minus guessing",
    "names.f1": "F1 of recovered names",
    "names.leakage": "leakage: attack minus guessing",
    "keywords.accuracy": "accuracy on sensitive keywords (balanced)",
    "sentences.rouge_l": "reconstructed sentences, ROUGE-L",
}
HEADLINES = {"f1": "F1 of the attack", "rouge_l": "ROUGE-L of the attack"}


def render_audit_table(argument: str, results: Path) -> str:
    """Measures of one audit, next to guessing and the control."""
    name, _, shown = argument.partition(": ")
    record = read_audit(name, results / "audits")
    rows = ["| | attack | guessing | control |\n", "|---|---|---|---|\n"]
    for place in shown.split("; "):
        probe, _, measure = place.partition(".")
        rows.append(f"| {LABELS[place]} | {' | '.join(list_roles(record.result[probe], measure))} |\n")
    return f"{''.join(rows)}\n`{record.command}`; 95% intervals.\n"


def list_roles(finding: QuotedFinding, measure: str) -> list[str]:
    """Attack, prior and control of a measure; of the leakage itself there is only one."""
    if measure == "leakage":
        return [format_score(finding.leakage, bold=True), "", ""]
    one = next(each for each in finding.measures if each.name == measure)
    return [format_score(one.attack, bold=True), f"{one.prior.value:.3f}", f"{one.control.value:.3f}"]


def format_score(score: Score, *, bold: bool = False) -> str:
    value = f"**{score.value:.3f}**" if bold else f"{score.value:.3f}"
    return f"{value} ({score.low:.3f} to {score.high:.3f})"


def render_verdict(name: str, results: Path) -> str:
    """The verdict of an audit as a quotation."""
    verdict = read_audit(name, results / "audits").result.verdict
    return quote([f"**{verdict.headline}**", *verdict.sentences])


def render_advice(name: str, results: Path) -> str:
    """What the verdict of an audit recommends, as a quotation."""
    return quote(read_audit(name, results / "audits").result.verdict.sentences[-1:])


def render_summary(argument: str, results: Path) -> str:
    """The sentence of each probe as a quotation."""
    name, _, probes = argument.partition(": ")
    result = read_audit(name, results / "audits").result
    return quote([result[probe].summary for probe in probes.split("; ")])


def quote(sentences: Sequence[str]) -> str:
    return ">\n".join(fill(text, 116, initial_indent="> ", subsequent_indent="> ") + "\n" for text in sentences)


def render_severity(argument: str, results: Path) -> str:
    """The headline and the leakage of audits of one probe, a row per record: "RECORD = label; RECORD = label"."""
    named = [each.partition(" = ") for each in argument.split("; ")]
    records = [read_audit(name, results / "audits") for name, _, _ in named]
    headline = HEADLINES[records[0].result.findings[0].headline]
    rows = [f"| | {headline} | guessing | leakage | level |\n", "|---|---|---|---|---|\n"]
    for (_, _, label), record in zip(named, records, strict=True):
        (finding,) = record.result.findings
        one = next(each for each in finding.measures if each.name == finding.headline)
        scores = f"{one.attack.value:.3f} | {one.prior.value:.3f} | {format_score(finding.leakage)}"
        rows.append(f"| {label} | {scores} | {finding.level} |\n")
    return f"{''.join(rows)}\n`{records[0].command}`, and so on.\n"


def render_gate(argument: str, results: Path) -> str:
    """What a limit says of a recorded audit: "RECORD: words>0.30"."""
    name, _, expression = argument.partition(": ")
    findings = read_whole(name, results / "audits").findings
    outcome = parse_gate(expression, list_probes()).check(findings)
    return quote([f"`{expression}` {'held' if outcome.held else 'failed'}: {outcome.explanation}."])


def render_output(argument: str, results: Path) -> str:
    """What commands printed, or the lines of it that have one of these words: "RECORD: word; word"."""
    name, _, words = argument.partition(": ")
    record = read_commands(name, results / "commands")
    shown = [line for line in record.lines if not words or any(each in line for each in words.split("; "))]
    listed = "".join(f"{line}\n" for line in wrap_lines(shown))
    return f"```text\n{listed}```\n\n{render_items(f'`{each}`' for each in record.command.split('; '))}"


def wrap_lines(lines: Sequence[str], width: int = 88) -> list[str]:
    """Lines of at most so many characters, with their columns."""
    return [part for line in lines for part in wrap(line, width, subsequent_indent="    ") or [""]]


def render_leaderboard(table: str, results: Path) -> str:
    """One table of the recorded leaderboard, or how to record it."""
    if not (results / "audits" / f"{LEADERBOARD}.json").is_file():
        return f"Not recorded yet: `python tools/record_audits.py {LEADERBOARD}`.\n"
    record = read_leaderboard_record(results / "audits")
    blocks = LEADERBOARD_TABLES[table](record.result)
    return f"{blocks}\n\n`{record.command}`; 95% intervals.\n"


AUDIT_PARTS: dict[str, Callable[[str, Path], str]] = {
    "audit-table": render_audit_table,
    "audit-verdict": render_verdict,
    "audit-advice": render_advice,
    "audit-summary": render_summary,
    "severity": render_severity,
    "audit-gate": render_gate,
    "leaderboard": render_leaderboard,
    "output": render_output,
}
