"""Render the lists of docs/ that say what a reproduction has in common with its paper, and how it differs.

usage: python tools/render_differences.py [--check]

A page marks the place with `<!-- differences: PAPER -->` and `<!-- end -->`; the lists are `KEPT` and `DIFFERS` in the
module `paper` of the paper. With --check nothing is written; the exit code is 1 if a page differs.
"""

import re
import sys
from importlib import import_module
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
MARKED = re.compile(r"(<!-- differences: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def render_page(page: str) -> str:
    """The page with every marked list rendered."""
    return MARKED.sub(lambda found: found[1] + render_differences(found[2]) + found[4], page)


def render_differences(paper: str) -> str:
    """Both lists of a paper."""
    module = import_module(f"vestige.papers.{paper}.paper")
    kept, differs = ("".join(f"- {line}\n" for line in lines) for lines in (module.KEPT, module.DIFFERS))
    return f"\nThe same:\n\n{kept}\nDiffers:\n\n{differs}\n"


def list_outdated(docs: Path = DOCS) -> list[Path]:
    """The pages that differ from the lists."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(docs.rglob("*.md"))}
    return [path for path, page in pages.items() if render_page(page) != page]


def main() -> None:
    outdated = list_outdated()
    if "--check" in sys.argv[1:]:
        sys.exit("\n".join(f"{path} differs; run make tables" for path in outdated))
    for path in outdated:
        path.write_text(render_page(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
