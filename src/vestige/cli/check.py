"""`vestige check`: what can be told of a store before any attack is run."""

from typing import Annotated

import typer

from vestige.cli import options

Source = Annotated[
    str,
    typer.Argument(
        help="The vectors: a file (.npy, .npz, .parquet, .arrow, .jsonl, .csv, .h5) or a store as KIND:WHERE#NAME, "
        "such as chroma:FOLDER#COLLECTION."
    ),
]
Sampled = Annotated[int, typer.Option("--sample", help="How many vectors to look at, at most.", min=2)]
Attributes = Annotated[
    list[str] | None,
    typer.Option("--attribute", help="A column to look into besides. May be repeated. [default: all but vectors]"),
]


def check(
    source: Source,
    texts: options.Texts = None,
    encoder: options.Encoder = None,
    sample: Sampled = 20_000,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    vector_column: options.VectorColumn = None,
    text_column: options.TextColumn = None,
    id_column: options.IdColumn = None,
    attributes: Attributes = None,
    send: options.Send = False,
) -> None:
    """Look into a store before it is audited: what lies in clear beside the vectors, and what is wrong with them.

    Where the texts are there, the encoder is asked for a few of them, and what differs is explained.

    Nothing in the store is changed. Exit code 1 when a check is an error, 2 when the store cannot be read.
    """
    from vestige.case.codec import dumps
    from vestige.case.randomness import stream
    from vestige.cli.checked import print_preflight
    from vestige.cli.progress import progress_bars, told_when_stopped
    from vestige.encoders.load import learns, load_encoder
    from vestige.preflight import Specimen, preflight
    from vestige.stores.load import open_store
    from vestige.stores.records import Columns
    from vestige.text.named import load_corpus

    corpus = None if texts is None else load_corpus(texts, text_column)
    asked = Columns(
        vectors=vector_column,
        ids=id_column,
        texts=text_column if texts is None else None,
        attributes=tuple(attributes) if attributes else None,
    )
    with open_store(source, asked) as store:
        specimen = Specimen.of_store(store, sample, stream(seed, "preflight"), corpus)
    loaded = None if encoder is None else load_encoder(encoder, corpus=corpus if learns(encoder) else None)
    with progress_bars() as progress, told_when_stopped("stopped"):
        result = preflight(specimen, loaded, seed=seed, send=send, progress=progress)
    if as_json:
        typer.echo(dumps(result), nl=False)
    else:
        print_preflight(result)
    if result.failed:
        raise typer.Exit(1)
