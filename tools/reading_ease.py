"""Print the reading ease (Flesch) and the number of words of each page of the documentation.

usage: python tools/reading_ease.py [COMMIT]

With a commit, its pages are listed as well. 60 to 70 is plain English; below 30 is an academic paper.
"""

import re
import subprocess
import sys
from pathlib import Path

import textstat

ROOT = Path(__file__).resolve().parent.parent


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


def read_commit(commit: str) -> dict[str, str]:
    """The pages of a commit by their path."""
    listed = ask_git("ls-tree", "-r", "--name-only", commit, "README.md", "docs").split()
    return {path: ask_git("show", f"{commit}:{path}") for path in listed if path.endswith(".md")}


def ask_git(*question: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *question], capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Print a table for the commit, if one is given, and one for the working tree."""
    now = {str(path.relative_to(ROOT)): path for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]}
    tables = {commit: read_commit(commit) for commit in sys.argv[1:2]}
    tables["now"] = {name: path.read_text(encoding="utf-8") for name, path in now.items()}
    for title, pages in tables.items():
        print(f"| {title} | words | Flesch |\n|---|---|---|")
        for name, page in pages.items():
            print(f"| {name} | {len(page.split()):,} | {measure(page):.0f} |")
        print(f"| all | {sum(len(page.split()) for page in pages.values()):,} | |\n")


if __name__ == "__main__":
    main()
