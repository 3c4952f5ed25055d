"""Draw the figures of docs/explanation/ as SVG files: boxes from left to right, and arrows between them.

usage: python tools/draw_figures.py [--check]

With --check nothing is written; the exit code is 1 if a file differs.
"""

import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
WIDTH, GAP, LINE, PAD, TOP = 196, 44, 19, 14, 16
COLOURS = {
    "given": ("#e0ecff", "#2f5fb3"),
    "attack": ("#fde7d3", "#b3591a"),
    "result": ("#e2f3e4", "#2c7a3f"),
    "hidden": ("#ececec", "#6b6b6b"),
}


class Box(NamedTuple):
    """A box: its kind decides the colour, the first line is the title."""

    kind: str
    title: str
    lines: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        """As high as its lines."""
        return 2 * PAD + LINE * (1 + len(self.lines))


Column = Sequence[Box]

FIGURES: dict[str, Sequence[Column]] = {
    "threat-model": (
        (
            Box("given", "Target vectors", ("stolen, shared or leaked",)),
            Box("given", "Pairs", ("text and vector of", "other documents")),
            Box("given", "The encoder", ("queries, and weights",)),
            Box("hidden", "Target texts", ("never given to an attack",)),
        ),
        (Box("attack", "Attack", ("fits on what it was given", "and predicts")),),
        (Box("result", "Guesses", ("words, names, labels ...",)),),
        (Box("result", "Score", ("guesses against the truth,", "with prior and control")),),
    ),
    "attack-words": (
        (
            Box("given", "Pairs", ("“bank closed my account”", "and its vector, ...")),
            Box("given", "Target vector", ("0.12  -0.40  0.07 ...",)),
        ),
        (Box("attack", "Learn each word", ("what does “bank” add", "to a vector?")),),
        (Box("attack", "Take apart", ("which words explain", "the target vector?")),),
        (Box("result", "Set of words", ("bank, account, fee",)),),
    ),
    "attack-sentences": (
        (
            Box("given", "Target vector"),
            Box("given", "Nearest known text", ("“they closed my card”",)),
        ),
        (Box("attack", "Edit one word", ("replace, insert,", "delete, move")),),
        (Box("given", "Ask the encoder", ("vector of the best edits",)),),
        (Box("attack", "Closer?", ("keep the edit,", "else try another")),),
        (Box("result", "Sentence", ("“they closed my account”",)),),
    ),
    "attack-keywords": (
        (
            Box("given", "Own texts", ("“the ... was late”",)),
            Box("given", "Keyword", ("“chest”",)),
        ),
        (Box("attack", "Insert the word", ("into half of the texts",)),),
        (Box("given", "Ask the encoder", ("vectors of all of them",)),),
        (Box("attack", "Classifier", ("with the word, or without?",)),),
        (Box("result", "Yes or no", ("for each target vector",)),),
    ),
    "attack-names": (
        (
            Box("given", "Pairs"),
            Box("given", "Target vector"),
            Box("given", "List of names", ("census, and a tagger",)),
        ),
        (Box("attack", "Attack on words", ("as for any other word",)),),
        (Box("attack", "Keep names", ("drop all other words",)),),
        (Box("result", "Names", ("Smith, Jones",)),),
    ),
    "attack-patterns": (
        (Box("given", "A known format", ("“born on {day}.{month}”",)),),
        (Box("attack", "Generate records", ("20,000 random ones",)),),
        (Box("given", "Ask the encoder", ("vectors of all records",)),),
        (Box("attack", "Learn each field", ("day, month, ...",)),),
        (Box("result", "Secret fields", ("of the target vector",)),),
    ),
    "attack-attributes": (
        (
            Box("given", "Labelled vectors", ("10 to 50 per author",)),
            Box("given", "Target vector"),
        ),
        (Box("attack", "A cloud per class", ("where do the vectors", "of an author gather?")),),
        (Box("attack", "Nearest cloud", ("with few labels,", "trust it less")),),
        (Box("result", "Author, or label", ("with a probability",)),),
    ),
    "attack-membership": (
        (
            Box("given", "Candidate text"),
            Box("given", "Search scores, or", ("the trained encoder",)),
        ),
        (Box("attack", "Score", ("how close is the best hit?", "do neighbours attract?")),),
        (Box("attack", "Threshold", ("set on other documents",)),),
        (Box("result", "Member, or not"),),
    ),
    "attack-few-queries": (
        (
            Box("given", "Own texts", ("of the same kind",)),
            Box("given", "Own encoder", ("without limits",)),
            Box("given", "Private encoder", ("200 queries",)),
        ),
        (Box("attack", "Choose queries", ("that cover the texts",)),),
        (Box("attack", "Learn a map", ("own vectors to", "private vectors")),),
        (Box("result", "Five words", ("for each target vector",)),),
    ),
    "attack-fingerprint": (
        (
            Box("given", "Target vectors"),
            Box("given", "Known encoders", ("MiniLM, USE, ...",)),
        ),
        (Box("attack", "A cloud per encoder", ("directions of its vectors",)),),
        (Box("attack", "Compare", ("with the cloud, and with", "mixed columns")),),
        (Box("result", "An encoder", ("or: none of these",)),),
    ),
}


def draw(columns: Sequence[Column]) -> str:
    """The figure as SVG; all boxes of a column point to the middle of the next."""
    heights = [sum(box.height + TOP for box in column) - TOP for column in columns]
    height = max(heights) + 2 * TOP
    width = len(columns) * (WIDTH + GAP) - GAP + 2 * TOP
    parts = []
    for place, column in enumerate(columns):
        x, y = TOP + place * (WIDTH + GAP), (height - heights[place]) / 2
        for box in column:
            parts.append(draw_box(box, x, y))
            if place + 1 < len(columns) and box.kind != "hidden":
                parts.append(draw_arrow(x + WIDTH, y + box.height / 2, x + WIDTH + GAP, height / 2))
            y += box.height + TOP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" width="{width}" role="img" '
        'font-family="sans-serif" font-size="13">\n'
        '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>\n'
        f'<rect width="{width}" height="{height:g}" rx="6" fill="#fff"/>\n{"".join(parts)}</svg>\n'
    )


def draw_box(box: Box, x: float, y: float) -> str:
    fill, stroke = COLOURS[box.kind]
    dash = ' stroke-dasharray="5 4"' if box.kind == "hidden" else ""
    paint = f'rx="6" fill="{fill}" stroke="{stroke}"{dash}'
    shape = f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{box.height}" {paint}/>'
    lines = [f'<text x="{x + WIDTH / 2:g}" y="{y + PAD + 13:g}" text-anchor="middle" font-weight="bold" fill="#111">']
    lines[0] += f"{escape(box.title)}</text>"
    for number, line in enumerate(box.lines, start=1):
        at = f'x="{x + WIDTH / 2:g}" y="{y + PAD + 13 + number * LINE:g}"'
        lines.append(f'<text {at} text-anchor="middle" fill="#333">{escape(line)}</text>')
    return "\n".join([shape, *lines]) + "\n"


def draw_arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    middle = (x1 + x2) / 2
    path = f"M{x1:g} {y1:g}C{middle:g} {y1:g} {middle:g} {y2:g} {x2 - 2:g} {y2:g}"
    return f'<path d="{path}" fill="none" stroke="#555" stroke-width="1.4" marker-end="url(#tip)"/>\n'


def list_outdated(folder: Path = FOLDER) -> list[Path]:
    """The files that differ from what would be drawn."""
    drawn = {folder / f"{name}.svg": draw(columns) for name, columns in FIGURES.items()}
    return [path for path, figure in drawn.items() if not path.is_file() or path.read_text("utf-8") != figure]


def write_figures(folder: Path = FOLDER) -> None:
    """Write every figure."""
    for name, columns in FIGURES.items():
        (folder / f"{name}.svg").write_text(draw(columns), encoding="utf-8")


if __name__ == "__main__":
    if "--check" in sys.argv:
        outdated = list_outdated()
        for path in outdated:
            print(f"{path} is outdated; run `make tables`")
        sys.exit(bool(outdated))
    write_figures()
