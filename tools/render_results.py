"""Render every result that the documentation shows from the records under results/.

usage: python tools/render_results.py [--check]

README.md, SECURITY.md and the pages below docs/ mark the place of a result, and end it with `<!-- end -->`:

    <!-- bench: RECORD -->                                    what a benchmark printed, as a list
    <!-- bench: RECORD                                        a table: each {...} is a number of the record, found by
    | map | recall@10 |                                       the words before it (see bench_parts.py)
    | `svd:192` | {svd:192 > recall@10} |
    -->
    <!-- makers: RECORD RECORD -->                            the commit that made each record of a benchmark
    <!-- measured: engine -->                                 rates, memory, kills: scaling_parts.py lists the names
    <!-- audit-table: RECORD: PROBE.MEASURE; PROBE.leakage --> measures next to guessing and the control
    <!-- audit-verdict: RECORD -->                            the verdict in words
    <!-- audit-advice: RECORD -->                             the last sentence of the verdict
    <!-- audit-summary: RECORD: PROBE; PROBE -->              the sentence of each probe, as a quotation
    <!-- audit-gate: RECORD: GATE -->                         what a limit says of it
    <!-- severity: RECORD = LABEL; RECORD = LABEL -->         scores and leakage, a row per record
    <!-- output: RECORD: WORD; WORD -->                       what commands printed, the lines with one of these words
    <!-- leaderboard: probes|lengths|forms -->                a table of the recorded leaderboard
    <!-- session: terminal|log -->                            what a recorded audit shows (record_session.py)
    <!-- reading-ease -->                                     reading ease of each page, before and after

The pages of docs/papers/ are written whole (paper_pages.py). With --check nothing is written; the exit code is 1 if a
page differs from its records.
"""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from audit_parts import AUDIT_PARTS
from bench_parts import render_bench, render_makers
from paper_pages import render_pages
from reading_ease import render_ease
from record_session import render_session
from scaling_parts import render_measured

ROOT = Path(__file__).resolve().parent.parent
RENDERERS: Mapping[str, Callable[[str, Path], str]] = {
    "bench": render_bench,
    "makers": render_makers,
    "measured": render_measured,
    "reading-ease": render_ease,
    "session": render_session,
    **AUDIT_PARTS,
}
"""By the name of a mark: a function of what follows the name, and of the folder of results."""

MARKED = re.compile(
    rf"(?P<mark><!-- (?P<kind>{'|'.join(RENDERERS)})(?:: (?P<argument>.*?))?\s-->\n).*?(?P<end><!-- end -->)", re.DOTALL
)


def list_pages(root: Path = ROOT) -> list[Path]:
    """The pages that may have marks."""
    return [root / "README.md", root / "SECURITY.md", *sorted((root / "docs").rglob("*.md"))]


def render_page(page: str, results: Path = ROOT / "results") -> str:
    """The page with every marked place rendered."""
    return MARKED.sub(
        lambda found: found["mark"] + RENDERERS[found["kind"]](found["argument"] or "", results) + found["end"], page
    )


def render_all(root: Path = ROOT) -> dict[Path, str]:
    """Every page by its path, as it should be."""
    written = {path: path.read_text(encoding="utf-8") for path in list_pages(root) if path.is_file()}
    rendered = {path: render_page(page, root / "results") for path, page in written.items()}
    whole = {root / "docs" / "papers" / name: page for name, page in render_pages(root / "results").items()}
    return rendered | whole


def list_outdated(root: Path = ROOT) -> list[Path]:
    """The pages that differ from their records."""
    return [
        path.relative_to(root)
        for path, page in render_all(root).items()
        if not path.is_file() or path.read_text(encoding="utf-8") != page
    ]


def main() -> None:
    """Write the pages, or only compare them."""
    if "--check" not in sys.argv[1:]:
        for path, page in render_all().items():
            path.write_text(page, encoding="utf-8")
    outdated = list_outdated()
    for path in outdated:
        print(f"{path} differs from its records; run `make tables`")
    sys.exit(bool(outdated))


if __name__ == "__main__":
    main()
