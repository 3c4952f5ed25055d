"""`vestige audit`: from vectors or texts to one page."""

from pathlib import Path
from typing import Annotated

import typer

from vestige.audit.settings import FEWEST_PAIRS, FEWEST_TARGETS, Recipe, Settings, Unit

DEFAULTS = Settings()


def audit(
    vectors: Annotated[
        Path | None, typer.Argument(help="The vectors to audit, .npy or .parquet, one row a text.", show_default=False)
    ] = None,
    texts: Annotated[
        str | None,
        typer.Option(
            help="The texts behind the vectors: .txt, .jsonl, .csv, .parquet, or a corpus by name.", show_default=False
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(help="The encoder that makes the vectors; `vestige list` names them.", show_default=False),
    ] = None,
    auxiliary: Annotated[
        str | None,
        typer.Option(
            help="Text from elsewhere, for a stranger who has none like yours; file or name.", show_default=False
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder for the report and for what a stopped run leaves.")] = Path(
        "vestige-audit"
    ),
    seed: Annotated[int, typer.Option(help="The same seed gives the same figures.", min=0)] = 0,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            help='A limit, such as "words>0.30"; exit code 1 when it is passed. May be repeated.', show_default=False
        ),
    ] = None,
    show_text: Annotated[
        bool, typer.Option("--show-text", help="Put the example texts into the report unmasked.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON on standard output.")] = False,
    targets: Annotated[int, typer.Option(help="Vectors to attack, at most.", min=FEWEST_TARGETS)] = DEFAULTS.targets,
    pairs: Annotated[
        int, typer.Option(help="How many pairs of text and vector the stranger has, at most.", min=FEWEST_PAIRS)
    ] = DEFAULTS.pairs,
    unit: Annotated[
        Unit, typer.Option(help="Cut texts into sentences before encoding, or take them whole.")
    ] = DEFAULTS.unit,
    shortest: Annotated[int, typer.Option(help="Fewest words of a sentence.", min=1)] = DEFAULTS.shortest,
    longest: Annotated[int, typer.Option(help="Most words of a sentence.", min=1)] = DEFAULTS.longest,
    recipe: Annotated[
        Recipe, typer.Option(help="Train the attack our way, or with the settings that its paper states.")
    ] = DEFAULTS.recipe,
    vocabulary_size: Annotated[
        int, typer.Option(help="How many words the stranger looks for, at most.", min=1)
    ] = DEFAULTS.vocabulary_size,
    text_column: Annotated[
        str | None, typer.Option(help="The column of --texts that holds the text.", show_default=False)
    ] = None,
    document_column: Annotated[
        str | None,
        typer.Option(help="The column of --texts that names the document a row belongs to.", show_default=False),
    ] = None,
    auxiliary_column: Annotated[
        str | None, typer.Option(help="The column of --auxiliary that holds the text.", show_default=False)
    ] = None,
) -> None:
    """Measure what a stranger could read out of text embeddings, and write one page about it.

    With no arguments the embedded corpus and encoder are audited. Give VECTORS and --texts to audit vectors you have,
    or --texts and --encoder to audit vectors you would make. Nothing leaves the machine.
    """
    from vestige.audit.run import audit as run_audit
    from vestige.cli.progress import progress_bars, told_when_stopped
    from vestige.cli.summary import print_summary
    from vestige.errors import InputError
    from vestige.files import check_writable
    from vestige.report.write import write_report

    check_writable(out)
    settings = Settings(
        seed=seed,
        targets=targets,
        pairs=pairs,
        unit=unit,
        shortest=shortest,
        longest=longest,
        recipe=recipe,
        vocabulary_size=vocabulary_size,
        text_column=text_column,
        document_column=document_column,
        auxiliary_column=auxiliary_column,
        show_text=show_text,
    )
    with progress_bars() as progress, told_when_stopped():
        result = run_audit(
            vectors,
            texts=texts,
            encoder=encoder,
            auxiliary=auxiliary,
            settings=settings,
            fail_on=fail_on or (),
            cache=out / "cache",
            progress=progress,
        )
    reports = write_report(result, out)
    print_summary(result, reports, as_json=as_json)
    if not all(gate.held for gate in result.gates):
        raise typer.Exit(1)
    if not result.findings:
        raise InputError(f"nothing could be measured: {result.not_run[0].reason}; {result.not_run[0].remedy}")
