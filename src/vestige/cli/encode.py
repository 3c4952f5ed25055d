"""`vestige encode`: encode texts into a file of vectors."""

from pathlib import Path
from typing import Annotated

import typer

from vestige.cli import options

Out = Annotated[Path, typer.Option(metavar="FILE", help="The file to write: .parquet or .npy, one row per text.")]

BLOCK_VALUES = 2**24
"""Numbers in a block of vectors, at most; bounds the memory of encoders with very long vectors."""


def encode(
    texts: options.TextFile,
    encoder: options.RequiredEncoder,
    out: Out = Path("vectors.parquet"),
    precision: options.Precision = "fp32",
    text_column: options.TextColumn = None,
    document_column: options.DocumentColumn = None,
    send: options.Send = False,
) -> None:
    """Encode texts into a file of vectors, one vector per text. Blank lines of a .txt file are skipped.

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
    from vestige.stores.write import check_vector_path, write_vectors
    from vestige.text.corpora import load_corpus, stream_texts

    check_vector_path(out)
    check_writable(out.parent)
    if out.exists():
        raise InputError(f"{out} already exists; choose another file with --out, or move it away")
    corpus = load_corpus(texts, text_column, document_column) if needs_corpus(encoder) else None
    loaded = load_encoder(encoder, corpus=corpus, precision=precision)
    stream = stream_texts(texts, text_column)
    if not send:
        refuse_unconfirmed_sending(loaded, stream)
    with progress_bars() as progress, report_interrupt():
        if isinstance(loaded, LearnedEncoder | SavedEncoder):
            columns = loaded.encode(["word"], progress=progress).shape[1]
            stream = replace(stream, block=min(stream.block, max(1, BLOCK_VALUES // columns)))
        with parts_folder(out.parent / f".{out.name}.parts") as parts:
            blocks = encode_blocks(loaded, stream, parts, total=stream.total, progress=progress)
            written = write_vectors(out, blocks, total=stream.total, scratch=parts / "whole")
    typer.echo(f"{out}: {written.rows:,} vectors of {written.columns:,} dimensions, by {loaded.name}")
    if written.zeros:
        typer.echo(f"{written.zeros:,} of them are zero: {loaded.name} knows no word of their texts")
    if spent := getattr(loaded, "spent", None):
        typer.echo(f"spent: {spent}")
