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
    send: options.Send = False,
) -> None:
    """Encode texts into a file of vectors, row by row.

    Texts are read, encoded and written block by block, so that a million take no more memory than a few thousand.

    A run that was stopped goes on where it was when the same command is given again.
    """
    import shutil
    from dataclasses import replace

    from vestige.cli.progress import progress_bars, told_when_stopped
    from vestige.encoders.endpoint.consent import refuse_unasked_sending
    from vestige.encoders.load import learns, load_encoder
    from vestige.encoders.resumable import encode_blocks
    from vestige.files import check_writable, writable_folder
    from vestige.stores.write import check_vector_path, write_vectors
    from vestige.text.named import load_corpus
    from vestige.text.stream import stream_texts

    check_vector_path(out)
    check_writable(out.parent)
    corpus = load_corpus(texts, text_column) if learns(encoder) else None
    loaded = load_encoder(encoder, corpus=corpus, precision=precision)
    stream = stream_texts(texts, text_column)
    if not send:
        refuse_unasked_sending(loaded, stream)
    parts = writable_folder(out.parent / f".{out.name}.parts")
    with progress_bars() as progress, told_when_stopped():
        dimension = loaded.encode(["word"], progress=progress).shape[1]
        narrowed = replace(stream, block=min(stream.block, max(1, BLOCK_VALUES // dimension)))
        blocks = encode_blocks(loaded, narrowed, parts, total=stream.total, progress=progress)
        write_vectors(out, blocks, total=stream.total, scratch=parts / "whole")
    shutil.rmtree(parts)
    typer.echo(f"{out}: {stream.total:,} vectors of {dimension:,} dimensions, by {loaded.name}")
    if spent := getattr(loaded, "spent", None):
        typer.echo(f"spent: {spent}")
