"""Numbers of the documentation come from records: rendered, or typed and equal to a record that the page names."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
READ = [
    *(ROOT / name for name in ("README.md", "docs/index.md", "docs/glossary.md", "docs/view.md", "docs/scaling.md")),
    *(
        path
        for kind in ("tutorials", "how-to", "explanation", "decisions")
        for path in sorted((ROOT / "docs" / kind).rglob("*.md"))
    ),
]
NUMBER = re.compile(r"(?<![\w.:^])-?\d*\.\d{2,}(?![\w.])|(?<![\w.])\d+(?:\.\d+)?%")
RESULT_CELL = re.compile(r"(?<![\w.:])-?\d*\.\d+(?![\w.%])|(?<![\w.])\d+(?:\.\d+)?[%x]")
HIDDEN = (
    re.compile(r"<!-- [a-z-]+(?:: .*?)?\s-->\n.*?<!-- end -->", re.DOTALL),
    re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL),
    re.compile(r"^    .*$", re.MULTILINE),
    re.compile(r"`[^`\n]*`"),
)
"""Rendered parts, which other tests compare with their records, and code."""

CONSTANTS = {
    "95%": "the level of every interval",
    "3.11": "the version of Python",
    "0.30": "the limit of a severe finding, and of example gates",
    "0.10": "the limit of a substantial finding",
    "0.20": "an example of a gate",
    "0.50": "an example of a gate",
    "0.90": "an example of a gate",
    "0.01": "advice on small changes",
    "0.220": "half of a recorded value",
    "0.6": "the example of a leakage",
    "0.5": "guessing between two",
}
PAGE_CONSTANTS = {
    "docs/explanation/statistics.md": {"70%", "5%", "0.004", "0.005", "0.0034", "0.92", "0.98", "4.7", "4.8"},
    "docs/scaling.md": {"6.1"},
    "docs/decisions/dual-encoders.md": {"0.3"},
    "docs/explanation/attacks/membership.md": {"1%", "0.1%", "1.44"},
    "docs/decisions/memory-limit.md": {"80%"},
    "docs/decisions/guided-inversion.md": {"0.001", "0.0005", "0.003"},
    "docs/decisions/tried-membership.md": {"1.44"},
}
"""Settings of the program and mathematical constants; every other number is a result."""


def list_numbers(page: str) -> list[str]:
    """The results that are typed into a page."""
    for pattern in HIDDEN:
        page = pattern.sub("", page)
    return NUMBER.findall(page)


def list_results(path: Path) -> set[str]:
    """The typed numbers of a page that are no constants."""
    known = PAGE_CONSTANTS.get(str(path.relative_to(ROOT)), set())
    return set(list_numbers(path.read_text(encoding="utf-8"))) - set(CONSTANTS) - known


def read_records(page: str) -> list[float]:
    """All numbers of the records that a page names."""
    named = {ROOT / name for name in re.findall(r"results/\w+/[\w.-]+\.json", page)}
    named |= {ROOT / "results" / "bench" / f"{name}.json" for name in re.findall(r"python -m bench (\w+)", page)}
    found: list[float] = []
    for path in sorted(named):
        if path.is_file():
            found += map(float, re.findall(r"-?\d+\.\d+", path.read_text(encoding="utf-8")))
    return found


def is_recorded(shown: str, recorded: list[float]) -> bool:
    places = len(shown.rstrip("%").partition(".")[2])
    if shown.endswith("%"):
        return any(f"{100 * value:.{places}f}%" == shown for value in recorded)
    return any(f"{value:.{places}f}" == shown for value in recorded)


@pytest.mark.parametrize("path", READ, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_number_is_a_constant_or_recorded(path):
    page = path.read_text(encoding="utf-8")
    results = list_results(path)
    recorded = read_records(page)
    assert [shown for shown in sorted(results) if not is_recorded(shown, recorded)] == []


@pytest.mark.parametrize("path", READ, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_result_is_typed_into_a_table(path):
    known = PAGE_CONSTANTS.get(str(path.relative_to(ROOT)), set())
    assert list_typed_cells(path.read_text(encoding="utf-8"), known) == []


def list_typed_cells(page: str, known: set[str] = frozenset()) -> list[str]:
    """The rows of tables that are not rendered and have a result in a cell; constants are none."""
    for pattern in HIDDEN:
        page = pattern.sub("", page)
    rows = [line for line in page.splitlines() if line.startswith("|")]
    return [row for row in rows if set(RESULT_CELL.findall(row)) - set(CONSTANTS) - known]


def test_a_typed_cell_is_noticed():
    page = "<!-- bench: x\n| a | {b} |\n-->\n| a | 0.431 |\n<!-- end -->\n\n| a | 0.432 |\n| b | 1.7x |\n| c | 12 |\n"
    assert list_typed_cells(page) == ["| a | 0.432 |", "| b | 1.7x |"]


def test_an_invented_number_is_noticed():
    page = "Leakage is 0.123 (95%), see `results/audits/default.json`.\n\n<!-- severity: x -->\n0.456\n<!-- end -->\n"
    assert list_numbers(page) == ["0.123", "95%"]
    recorded = read_records(page)
    assert is_recorded("0.598", recorded)
    assert not is_recorded("0.1234", recorded)
