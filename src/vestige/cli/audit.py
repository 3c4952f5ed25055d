"""`vestige audit`: from vectors or texts to one page."""

from pathlib import Path

import typer

from vestige.case.settings import Settings, targets_within
from vestige.cli import options

DEFAULTS = Settings()


def audit(
    vectors: options.Vectors = None,
    texts: options.Texts = None,
    encoder: options.Encoder = None,
    precision: options.Precision = DEFAULTS.precision,
    auxiliary: options.Auxiliary = None,
    trained_on: options.TrainedOn = None,
    out: options.Out = Path("vestige-audit"),
    seed: options.Seed = DEFAULTS.seed,
    fail_on: options.FailOn = None,
    show_text: options.ShowText = DEFAULTS.show_text,
    as_json: options.AsJson = False,
    sarif: options.Sarif = None,
    junit: options.Junit = None,
    targets: options.Targets = DEFAULTS.targets,
    pairs: options.Pairs = DEFAULTS.pairs,
    within: options.Within = None,
    sample: options.Sample = DEFAULTS.sample,
    unit: options.Unit = DEFAULTS.unit,
    shortest: options.Shortest = DEFAULTS.shortest,
    longest: options.Longest = DEFAULTS.longest,
    access: options.Access = DEFAULTS.access,
    rewritten: options.Rewritten = DEFAULTS.rewritten,
    queries: options.Queries = DEFAULTS.queries,
    keywords: options.Keywords = None,
    patterns: options.Patterns = None,
    attributes: options.Attributes = None,
    probes: options.Probes = None,
    labels: options.Labels = DEFAULTS.labels,
    recipe: options.Recipe = DEFAULTS.recipe,
    vocabulary_size: options.VocabularySize = DEFAULTS.vocabulary_size,
    vector_column: options.VectorColumn = None,
    id_column: options.IdColumn = None,
    text_column: options.TextColumn = None,
    document_column: options.DocumentColumn = None,
    auxiliary_column: options.AuxiliaryColumn = None,
    trained_on_column: options.TrainedOnColumn = None,
    send: options.Send = False,
) -> None:
    """Measure what a stranger could read out of text embeddings, and write one page about it.

    With no arguments the embedded corpus and encoder are audited.

    Give SOURCE to audit vectors where they lie, and --texts where their texts lie elsewhere. Nothing in it is changed.

    Give --texts and --encoder to audit vectors you would make.

    Nothing leaves the machine, unless the encoder is a service elsewhere and --send is given.
    """
    from vestige.audit.run import audit as run_audit
    from vestige.cli.listed import listed
    from vestige.cli.machine_files import MachineFiles
    from vestige.cli.progress import progress_bars, told_when_stopped
    from vestige.cli.summary import print_summary
    from vestige.errors import InputError
    from vestige.files import check_writable
    from vestige.report.write import write_report

    files = MachineFiles(sarif, junit)
    with files.telling_errors():
        check_writable(out)
        files.check()
        settings = Settings(
            seed=seed,
            targets=targets if within is None else targets_within(within),
            pairs=pairs,
            unit=unit,
            shortest=shortest,
            longest=longest,
            vocabulary_size=vocabulary_size,
            recipe=recipe,
            access=access,
            rewritten=rewritten,
            queries=queries,
            keywords=() if keywords is None else listed(keywords),
            patterns=tuple(patterns or ()),
            attributes=tuple(dict.fromkeys(attributes or ())),
            probes=tuple(dict.fromkeys(probes or ())),
            labels=labels,
            precision=precision,
            sample=sample,
            vector_column=vector_column,
            id_column=id_column,
            text_column=text_column,
            document_column=document_column,
            auxiliary_column=auxiliary_column,
            trained_on_column=trained_on_column,
            show_text=show_text,
        )
        with progress_bars() as progress, told_when_stopped():
            result = run_audit(
                vectors,
                texts=texts,
                encoder=encoder,
                auxiliary=auxiliary,
                trained_on=trained_on,
                settings=settings,
                fail_on=fail_on or (),
                cache=out / "cache",
                send=send,
                progress=progress,
            )
    reports = write_report(result, out)
    files.write(result)
    print_summary(result, reports, as_json=as_json)
    if not all(gate.held for gate in result.gates):
        raise typer.Exit(1)
    if not result.findings:
        raise InputError(f"nothing could be measured: {result.not_run[0].reason}; {result.not_run[0].remedy}")
