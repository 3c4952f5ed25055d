"""What lies beside the vectors in clear: whoever reads the store needs no attack for that."""

from collections.abc import Iterator, Sequence

import numpy as np

from vestige.case.specimen import Specimen
from vestige.preflight.marks import KINDS, masked, persons_in
from vestige.preflight.nested import longest_of, strings_of
from vestige.preflight.result import Check
from vestige.text.prose import read_as_text

SIGNS, CELLS, FEWEST_ROWS = 3_000_000, 20_000, 50
"""About so many characters and cells are read in all, but so many rows of each column at least."""

LONGEST = 10_000

SHOWN = 2
SLIGHT = ("web addresses",)


def check_plaintext(specimen: Specimen) -> Iterator[Check]:
    """Texts, then addresses, numbers, files and names of persons, column by column, inside of nested ones too."""
    strings = {
        path: cells for name, values in specimen.beside.items() for path, cells in strings_of(name, values).items()
    }
    found = [check for name, cells in strings.items() for check in _of_column(name, cells, len(strings))]
    yield from sorted(found, key=lambda check: check.name != "plaintext")
    if not any(check.name == "plaintext" for check in found):
        rest = "personal data" if not found else "text of any length"
        beside = (
            f"{len(specimen.beside):,} column{'s' if len(specimen.beside) > 1 else ''}"
            if specimen.beside
            else "nothing"
        )
        yield Check("plaintext", "ok", f"Beside the vectors: {beside}; no {rest} was found in clear.")


def _of_column(name: str, cells: Sequence[str], columns: int) -> Iterator[Check]:
    filled, longest = sum(map(bool, cells)) / len(cells), [longest_of(cell) for cell in cells]
    if read_as_text(longest):
        words = float(np.mean([len(cell.split()) for cell in longest if cell]))
        yield Check(
            "plaintext",
            "warning",
            f"Column '{name}' holds text in clear in {filled:.0%} of rows, {words:.0f} words each on average: whoever "
            "can read the store reads it there, and needs no attack on the vectors.",
            {"share": filled, "words": words},
            _examples(longest),
        )
    read = _some([cell[:LONGEST] for cell in cells], columns)
    different = list(dict.fromkeys(read))
    told = {kind: [find(cell) for cell in different] for kind, find in KINDS.items()}
    told["names of persons"] = persons_in(different)
    for kind, hits in told.items():
        holding = {cell for cell, hit in zip(different, hits, strict=True) if hit is not None}
        share = sum(cell in holding for cell in read) / len(read)
        if share:
            yield Check(
                "personal",
                "note" if kind in SLIGHT else "warning",
                f"Column '{name}' holds {kind} in clear in {_percent(share)} of rows.",
                {"share": share, "rows": len(read)},
                _examples([hit or "" for hit in hits]),
            )


def _some(cells: Sequence[str], columns: int) -> list[str]:
    """Cells from all over a column, its share of what is read."""
    length = max(sum(map(len, cells)) / len(cells), SIGNS / CELLS)
    most = max(FEWEST_ROWS, int(SIGNS / columns / length))
    rows = np.linspace(0, len(cells) - 1, num=min(most, len(cells)), dtype=int)
    return [cells[row] for row in rows.tolist()]


def _examples(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(masked(cell) for cell in cells if cell))[:SHOWN]


def _percent(share: float) -> str:
    return f"{share:.1%}" if share < 0.1 else f"{share:.0%}"
