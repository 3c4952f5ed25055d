"""Render the tables of docs/ that list what the code declares: attacks, defenses, encoders, stores and probes.

usage: python tools/render_tables.py [--check]

A page marks the place with `<!-- table: NAME -->` and `<!-- end -->`. Columns that nothing in the code declares are
written by hand in the page: a rendered row takes them over from the row with the same first cell, and a new row has
them empty. With --check nothing is written; the exit code is 1 if a page differs or such a cell is empty. Plugins are
not part of the docs.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, get_args

from vestige.attacks.attack import ATTACKS
from vestige.defenses.catalogue import DEFENSES
from vestige.encoders.load import FAMILIES
from vestige.probes.plan import list_probes
from vestige.probes.probe import Probe
from vestige.registry import Entry, Registry
from vestige.stores.load import FILES, STORES
from vestige.text.redaction import KEYED, KINDS, Mode

DOCS = Path(__file__).resolve().parent.parent / "docs"
MARKED = re.compile(r"(<!-- table: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
CITED = re.compile(r" \([^()]*\d{4}(: (?P<label>[\w-]+))?\)$")
ROLES = ("attack", "baseline", "prior")
TITLES = {
    "LLM02:2025": "LLM02 Sensitive Information Disclosure",
    "LLM08:2025": "LLM08 Vector and Embedding Weaknesses",
    "AML.T0024.000": "AML.T0024.000 Infer Training Data Membership",
    "AML.T0024.001": "AML.T0024.001 Invert AI Model",
}

Row = tuple[str, ...]


class Table(NamedTuple):
    """The columns that the code declares, their rows, and the columns that are written by hand after them."""

    columns: Row
    rows: Callable[[], Iterable[Row]]
    by_hand: Row = ()

    def render(self, present: str) -> str:
        """The table as Markdown; `present` is the one in the page, from which columns written by hand are kept."""
        written = {row[0]: row[len(row) - len(self.by_hand) :] for row in parse_rows(present) if self.by_hand}
        head = self.columns + self.by_hand
        rows = [row + written.get(row[0], ("",) * len(self.by_hand)) for row in map(escape_row, self.rows())]
        return "".join([format_row(head), "|---" * len(head) + "|\n", *map(format_row, rows)])

    def list_gaps(self, present: str) -> Iterator[str]:
        """The first cells of the rows in which a cell written by hand is empty."""
        hand = len(self.by_hand)
        yield from (row[0] for row in parse_rows(present) if hand and not all(row[len(row) - hand :]))


def parse_rows(markdown: str) -> list[Row]:
    """The cells of a Markdown table, without its head."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    return [tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]) for line in lines[2:]]


def escape_row(row: Row) -> Row:
    return tuple(cell.replace("|", "\\|") for cell in row)


def format_row(row: Row) -> str:
    return "".join(f"| {cell} " if cell else "| " for cell in row) + "|\n"


def list_attacks() -> list[Row]:
    """The attacks, then the baselines, then the priors."""
    kinds = sorted((entry.load() for _, entry in list_builtin(ATTACKS)), key=lambda kind: ROLES.index(kind.info.role))
    return [
        (
            code(kind.info.name),
            code(kind.__name__),
            CITED.sub(lambda cited: f" ({cited['label']})" if cited["label"] else "", kind.info.summary),
            ", ".join(kind.info.access),
            kind.info.paper or "ours",
            ", ".join(map(code, kind.info.recipes)),
            f"{kind.info.role}, audited" if kind.info.audited else kind.info.role,
        )
        for kind in kinds
    ]


def list_defenses() -> list[Row]:
    """The defenses in alphabetical order. A spec that begins the summary is the first cell."""
    rows: list[Row] = []
    for name, entry in list_builtin(DEFENSES):
        info = entry.load().info
        spec, comma, what = info.summary.partition(", ") if info.summary.startswith(f"{name}:") else (name, "", "")
        summary = what if comma else info.summary
        rows.append(
            (code(spec), summary, info.needs, info.queries, info.secret or "none", info.paper or "common practice")
        )
    return sorted([*rows, describe_redaction()])


def describe_redaction() -> Row:
    """Redaction, which changes texts before they are encoded, and is tried like a defense of vectors."""
    kinds, modes = "+".join(KINDS[:2]), ", ".join(get_args(Mode))
    summary = f"texts are redacted, then encoded again; kinds: {', '.join(KINDS)}; modes: {modes}"
    keyed = f"the key of {' and '.join(KEYED)}"
    return code(f"redact:{kinds},mode={KEYED[0]}"), summary, "texts", "redacted", keyed, "common practice"


def list_encoders() -> list[Row]:
    """The families in the order in which they are declared."""
    return [
        (
            code(name),
            mark_spec(family.summary),
            "your texts, or a corpus" if family.learns else "",
            "yes" if family.public else "",
            code(family.extra) if family.extra else "",
        )
        for name, family in FAMILIES.items()
    ]


def list_stores() -> list[Row]:
    """Files by their extension, then stores."""
    entries = [*FILES.items(), *list_builtin(STORES)]
    return [
        (code(name), mark_spec(entry.summary), code(f"vestige[{entry.extra}]") if entry.extra else "")
        for name, entry in entries
    ]


def list_standards() -> list[Row]:
    """Every probe with the risks that it measures."""
    return [
        (code(probe.name), name_risks(probe.standards.owasp), name_risks(probe.standards.atlas))
        for probe in list_own_probes()
    ]


def list_measures() -> list[Row]:
    """Every probe with its question and its measures."""
    return [(code(probe.name), probe.question, ", ".join(map(code, probe.measures))) for probe in list_own_probes()]


def list_recipes() -> list[Row]:
    """Every published attack that an audit runs by name, with the probes that run it."""
    probes: dict[str, list[str]] = {}
    for probe in list_own_probes():
        for recipe in probe.list_recipes():
            probes.setdefault(recipe, []).append(code(probe.name))
    return [(code(recipe), ", ".join(named)) for recipe, named in probes.items()]


def list_builtin(registry: Registry) -> list[tuple[str, Entry]]:
    return [(name, entry) for name, entry in registry if entry.origin == "vestige"]


def list_own_probes() -> list[Probe]:
    return [probe for probe in list_probes() if type(probe).__module__.startswith("vestige.")]


def name_risks(ids: Iterable[str]) -> str:
    return "; ".join(TITLES.get(risk, risk) for risk in ids)


def code(written: str) -> str:
    return f"`{written}`"


def mark_spec(summary: str) -> str:
    """The summary with the spec that begins it, such as `st:NAME`, in backticks."""
    return re.sub(r"^[\w-]+:[^,; ]+(?=[,;]|$)", lambda spec: code(spec[0]), summary)


TABLES = {
    "attacks": Table(("name", "class", "what it does", "access", "paper", "recipes", "role"), list_attacks),
    "defenses": Table(
        ("spec", "what it does", "learns from", "search queries", "secret in its folder", "source"),
        list_defenses,
        by_hand=("what it promises",),
    ),
    "encoders": Table(("family", "what it is", "learns from", "public weights", "extra"), list_encoders),
    "stores": Table(("source", "what is read", "needs"), list_stores),
    "standards": Table(
        ("probe", "OWASP (LLM Top 10 2025, AISVS 1.0)", "MITRE ATLAS"),
        list_standards,
        by_hand=("question in an impact assessment (GDPR Art. 35)",),
    ),
    "recipes": Table(("recipe", "probes"), list_recipes),
    "measures": Table(("probe", "question", "measures"), list_measures),
}


def render_page(page: str) -> str:
    """The page with every marked table rendered."""
    return MARKED.sub(lambda mark: f"{mark[1]}{TABLES[mark[2]].render(mark[3])}{mark[4]}", page)


def find_gaps(page: str) -> list[str]:
    """The rows of the page in which a cell that is written by hand is empty."""
    return [gap for mark in MARKED.finditer(page) for gap in TABLES[mark[2]].list_gaps(mark[3])]


def find_outdated(folder: Path = DOCS) -> list[str]:
    """What differs between the pages and the declarations, one line each."""
    faults, used = [], set()
    for path in sorted(folder.rglob("*.md")):
        page = path.read_text(encoding="utf-8")
        used |= {mark[2] for mark in MARKED.finditer(page)}
        if render_page(page) != page:
            faults.append(
                f"{path.relative_to(folder)}: a table differs from the declarations; run python tools/render_tables.py"
            )
        faults += [
            f"{path.relative_to(folder)}: the last column of {gap} is empty; write it in the page"
            for gap in find_gaps(page)
        ]
    return faults + [f"no page has the table '{name}'" for name in sorted(TABLES.keys() - used)]


def write_pages(folder: Path = DOCS) -> None:
    for path in sorted(folder.rglob("*.md")):
        page = path.read_text(encoding="utf-8")
        rendered = render_page(page)
        if rendered != page:
            path.write_text(rendered, encoding="utf-8")
            print(f"{path}: written")


def main() -> None:
    if "--check" not in sys.argv[1:]:
        write_pages()
    faults = find_outdated()
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
