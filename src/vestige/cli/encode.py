"""`vestige encode`: encode texts into a file of vectors."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vestige.cli import options
from vestige.cli.echo import echo

if TYPE_CHECKING:
    from vestige.text.other_columns import OtherColumns

Out = Annotated[Path, typer.Option(metavar="FILE", help="The file to write: .parquet or .npy, one row per text.")]

KeepText = Annotated[
    bool,
    typer.Option("--keep-text", metavar="", help="Also write the text column: plain text next to its vectors."),
]
KeptColumns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        help="The other columns to keep, such as id,label; .parquet only.",
        show_default="all but the text",
    ),
]

BLOCK_VALUES = 2**24
"""Numbers in a block of vectors, at most; bounds the memory of encoders with very long vectors."""


def encode(
    texts: options.TextFile,
    encoder: options.RequiredEncoder,
    out: Out = Path("vectors.parquet"),
    precision: options.Precision = "fp32",
    text_column: options.TextColumn = None,
    document_column: options.DocumentColumn = None,
    columns: KeptColumns = None,
    keep_text: KeepText = False,
    send: options.Send = False,
) -> None:
    """Encode texts into a file of vectors, one vector per text. Blank lines of a .txt file are skipped.

    A .parquet file also gets the other columns of the texts (ids, labels, dates), with their types. The text itself
    is left out: next to its vector it needs no attack.

    Texts are read, encoded and written in blocks: a million take no more memory than a few thousand.

    Run the same command again to resume a stopped run.
    """
    from dataclasses import replace

    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.encoders.endpoint.encoder import refuse_unconfirmed_sending
    from vestige.encoders.fitted import LearnedEncoder
    from vestige.encoders.load import load_encoder, needs_corpus
    from vestige.encoders.resumable import encode_blocks
    from vestige.encoders.saved import SavedEncoder
    from vestige.errors import InputError
    from vestige.files import check_writable, parts_folder
    from vestige.stores.write import COLUMN, check_vector_path, write_vectors
    from vestige.text.corpora import load_corpus, stream_texts
    from vestige.text.other_columns import find_other_columns

    check_vector_path(out)
    _check_columns(out, columns, keep_text=keep_text)
    check_writable(out.parent)
    if out.exists():
        raise InputError(f"{out} already exists; choose another file with --out, or move it away")
    corpus = load_corpus(texts, text_column, document_column) if needs_corpus(encoder) else None
    loaded = load_encoder(encoder, corpus=corpus, precision=precision)
    stream = stream_texts(texts, text_column)
    named = None if columns is None else [name.strip() for name in columns.split(",") if name.strip()]
    keeps = out.suffix == ".parquet"
    others = find_other_columns(stream, named, keep_text=keep_text, taken=COLUMN) if keeps else None
    if not send:
        refuse_unconfirmed_sending(loaded, stream)
    with progress_bars() as progress, report_interrupt():
        if isinstance(loaded, LearnedEncoder | SavedEncoder):
            dimension = loaded.encode(["word"], progress=progress).shape[1]
            stream = replace(stream, block=min(stream.block, max(1, BLOCK_VALUES // dimension)))
        with parts_folder(out.parent / f".{out.name}.parts") as parts:
            blocks = encode_blocks(loaded, stream, parts, total=stream.total, progress=progress)
            written = write_vectors(out, blocks, total=stream.total, scratch=parts / "whole", others=others)
    echo(f"{out}: {written.rows:,} vectors of {written.columns:,} dimensions, by {loaded.name}")
    _print_kept(others)
    if written.zeros:
        echo(f"{written.zeros:,} of them are zero: {loaded.name} knows no word of their texts")
    if spent := getattr(loaded, "spent", None):
        echo(f"spent: {spent}")


def _print_kept(others: "OtherColumns | None") -> None:
    """Name the kept columns, and warn of those that hold text."""
    if others is None:
        return
    echo(f"kept columns: {', '.join(others.schema.names)}")
    if others.prose:
        echo(f"warning: plain text in {', '.join(others.prose)}; choose what is kept with --columns", err=True)


def _check_columns(out: Path, columns: str | None, *, keep_text: bool) -> None:
    """Raise if columns are wanted in a file that holds vectors alone."""
    from vestige.errors import InputError

    if out.suffix == ".npy" and (columns is not None or keep_text):
        option = "--keep-text" if keep_text else "--columns"
        raise InputError(f"{out} holds vectors alone, and {option} keeps columns; name a .parquet file with --out")
