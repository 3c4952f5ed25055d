"""Render the parts of docs/ and README.md that quote recorded audits, from results/audits/.

usage: python tools/render_audits.py [--check]

A page marks a place and ends it with `<!-- end -->`:

    <!-- audit-table: RECORD: PROBE.MEASURE; PROBE.leakage -->   measures next to guessing and the control
    <!-- audit-verdict: RECORD -->                               the verdict in words
    <!-- audit-advice: RECORD -->                                the last sentence of the verdict
    <!-- audit-summary: RECORD: PROBE; PROBE -->                 the sentence of each probe, as a quotation
    <!-- severity: RECORD; RECORD -->                            F1 and leakage of words, a row per record
    <!-- leaderboard: probes|lengths|forms -->                   a table of the recorded leaderboard

With --check nothing is written; the exit code is 1 if a page differs.
"""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import fill

from record_audits import LEADERBOARD, RESULTS, QuotedFinding, read_audit, read_leaderboard_record

from vestige.report.leaderboard_page import LEADERBOARD_TABLES
from vestige.types import Score

ROOT = Path(__file__).resolve().parent.parent
MARKED = re.compile(
    r"(<!-- (audit-[a-z]+|severity|leaderboard): ([^\n]*?) -->\n)(.*?)(<!-- end -->)",
    re.DOTALL,
)
LABELS = {
    "words.f1": "F1 of recovered words",
    "words.leakage": "leakage: attack minus guessing",
    "keywords.accuracy": "accuracy on sensitive keywords (balanced)",
    "sentences.rouge_l": "reconstructed sentences, ROUGE-L",
}
NAMES = {
    "encoder-tfidf-2048": "`tfidf:2048`, word counts",
    "encoder-wordllama": "`wordllama`, a static model",
    "encoder-minilm": "`minilm`, a sentence transformer",
    "length-5-10": "sentences of 5 to 10 words",
    "length-21-40": "sentences of 21 to 40 words",
    "knowledge-pairs-500": "500 pairs of the same kind",
}
KNOWN = {"encoder-minilm": "2,000 pairs, and the encoder with its weights"}
"""The name of a record in a table of what attackers know."""


def render_audit_table(argument: str, folder: Path) -> str:
    """Measures of one audit, next to guessing and the control."""
    name, _, shown = argument.partition(": ")
    record = read_audit(name, folder)
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


def render_verdict(name: str, folder: Path) -> str:
    """The verdict of an audit as a quotation."""
    verdict = read_audit(name, folder).result.verdict
    return quote([f"**{verdict.headline}**", *verdict.sentences])


def render_advice(name: str, folder: Path) -> str:
    """What the verdict of an audit recommends, as a quotation."""
    return quote(read_audit(name, folder).result.verdict.sentences[-1:])


def render_summary(argument: str, folder: Path) -> str:
    """The sentence of each probe as a quotation."""
    name, _, probes = argument.partition(": ")
    result = read_audit(name, folder).result
    return quote([result[probe].summary for probe in probes.split("; ")])


def quote(sentences: Sequence[str]) -> str:
    return ">\n".join(fill(text, 116, initial_indent="> ", subsequent_indent="> ") + "\n" for text in sentences)


def render_severity(names: str, folder: Path) -> str:
    """F1 and leakage of words, a row per record."""
    rows = ["| | F1 of the attack | guessing | leakage | level |\n", "|---|---|---|---|---|\n"]
    records = names.split("; ")
    for name in records:
        (words,) = read_audit(name, folder).result.findings
        f1 = next(each for each in words.measures if each.name == words.headline)
        label = KNOWN.get(name, NAMES[name]) if records[0].startswith("knowledge") else NAMES[name]
        cells = f"{f1.attack.value:.3f} | {f1.prior.value:.3f} | {format_score(words.leakage)} | {words.level}"
        rows.append(f"| {label} | {cells} |\n")
    return f"{''.join(rows)}\n`{read_audit(records[0], folder).command}`, and so on.\n"


def render_leaderboard(table: str, folder: Path) -> str:
    """One table of the recorded leaderboard, or how to record it."""
    if not (folder / f"{LEADERBOARD}.json").is_file():
        return f"Not recorded yet: `python tools/record_audits.py {LEADERBOARD}`.\n"
    record = read_leaderboard_record(folder)
    blocks = LEADERBOARD_TABLES[table](record.result)
    return f"{blocks}\n\n`{record.command}`; 95% intervals.\n"


RENDERERS: dict[str, Callable[[str, Path], str]] = {
    "audit-table": render_audit_table,
    "audit-verdict": render_verdict,
    "audit-advice": render_advice,
    "audit-summary": render_summary,
    "severity": render_severity,
    "leaderboard": render_leaderboard,
}


def render_page(page: str, folder: Path = RESULTS) -> str:
    """The page with every marked place rendered."""
    return MARKED.sub(lambda found: found[1] + RENDERERS[found[2]](found[3], folder) + found[5], page)


def list_pages(root: Path = ROOT) -> list[Path]:
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def list_outdated(root: Path = ROOT) -> list[Path]:
    """The pages that differ from the records."""
    pages = {path: path.read_text(encoding="utf-8") for path in list_pages(root)}
    return [path for path, page in pages.items() if render_page(page, root / "results" / "audits") != page]


def write_pages(root: Path = ROOT) -> None:
    """Render every page that differs."""
    for path in list_outdated(root):
        page = render_page(path.read_text(encoding="utf-8"), root / "results" / "audits")
        path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    if "--check" in sys.argv:
        outdated = list_outdated()
        for path in outdated:
            print(f"{path} differs from the records; run `make tables`")
        sys.exit(bool(outdated))
    write_pages()
