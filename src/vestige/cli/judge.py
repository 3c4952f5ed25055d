"""`vestige judge`: evaluate anyone's defense by its output."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from vestige.cli import options
from vestige.cli.build_settings import build_settings
from vestige.cli.option_groups import COMMON, grouped
from vestige.cli.options import DEFAULTS
from vestige.defend import REFERENCES
from vestige.utility.neighbours import Metric

NO_REFERENCES = "none"


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What most judgements need."""

    panel: ClassVar[str] = COMMON
    raw: Annotated[str, typer.Argument(metavar="RAW", help="The vectors before the defense: a file or a store.")]
    protected: Annotated[
        str,
        typer.Argument(metavar="PROTECTED", help="The same rows after the defense, by id or in the same order."),
    ]
    texts: options.Texts = None
    query_vectors: Annotated[
        str | None,
        typer.Option(
            "--queries",
            metavar="FILE",
            help="The same rows as the scheme protects search queries.",
            show_default="queries are protected like rows",
        ),
    ] = None
    metric: Annotated[
        Metric, typer.Option(metavar="METRIC", help="How queries are compared with rows: cosine, dot, euclidean.")
    ] = "cosine"
    probes: Annotated[
        list[str] | None,
        typer.Option(
            "--probe",
            metavar="NAME",
            help="Judge by this probe; `vestige list` shows them. Repeatable.",
            show_default="all that can run",
        ),
    ] = None
    defenses: Annotated[
        str,
        typer.Option(metavar="SPECS", help=f"Our defenses to compare with, comma-separated; {NO_REFERENCES} for none."),
    ] = REFERENCES
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for the report.")] = Path("vestige-judge")


@dataclass(frozen=True, kw_only=True)
class _Subject:
    """What is attacked and what must stay useful."""

    panel: ClassVar[str] = "Probes"
    keywords: options.Keywords = None
    attributes: options.LabelColumns = None
    task: options.Task = None


@dataclass(frozen=True, kw_only=True)
class _Sizes:
    """How much is attacked, and what the adversary holds."""

    panel: ClassVar[str] = "Sizes"
    targets: options.Targets = DEFAULTS.targets
    pairs: options.Pairs = DEFAULTS.pairs
    labels: options.Labels = DEFAULTS.labels
    sample: Annotated[
        int | None,
        typer.Option(metavar="N", help="Rows to draw from RAW.", show_default="enough for --targets and --pairs"),
    ] = DEFAULTS.sample
    vocabulary_size: options.VocabularySize = DEFAULTS.vocabulary_size


@dataclass(frozen=True, kw_only=True)
class _Columns:
    """The columns of RAW and of the texts."""

    panel: ClassVar[str] = "Columns, detected if not given"
    vector_column: options.VectorColumn = None
    id_column: options.IdColumn = None
    text_column: options.TextColumn = None
    document_column: options.DocumentColumn = None


@dataclass(frozen=True, kw_only=True)
class _Output:
    """What is printed, and how it can be repeated."""

    panel: ClassVar[str] = "Output"
    as_json: options.AsJson = False
    seed: options.Seed = DEFAULTS.seed


@grouped
def judge(common: _Common, subject: _Subject, sizes: _Sizes, columns: _Columns, output: _Output) -> None:
    """Judge a defense by its output: vectors before and after, with their texts.

    Every attack is run by an attacker who knows the defense, by one who does not, and by a thief without pairs. The
    report says what is hidden, at which cost, and which of our defenses do better. A defense that stops only an
    attacker who does not know it is obscurity.

    If the scheme protects search queries in another way than rows, give the same rows as protected queries (--queries).
    """
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.cli.terminal_defenses import print_judgement
    from vestige.defend.judge import judge as run_judge
    from vestige.files import check_writable
    from vestige.report.write import write_judgement

    check_writable(common.out)
    settings = build_settings(common, subject, sizes, columns, output)
    with progress_bars(fleeting=True) as progress, report_interrupt("stopped before the end; nothing was written"):
        result = run_judge(
            common.raw,
            common.protected,
            texts=common.texts,
            queries=common.query_vectors,
            defenses=None if common.defenses == NO_REFERENCES else common.defenses,
            task=subject.task,
            metric=common.metric,
            settings=settings,
            progress=progress,
        )
    reports = write_judgement(result, common.out)
    print_judgement(result, reports, as_json=output.as_json)
