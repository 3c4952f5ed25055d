"""`vestige encode`: from texts to a file of vectors."""

from pathlib import Path
from typing import Annotated

import typer

from vestige.cli import options

Source = Annotated[str, typer.Argument(help="The texts: .txt, .jsonl, .csv, .parquet, or a corpus by name.")]
BLOCK_VALUES = 2**24

Out = Annotated[Path, typer.Option(help="The file to write, .parquet or .npy, one row a text.")]


def encode(
    texts: Source,
    encoder: options.RequiredEncoder,
    out: Out = Path("vectors.parquet"),
    precision: options.Precision = "fp32",
    text_column: options.TextColumn = None,
    document_column: options.DocumentColumn = None,
    send: options.Send = False,
) -> None:
    """Encode texts into a file of vectors, one vector a text; blank lines of a .txt are skipped.

    Texts are read, encoded and written block by block, so that a million take no more memory than a few thousand.

    A run that was stopped goes on where it was when the same command is given again.
    """
    from dataclasses import replace

    from vestige.cli.progress import progress_bars, told_when_stopped
    from vestige.encoders.endpoint.consent import refuse_unasked_sending
    from vestige.encoders.learned import Learned
    from vestige.encoders.load import learns, load_encoder
    from vestige.encoders.resumable import encode_blocks
    from vestige.encoders.saved import SavedEncoder
    from vestige.errors import InputError
    from vestige.files import check_writable, parts_folder
    from vestige.stores.write import check_vector_path, write_vectors
    from vestige.text.named import load_corpus
    from vestige.text.stream import stream_texts

    check_vector_path(out)
    check_writable(out.parent)
    if out.exists():
        raise InputError(f"{out} is there already; name a file that is not with --out, or move it away")
    corpus = load_corpus(texts, text_column, document_column) if learns(encoder) else None
    loaded = load_encoder(encoder, corpus=corpus, precision=precision)
    stream = stream_texts(texts, text_column)
    if not send:
        refuse_unasked_sending(loaded, stream)
    with progress_bars() as progress, told_when_stopped():
        if isinstance(loaded, Learned | SavedEncoder):
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
