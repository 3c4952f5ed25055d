"""`vestige canaries`: plant made-up secrets before training; measure what the trained encoder reveals of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vestige.cli import options
from vestige.cli.echo import echo
from vestige.cli.option_groups import CommandApp

if TYPE_CHECKING:
    from vestige.audit.canary_exposure import CanaryExposure
    from vestige.text.corpus import Corpus
    from vestige.types import Score

PatternName = Annotated[
    str,
    typer.Option(
        "--pattern", metavar="FORMAT", help="The format of the secrets, or a TOML file; `vestige list` shows them."
    ),
]
Times = Annotated[str, typer.Option(metavar="COUNTS", help="How often secrets are planted, comma-separated.")]
Each = Annotated[int, typer.Option(metavar="N", help="Secrets per count, each with its own owner.")]
Out = Annotated[
    Path, typer.Option(metavar="FILE", help="The new file for texts and secrets: .parquet, .csv or .jsonl.")
]
NewKey = Annotated[Path, typer.Option("--key", metavar="FILE", help="The new JSON file that lists the secrets.")]
Spec = Annotated[str, typer.Argument(metavar="ENCODER", help="The encoder trained on those texts, as saved:FOLDER.")]
Key = Annotated[Path, typer.Argument(metavar="KEY", help="The key that `vestige canaries plant` wrote.")]
Candidates = Annotated[int, typer.Option(metavar="N", help="Rank each secret among this many of its format, at most.")]

canaries = CommandApp(help="Plant made-up secrets before training; measure what the encoder reveals of them.")


@canaries.command()
def plant(
    texts: options.TextFile,
    out: Out,
    key: NewKey,
    pattern: PatternName = "pass-phrase",
    times: Times = "1,4,16,64",
    each: Each = 20,
    seed: options.Seed = 0,
    text_column: options.TextColumn = None,
    document_column: options.DocumentColumn = None,
) -> None:
    """Add made-up secrets to the texts, and write the key that lists them.

    Train on the new texts, then run `vestige canaries score`. Keep the key away from the training.
    """
    from vestige.audit.canaries import plant_canaries, serialize_key
    from vestige.errors import InputError
    from vestige.files import check_writable, writable_folder, write_together
    from vestige.text.corpora import load_corpus
    from vestige.text.corpus import check_corpus_path, serialize_corpus

    check_corpus_path(out)
    if key.exists() or key.resolve() == out.resolve():
        raise InputError(f"{key} already exists or is the file of the texts; choose another file with --key")
    for path in (out, key):
        check_writable(path.parent)
    corpus = load_corpus(texts, text_column, document_column)
    planted = plant_canaries(corpus, pattern, times=_parse_counts(times), each=each, seed=seed)
    contents = {key: serialize_key(planted.key), out: serialize_corpus(planted.corpus, out)}
    write_together({writable_folder(path.parent) / path.name: content for path, content in contents.items()})
    added = len(planted.corpus) - len(corpus)
    echo(f"{out}: {len(corpus):,} texts of {corpus.name} and {added:,} canaries")
    echo(f"{key}: {len(planted.key.secrets):,} secrets, and as many that were not planted")
    echo(f"train with: vestige train SPEC --texts {out}{_format_columns(corpus)} --unit text --out FOLDER")
    echo(f"then run:   vestige canaries score saved:FOLDER {key}")


@canaries.command()
def score(
    encoder: Spec,
    key: Key,
    candidates: Candidates = 50_000,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    send: options.Send = False,
) -> None:
    """Measure how far a trained encoder ranks the planted secrets above others of their format, in bits.

    Two controls are shown next to each: a secret of another owner that was planted as often, and one never planted.
    """
    from vestige.audit.canary_exposure import canary_exposure
    from vestige.case.codec import dumps
    from vestige.cli.progress import progress_bars, report_interrupt

    with progress_bars() as progress, report_interrupt("stopped; nothing was saved"):
        exposure = canary_exposure(encoder, key, candidates=candidates, seed=seed, send=send, progress=progress)
    if as_json:
        echo(dumps(exposure), nl=False)
        return
    _print_exposure(exposure)


def _print_exposure(exposure: "CanaryExposure") -> None:
    complete = exposure.scored == exposure.space
    among = "all ranked" if complete else f"ranked among {exposure.scored:,}, drawn at random"
    echo(f"{exposure.encoder}: {exposure.pattern}, {exposure.space:,} secrets ({exposure.bits:.1f} bits), {among}")
    echo(f"{'planted':>9}  {'own secret':<24}{'of another owner':<24}never planted")
    for group in exposure.by_times:
        figures = "".join(f"{_format_score(figure):<24}" for figure in (group.own, group.others, group.never))
        echo(f"{group.times:>9,}  {figures}{'exposed' if group.exposed else ''}".rstrip())
    echo(
        f"mean bits of {exposure.by_times[0].own.n} secrets each, with 95% intervals; a secret that the encoder has "
        f"never seen has {exposure.baseline:.2f}"
    )
    if not complete:
        echo(
            f"with this many candidates, at most {exposure.provable:.1f} bits can be proved; "
            "the intervals include the error of the sample"
        )
    for line in _find_caveats(exposure):
        echo(line)


def _find_caveats(exposure: "CanaryExposure") -> list[str]:
    """Notes that keep a reader from misinterpreting the table."""
    notes = []
    if not any(group.exposed for group in exposure.by_times):
        notes.append(
            "no planted secret is exposed: the encoder was not trained on these texts, or learned too little from them "
            "for this ranking; a better ranking may still expose some"
        )
    if any(
        group.exposed and group.others.low > max(group.never.high, exposure.baseline) for group in exposure.by_times
    ):
        notes.append(
            "the encoder reveals that secrets were planted, though not whose: those of other owners rank high too"
        )
    if sum(group.never.value for group in exposure.by_times) < len(exposure.by_times) * exposure.baseline / 2:
        notes.append(
            "secrets never planted are far below chance: many candidates have the same score, and each of them "
            "ranks before the secret"
        )
    return notes


def _format_score(figure: "Score") -> str:
    return f"{figure.value:5.2f} ({figure.low:.2f} to {figure.high:.2f})"


def _format_columns(corpus: "Corpus") -> str:
    """The options that name the columns, where they cannot be detected."""
    from vestige.text.corpus import DOCUMENT_NAMES

    text, document = corpus.text_column, corpus.document_column
    named = "" if text in (None, "text") else f" --text-column {text}"
    return named if document in (None, *DOCUMENT_NAMES) else f"{named} --document-column {document}"


def _parse_counts(given: str) -> list[int]:
    from vestige.errors import InputError

    parts = [part.strip() for part in given.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise InputError(f"--times {given!r} is not a comma-separated list of whole numbers, such as 1,4,16,64")
    return [int(part) for part in parts]
