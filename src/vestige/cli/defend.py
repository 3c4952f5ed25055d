"""`vestige defend`: which defense costs least within the owner's limits."""

from pathlib import Path
from typing import Annotated

import typer

from vestige.case.settings import Settings
from vestige.cli import options
from vestige.defend import DRAWS

DEFAULTS = Settings()

Limits = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        help='What you ask for, such as "words<0.10" (leakage) or "recall@10>0.9" (utility). May be repeated. '
        '[default: "words<0.10", "recall@10>0.90"]',
        show_default=False,
    ),
]
Defenses = Annotated[
    str | None,
    typer.Option(
        help="The defenses to try, parted by commas, such as rounding:2,gaussian; a family alone is tried at several "
        "strengths, and leace@COLUMN hides a column. [default: all]",
        show_default=False,
    ),
]
Task = Annotated[str | None, typer.Option(help="A column of labels that the vectors should still tell.")]
Draws = Annotated[
    int, typer.Option(help="How often a stranger who may ask has each text defended, where there is noise.", min=1)
]

Queries = Annotated[
    int | None,
    typer.Option(
        help="0 for a stranger who may not ask the encoder; with any other number it asks as much as its attacks need. "
        "[default: it may ask, but not a service]",
        min=0,
        show_default=False,
    ),
]
Probes = Annotated[
    list[str] | None,
    typer.Option(
        "--probe",
        help="A question to judge defenses by: words, keywords or attributes. May be repeated. [default: all]",
        show_default=False,
    ),
]
Halving = Annotated[
    bool, typer.Option(help="Try all defenses at a small size first, and at full size those still in the running.")
]


def defend(
    vectors: options.Vectors = None,
    texts: options.Texts = None,
    encoder: options.Encoder = None,
    precision: options.Precision = DEFAULTS.precision,
    limits: Limits = None,
    defenses: Defenses = None,
    task: Task = None,
    draws: Draws = DRAWS,
    halving: Halving = True,
    out: options.Out = Path("vestige-defend"),
    seed: options.Seed = DEFAULTS.seed,
    as_json: options.AsJson = False,
    targets: options.Targets = DEFAULTS.targets,
    pairs: options.Pairs = DEFAULTS.pairs,
    unit: options.Unit = DEFAULTS.unit,
    shortest: options.Shortest = DEFAULTS.shortest,
    longest: options.Longest = DEFAULTS.longest,
    access: options.Access = DEFAULTS.access,
    queries: Queries = DEFAULTS.queries,
    probes: Probes = None,
    keywords: options.Keywords = None,
    attributes: options.Attributes = None,
    labels: options.Labels = DEFAULTS.labels,
    vocabulary_size: options.VocabularySize = DEFAULTS.vocabulary_size,
    sample: options.Sample = DEFAULTS.sample,
    vector_column: options.VectorColumn = None,
    id_column: options.IdColumn = None,
    text_column: options.TextColumn = None,
    document_column: options.DocumentColumn = None,
    send: options.Send = False,
) -> None:
    """Judge every defense by a stranger who knows it, and name the cheapest within your limits.

    Inputs are those of `vestige audit`; with no arguments the embedded corpus and encoder are defended.

    The chosen defense, fitted for use, is saved in the folder "defense" of --out for `vestige protect`. It holds what
    must stay secret.
    """
    from vestige.cli.frontier import print_frontier
    from vestige.cli.listed import listed
    from vestige.cli.progress import progress_bars, told_when_stopped
    from vestige.defend.limits import DEFAULTS as USUAL
    from vestige.defend.run import defend as run_defend
    from vestige.defenses.saved import save_defense
    from vestige.errors import InputError
    from vestige.files import check_writable
    from vestige.report.frontier.write import write_frontier

    check_writable(out)
    place = out / "defense"
    if place.exists():
        raise InputError(f"{place} is there already; move it away, or name another folder with --out")
    settings = Settings(
        seed=seed,
        targets=targets,
        pairs=pairs,
        unit=unit,
        shortest=shortest,
        longest=longest,
        vocabulary_size=vocabulary_size,
        access=access,
        queries=queries,
        keywords=() if keywords is None else listed(keywords),
        attributes=tuple(dict.fromkeys(attributes or ())),
        probes=tuple(dict.fromkeys(probes or ())),
        labels=labels,
        precision=precision,
        sample=sample,
        vector_column=vector_column,
        id_column=id_column,
        text_column=text_column,
        document_column=document_column,
    )
    with progress_bars(fleeting=True) as progress, told_when_stopped():
        chosen = run_defend(
            vectors,
            texts=texts,
            encoder=encoder,
            limits=USUAL if limits is None else limits,
            defenses=defenses,
            task=task,
            draws=draws,
            halving=halving,
            settings=settings,
            cache=out / "cache",
            send=send,
            progress=progress,
        )
    reports = write_frontier(chosen.result, out)
    if chosen.defense is not None:
        save_defense(chosen.defense, place)
    print_frontier(chosen.result, reports, None if chosen.defense is None else place, as_json=as_json)
