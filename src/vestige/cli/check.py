"""`vestige check`: check stored vectors before any attack."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import typer

from vestige.cli import options
from vestige.cli.echo import echo
from vestige.cli.option_groups import COMMON, grouped


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What is checked, against what, and how the result is printed."""

    panel: ClassVar[str] = COMMON
    source: options.Source
    texts: options.Texts = None
    encoder: options.Encoder = None
    sample: Annotated[int, typer.Option(metavar="N", help="Vectors to check, at most.", min=2)] = 20_000
    every_row: Annotated[
        bool,
        typer.Option(
            "--all",
            metavar="",
            help="Check every row, in bounded memory; only what compares vectors uses the sample.",
        ),
    ] = False
    seed: options.Seed = 0
    as_json: options.AsJson = False
    send: options.Send = False


@dataclass(frozen=True, kw_only=True)
class _Columns:
    """The columns of the source."""

    panel: ClassVar[str] = options.ColumnOptions.panel
    vector_column: options.VectorColumn = None
    id_column: options.IdColumn = None
    text_column: options.TextColumn = None
    attributes: Annotated[
        list[str] | None,
        typer.Option(
            "--attribute",
            metavar="COLUMN",
            help="Check this column besides the text and the vectors. Repeatable.",
            show_default="all",
        ),
    ] = None


@grouped
def check(common: _Common, named: _Columns, where: options.EngineOptions) -> None:
    """Check stored vectors before an audit: plain text next to them, and faults of the vectors.

    If the texts are available, a few of them are encoded again, and any difference is explained.

    Nothing in the store is changed. The exit code is 1 if a check fails, and 2 if the store cannot be read.
    """
    from vestige.case.codec import dumps
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.cli.terminal import print_preflight
    from vestige.encoders.load import load_encoder, needs_corpus
    from vestige.errors import InputError
    from vestige.preflight import VectorSample, check_vectors
    from vestige.preflight.whole import read_whole
    from vestige.stores.columns import Columns
    from vestige.stores.load import open_store
    from vestige.text.corpora import load_corpus

    corpus = None if common.texts is None else load_corpus(common.texts, named.text_column)
    columns = Columns(
        vectors=named.vector_column,
        ids=named.id_column,
        texts=named.text_column if corpus is None else None,
        attributes=tuple(named.attributes) if named.attributes else None,
    )
    if where.engine != "local" and not common.every_row:
        raise InputError("a sample needs no cluster; add --all to check every row, or drop --engine ray")
    encoder = None
    if common.encoder is not None:
        encoder = load_encoder(common.encoder, corpus=corpus if needs_corpus(common.encoder) else None)
    with progress_bars() as progress, report_interrupt("stopped; the store is as it was, run the same command again"):
        whole = None
        if common.every_row:
            with where.open(progress) as engine:
                whole = read_whole(
                    common.source, columns, common.sample, common.seed, texts=corpus, engine=engine, progress=progress
                )
            sample = whole.sample
        else:
            with open_store(common.source, columns) as store:
                sample = VectorSample.from_store(store, common.sample, common.seed, corpus)
        result = check_vectors(sample, encoder, seed=common.seed, send=common.send, whole=whole, progress=progress)
    if common.as_json:
        echo(dumps(result), nl=False)
    else:
        print_preflight(result)
    if result.failed:
        raise typer.Exit(1)
