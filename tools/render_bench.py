"""Render the parts of docs/ that quote recorded benchmarks, from results/bench/.

usage: python tools/render_bench.py [--check]

A page marks a place with `<!-- bench: NAME -->` and `<!-- end -->`: it holds what the benchmark printed. With --check
nothing is written; the exit code is 1 if a page differs.
"""

import json
import re
import sys
from pathlib import Path

from render_results import render_items

ROOT = Path(__file__).resolve().parent.parent
MARKED = re.compile(r"(<!-- bench: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def render_bench(name: str, root: Path = ROOT) -> str:
    """What a benchmark printed, as a list, and on which machine."""
    record = json.loads((root / "results" / "bench" / f"{name}.json").read_text(encoding="utf-8"))
    where = record["environment"]
    made = f"`python -m bench {name} --record`, {where['cores']} cores of {where['processor']}"
    return f"{render_items(record['lines'])}\n{made} (`results/bench/{name}.json`).\n"


def render_page(page: str, root: Path = ROOT) -> str:
    """The page with every marked place rendered."""
    return MARKED.sub(lambda found: found[1] + render_bench(found[2], root) + found[4], page)


def list_outdated(root: Path = ROOT) -> list[Path]:
    """The pages that differ from the records."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted((root / "docs").rglob("*.md"))}
    return [path for path, page in pages.items() if render_page(page, root) != page]


def write_pages(root: Path = ROOT) -> None:
    """Render every page that differs."""
    for path in list_outdated(root):
        path.write_text(render_page(path.read_text(encoding="utf-8"), root), encoding="utf-8")


if __name__ == "__main__":
    if "--check" in sys.argv:
        outdated = list_outdated()
        for path in outdated:
            print(f"{path} differs from the records; run `make tables`")
        sys.exit(bool(outdated))
    write_pages()
