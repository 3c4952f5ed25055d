"""The texts of a corpus too large for memory, a block at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vestige.errors import InputError
from vestige.text.formats import read_blocks
from vestige.text.named import locate
from vestige.text.survey import Survey, as_text, find_text, survey


@dataclass(frozen=True, slots=True)
class TextStream:
    """The texts of a file in order, in lists of at most `block`; each loop over it reads the file anew.

    They are the texts that `load_corpus` gives. `total` counts them. No more than a block is in memory.
    """

    name: str
    path: Path
    text_column: str
    total: int
    block: int

    def __iter__(self) -> Iterator[list[str]]:
        given = 0
        for block in read_blocks(self.path, self.block, self.text_column):
            given += block.rows
            yield [as_text(value) for value in block.column(self.text_column)]
        if given != self.total:
            raise InputError(
                f"{self.path} gave {given} texts where it gave {self.total} before; leave the file as it is while it "
                "is read"
            )


def stream_texts(source: str | Path, text_column: str | None = None, *, block: int = 4096) -> TextStream:
    """The texts of a corpus by name or from a file, found and checked by the rules of `load_corpus`.

    The file is read through once before this returns: a line that cannot be read on the last page is said now
    and not after hours of work, the text column is chosen on all values, and the total is known. That pass costs
    microseconds a text. A gzipped parquet is unpacked to a temporary file at each pass.
    """
    if block < 1:
        raise InputError(f"the block is {block} texts; expected at least 1")
    found = locate(source)
    asked = text_column or found.text_column
    seen = _survey(found.path, block, asked)
    return TextStream(found.name, found.path, find_text(found.path, seen, asked), seen.rows, block)


def _survey(path: Path, block: int, asked: str | None) -> Survey:
    """Look at the column asked for alone, and at all of them when there is none to look at."""
    seen = survey(read_blocks(path, block, asked))
    return seen if asked is None or asked in seen.names else survey(read_blocks(path, block))
