"""Measure the reading ease (Flesch) and the number of words of each page of the documentation.

usage: python tools/reading_ease.py COMMIT

Measures the pages of an older commit and those of the working tree, and writes results/docs/reading_ease.json, which
docs/decisions/docs-site.md shows. 60 to 70 is plain English; below 30 is an academic paper.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import textstat

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "results" / "docs" / "reading_ease.json"
SUCCESSORS = {
    "docs/attacks.md": ("docs/explanation/attacks/", "docs/reference/attacks.md"),
    "docs/attributes.md": ("docs/how-to/attributes.md",),
    "docs/ci.md": ("docs/tutorials/ci-gate.md", "docs/how-to/ci-platforms.md", "docs/how-to/compare.md"),
    "docs/corpora.md": ("docs/reference/corpora.md",),
    "docs/defenses.md": (
        *(f"docs/explanation/{name}.md" for name in ("defenses", "redaction", "secret-keys", "neighbours")),
        *("docs/reference/defenses.md", "docs/how-to/protect.md"),
    ),
    "docs/encoders.md": ("docs/reference/encoders.md", "docs/how-to/encode.md", "docs/how-to/remote-encoders.md"),
    "docs/guide.md": ("docs/index.md", "docs/tutorials/", "docs/explanation/read-a-report.md"),
    "docs/membership.md": ("docs/how-to/membership.md", "docs/explanation/attacks/membership.md"),
    "docs/owasp.md": ("docs/explanation/standards.md", "docs/explanation/personal-data.md"),
    "docs/patterns.md": ("docs/how-to/patterns.md", "docs/explanation/attacks/patterns.md"),
    "docs/reference.md": ("docs/reference/cli.md", "docs/reference/configuration.md", "docs/reference/environment.md"),
    "docs/reproduce.md": ("docs/papers/", "docs/how-to/reproduce.md"),
    "docs/statistics.md": ("docs/explanation/statistics.md",),
    "docs/stores.md": ("docs/reference/stores.md", "docs/tutorials/your-own-store.md"),
    "docs/threat-model.md": ("docs/explanation/threat-model.md",),
}
"""The pages, or folders, that took the place of a page of the old documentation."""

Measured = Mapping[str, Mapping[str, int]]
"""Words and reading ease by page."""


def extract_prose(page: str) -> str:
    """The sentences of a page: no code, tables, headings, comments, figures or addresses."""
    text = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    lines = [line for line in text.splitlines() if not re.match(r"\s*(\||#|!\[|!!!|:::|    )", line)]
    text = "\n".join(re.sub(r"^\s*(?:[-*>]|\d+\.)\s+", "", line) for line in lines)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[`*]", "", text).strip()


def measure(page: str) -> float:
    """The Flesch reading ease of the prose; 100 for a page without any."""
    prose = extract_prose(page)
    return float(textstat.flesch_reading_ease(prose)) if prose else 100.0


def measure_pages(pages: Mapping[str, str]) -> dict[str, dict[str, int]]:
    return {name: {"words": len(page.split()), "ease": round(measure(page))} for name, page in pages.items()}


def read_tree() -> dict[str, str]:
    """The pages of the working tree by their path."""
    paths = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def read_commit(commit: str) -> dict[str, str]:
    """The pages of a commit by their path."""
    listed = ask_git("ls-tree", "-r", "--name-only", commit, "README.md", "docs").split()
    return {path: ask_git("show", f"{commit}:{path}") for path in listed if path.endswith(".md")}


def ask_git(*question: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *question], capture_output=True, text=True, check=True).stdout


def write_record(commit: str) -> None:
    """Measure the pages of the commit and those of the working tree."""
    before = {"commit": ask_git("rev-parse", commit).strip(), "pages": measure_pages(read_commit(commit))}
    after = {"commit": ask_git("rev-parse", "HEAD").strip(), "pages": measure_pages(read_tree())}
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps({"before": before, "after": after}, indent=1) + "\n", encoding="utf-8")


def render_ease(_: str, results: Path) -> str:
    """Each old page next to those that took its place, then every page of today."""
    record = json.loads((results / "docs" / RECORD.name).read_text(encoding="utf-8"))
    before, after = record["before"]["pages"], record["after"]["pages"]
    rows = [f"| {describe(name, before).replace('`', '')} | {describe_successors(name, after)} |\n" for name in before]
    head = "| page before | words | ease | pages now | words | ease |\n|---|---|---|---|---|---|\n"
    listed = "".join(f"| {describe(name, after)} |\n" for name in after)
    commits = (record[side]["commit"][:10] for side in ("before", "after"))
    made = "Measured at the commits {} and {}.\n".format(*commits)
    return f"{head}{''.join(rows)}\n| page now | words | ease |\n|---|---|---|\n{listed}\n{made}"


def describe(name: str, pages: Measured) -> str:
    return f"`{name}` | {pages[name]['words']:,} | {pages[name]['ease']}"


def describe_successors(name: str, pages: Measured) -> str:
    """The pages that took the place of this one, their words together, and the lowest and highest ease."""
    places = SUCCESSORS.get(name, (name,))
    found = [page for each, page in pages.items() if each.startswith(places)]
    eases = sorted({page["ease"] for page in found})
    spread = f"{eases[0]} to {eases[-1]}" if len(eases) > 1 else f"{eases[0]}"
    return f"{', '.join(f'`{place}`' for place in places)} | {sum(page['words'] for page in found):,} | {spread}"


if __name__ == "__main__":
    write_record(sys.argv[1])
