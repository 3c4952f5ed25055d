"""`vestige canaries`: made-up secrets go into the texts before training; what the encoder tells of them comes out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vestige.cli import options

if TYPE_CHECKING:
    from vestige.audit.canary_exposure import CanaryExposure
    from vestige.text.corpus import Corpus
    from vestige.types import Score

Source = Annotated[str, typer.Argument(help="The texts: .txt, .jsonl, .csv, .parquet, or a corpus by name.")]
PatternName = Annotated[
    str,
    typer.Option("--pattern", help="The format of the secrets, by name or as a TOML file; `vestige list` names them."),
]
Times = Annotated[str, typer.Option(help="How often secrets are planted, parted by commas.")]
Each = Annotated[int, typer.Option(help="How many secrets are planted so often, each with its own owner.")]
Out = Annotated[Path, typer.Option(help="The new file for the texts with the secrets in: .parquet, .csv or .jsonl.")]
NewKey = Annotated[Path, typer.Option("--key", help="The new file that tells what was planted, JSON.")]
Spec = Annotated[str, typer.Argument(metavar="ENCODER", help="The encoder trained on those texts, as saved:FOLDER.")]
Key = Annotated[Path, typer.Argument(metavar="KEY", help="The key that `vestige canaries plant` wrote.")]
Candidates = Annotated[int, typer.Option(help="Rank among all secrets of the format, or so many drawn at random.")]

canaries = typer.Typer(help="Plant made-up secrets before training; ask the encoder for them after.")


@canaries.command()
def plant(
    texts: Source,
    out: Out,
    key: NewKey,
    pattern: PatternName = "pass-phrase",
    times: Times = "1,4,16,64",
    each: Each = 20,
    seed: options.Seed = 0,
    text_column: options.TextColumn = None,
    document_column: options.DocumentColumn = None,
) -> None:
    """Write the texts with made-up secrets among them, and the key that tells which they are.

    Train on these texts, then ask with `vestige canaries score`. Keep the key away from the training.
    """
    from vestige.audit.canaries import plant_canaries
    from vestige.audit.canary_key import key_bytes
    from vestige.errors import InputError
    from vestige.files import check_writable, writable_folder, write_whole
    from vestige.text.named import load_corpus
    from vestige.text.write import check_corpus_path, write_corpus

    check_corpus_path(out)
    if key.exists() or key.resolve() == out.resolve():
        raise InputError(f"{key} is there already or is the file of the texts; name another with --key")
    for path in (out, key):
        check_writable(path.parent)
    corpus = load_corpus(texts, text_column, document_column)
    planted = plant_canaries(corpus, pattern, times=_numbers(times), each=each, seed=seed)
    write_whole(writable_folder(key.parent) / key.name, key_bytes(planted.key))
    write_corpus(planted.corpus, writable_folder(out.parent) / out.name)
    added = len(planted.corpus) - len(corpus)
    typer.echo(f"{out}: {len(corpus):,} texts of {corpus.name} and {added:,} canaries among them")
    typer.echo(f"{key}: {len(planted.key.secrets):,} secrets, and as many that were never planted")
    typer.echo(f"train with: vestige train SPEC --texts {out}{_columns(corpus)} --unit text --out FOLDER")
    typer.echo(f"then ask:   vestige canaries score saved:FOLDER {key}")


@canaries.command()
def score(
    encoder: Spec,
    key: Key,
    candidates: Candidates = 50_000,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
    send: options.Send = False,
) -> None:
    """Say how far a trained encoder lifts the planted secrets above the others of their format, in bits.

    Beside each stand two controls: a secret of another owner that was planted as often, and one never planted.
    """
    from vestige.audit.canary_exposure import canary_exposure
    from vestige.case.codec import dumps
    from vestige.cli.progress import progress_bars, told_when_stopped

    with progress_bars() as progress, told_when_stopped("stopped; nothing was kept"):
        found = canary_exposure(encoder, key, candidates=candidates, seed=seed, send=send, progress=progress)
    if as_json:
        typer.echo(dumps(found), nl=False)
        return
    _print(found)


def _print(found: "CanaryExposure") -> None:
    whole = found.scored == found.space
    among = "all of them ranked" if whole else f"ranked among {found.scored:,}, drawn at random"
    typer.echo(f"{found.encoder}: {found.pattern}, {found.space:,} secrets ({found.bits:.1f} bits), {among}")
    typer.echo(f"{'planted':>9}  {'its own secret':<24}{'that of another owner':<24}one never planted")
    for group in found.by_times:
        figures = "".join(f"{_said(figure):<24}" for figure in (group.own, group.others, group.never))
        typer.echo(f"{group.times:>9,}  {figures}{'exposed' if group.exposed else ''}".rstrip())
    typer.echo(
        f"mean bits of {found.by_times[0].own.n} secrets each, with 95% intervals; a secret that the encoder never met "
        f"has {found.baseline:.2f}"
    )
    if not whole:
        typer.echo(
            f"of so many candidates no more than {found.provable:.1f} bits are proved; "
            "the intervals count the error of the sample"
        )
    for line in _notes(found):
        typer.echo(line)


def _notes(found: "CanaryExposure") -> list[str]:
    """What a reader of the table could take wrongly."""
    notes = []
    if not any(group.exposed for group in found.by_times):
        notes.append(
            "no planted secret is exposed: the encoder was not trained on these texts, or learned too little of them "
            "for this ranking, which is no proof against a better one"
        )
    if any(group.exposed and group.others.low > max(group.never.high, found.baseline) for group in found.by_times):
        notes.append("the encoder knows planted secrets whoever is asked about: that they were there, if not whose")
    if sum(group.never.value for group in found.by_times) < len(found.by_times) * found.baseline / 2:
        notes.append(
            "secrets never planted are far below chance: the encoder cannot tell many candidates apart, and "
            "each that scores the same stands before the secret"
        )
    return notes


def _said(figure: "Score") -> str:
    return f"{figure.value:5.2f} ({figure.low:.2f} to {figure.high:.2f})"


def _columns(corpus: "Corpus") -> str:
    """The options by which the columns are found again, where their names alone do not tell."""
    from vestige.text.read import DOCUMENT_NAMES

    text, document = corpus.text_column, corpus.document_column
    said = "" if text in (None, "text") else f" --text-column {text}"
    return said if document in (None, *DOCUMENT_NAMES) else f"{said} --document-column {document}"


def _numbers(given: str) -> list[int]:
    from vestige.errors import InputError

    parts = [part.strip() for part in given.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise InputError(f"--times {given!r} is no list of whole numbers; expected some parted by commas, as 1,4,16,64")
    return [int(part) for part in parts]
