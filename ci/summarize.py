"""Print the results of a job as short Markdown, without any text: the comparison, the gates, the leakage by probe.

The argument is the folder that audit.sh filled. A report that shows its texts is refused with exit code 2.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

LIMIT = 60_000
"""Characters; a comment may have 65,536."""

SHOWN = "the report shows its texts (show-text); remove that from the configuration: what CI publishes must be masked"


def escape(text: str) -> str:
    """Text that Markdown prints as it is, on one line."""
    escaped = re.sub(r"([\\`*_\[\]|~#!])", r"\\\1", " ".join(text.split()))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def format_finding(finding: dict[str, Any]) -> str:
    """The row of one probe. A finding with a warning decides nothing, so its level is unknown."""
    leakage = finding["leakage"]
    interval = f"{leakage['low']:.3f} to {leakage['high']:.3f}"
    level = f"unknown: {finding['warnings'][0]}" if finding["warnings"] else finding["level"]
    return f"| {escape(finding['probe'])} | {leakage['value']:.3f} ({interval}) | {escape(level)} |"


def summarize_audit(record: dict[str, Any]) -> list[str]:
    """The verdict, the gates and a row per probe."""
    gates = [
        f"- {'held' if gate['held'] else '**failed**'}: {escape(gate['gate'])}: {escape(gate['explanation'])}"
        for gate in record["gates"]
    ]
    skipped = [f"- not run: {escape(each['probe'])}: {escape(each['reason'])}" for each in record["not_run"]]
    pending = [f"- not finished: {escape(', '.join(record['pending']))}"] if record["pending"] else []
    rows = list(map(format_finding, record["findings"]))
    table = ["| Probe | Leakage (95% interval) | Level |", "|---|---|---|", *rows] if rows else []
    blocks = [[f"### Vestige: {escape(record['verdict']['headline'])}"], gates, table, [*skipped, *pending]]
    return ["\n".join(block) for block in blocks if block]


def summarize(folder: Path) -> str:
    """The summary of a job; raises ValueError if the report shows its texts."""
    report, compared = folder / "report.json", folder / "compare.md"
    if not report.exists():
        return "### Vestige: no result\n\nThe audit ended without a report. Its message is in the log of the job."
    record = json.loads(report.read_text(encoding="utf-8"))
    if record["settings"]["show_text"]:
        raise ValueError(SHOWN)
    changes = [compared.read_text(encoding="utf-8").rstrip()] if compared.exists() else []
    return "\n\n".join([*changes, *summarize_audit(record)])


def shorten(text: str) -> str:
    """Whole lines up to the limit."""
    if len(text) <= LIMIT:
        return text
    return text[: text.rindex("\n", 0, LIMIT)] + "\n\nThe rest is in the report."


def main() -> None:
    """Print the summary of the folder in the argument."""
    try:
        print(shorten(summarize(Path(sys.argv[1]))))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
