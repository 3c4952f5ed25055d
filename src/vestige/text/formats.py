"""One reader a format, found by the ending of the file's name."""

from collections.abc import Iterator
from pathlib import Path

from vestige.errors import InputError
from vestige.text.block import Block, Reader
from vestige.text.lines import check_filled
from vestige.text.parquet import parquet_blocks
from vestige.text.rows import csv_blocks, jsonl_blocks, txt_blocks

FORMATS: dict[str, Reader] = {
    ".txt": txt_blocks,
    ".jsonl": jsonl_blocks,
    ".csv": csv_blocks,
    ".parquet": parquet_blocks,
}


def read_blocks(path: Path, size: int, only: str | None = None) -> Iterator[Block]:
    """The rows of a file in order, at most `size` of them in memory; only one column where one is named."""
    suffix = next((part for part in reversed(path.suffixes) if part != ".gz"), "")
    if suffix not in FORMATS:
        raise InputError(
            f"{path} ends in '{suffix or path.suffix}'; expected one of {', '.join(FORMATS)}, each also with .gz"
        )
    check_filled(path)
    return FORMATS[suffix](path, size, only)
