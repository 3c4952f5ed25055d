"""The options of the commands, each defined once, and the groups in which `audit` and `defend` take them."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from vestige import types
from vestige.case import settings
from vestige.case.settings import ImportanceName, Settings
from vestige.cli.option_groups import COMMON
from vestige.engine.choose import EngineName, open_engine
from vestige.engine.job import Engine as EngineProtocol

DEFAULTS = Settings()

_SOURCE = (
    "The vectors: a file (.npy, .parquet, .jsonl, ...), a folder of parquet files (here or s3://BUCKET/FOLDER), or a "
    "store such as chroma:FOLDER#COLLECTION; "
    "`vestige list` shows all kinds."
)
Source = Annotated[str, typer.Argument(metavar="SOURCE", help=_SOURCE)]
OptionalSource = Annotated[
    str | None, typer.Argument(metavar="SOURCE", help=_SOURCE, show_default="encode --texts with --encoder")
]
TextFile = Annotated[
    str, typer.Argument(metavar="TEXTS", help="The texts: .txt, .jsonl, .csv, .parquet, or the name of a corpus.")
]
Texts = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="The texts of the vectors: .txt, .jsonl, .csv, .parquet, or the name of a corpus."
    ),
]
Encoder = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="The encoder that makes the vectors; `vestige encoders` lists them."),
]
RequiredEncoder = Annotated[
    str, typer.Option("--encoder", metavar="SPEC", help="The encoder; `vestige encoders` lists them.")
]
Precision = Annotated[
    types.Precision, typer.Option(help="The number format of transformers; bf16 is faster on some processors.")
]
Send = Annotated[
    bool, typer.Option("--send", metavar="", help="Allow sending texts to a paid service on another machine.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="The random seed; the same seed gives the same numbers.", min=0)]
AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print the result as JSON on standard output.")]
OutFolder = Annotated[
    Path, typer.Option(metavar="FOLDER", help="The folder for the report and the cache of a stopped run.")
]
Auxiliary = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Text of another kind, for an attacker who has none like yours."),
]
TrainedOn = Annotated[
    str | None, typer.Option(metavar="FILE", help="The texts that the encoder was trained on, if you have them.")
]
Unit = Annotated[settings.Unit, typer.Option(help="Split texts into sentences, or encode each text whole.")]
VectorColumn = Annotated[str | None, typer.Option(metavar="NAME", help="The column of SOURCE with the vectors.")]
IdColumn = Annotated[str | None, typer.Option(metavar="NAME", help="The column of SOURCE with the ids.")]
TextColumn = Annotated[str | None, typer.Option(metavar="NAME", help="The column with the text.")]
DocumentColumn = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The column that says which document a row belongs to."),
]
Keywords = Annotated[
    str | None,
    typer.Option(
        metavar="WORDS",
        help="Sensitive words to look for: comma-separated, or a file with one per line.",
        show_default="common ones",
    ),
]
LabelColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--attribute",
        metavar="COLUMN",
        help="A column of labels to infer, such as the author. Repeatable.",
        show_default="columns that look like labels",
    ),
]
Task = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="A column of labels that the vectors should still predict.")
]
Targets = Annotated[int, typer.Option(metavar="N", help="Vectors to attack, at most.")]
Pairs = Annotated[int, typer.Option(metavar="N", help="(text, vector) pairs of other documents, at most.")]
Labels = Annotated[int, typer.Option(metavar="N", help="Labelled texts per class, at most.")]
VocabularySize = Annotated[int, typer.Option(metavar="N", help="Words that the attacks choose from, at most.")]

_ENGINE = "Engine"
EngineChoice = Annotated[
    EngineName, typer.Option(rich_help_panel=_ENGINE, help="Run on this machine, or on a Ray cluster.")
]
Address = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=_ENGINE,
        metavar="ADDRESS",
        help="The Ray cluster: HOST:PORT, or auto.",
        show_default="one is started on this machine",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(rich_help_panel=_ENGINE, metavar="N", help="Workers, at most.", min=1, show_default="one per core"),
]


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Where the work runs, for commands that take groups of options."""

    panel: ClassVar[str] = _ENGINE
    engine: EngineChoice = "local"
    address: Address = None
    workers: Workers = None

    def open(self, progress: types.Progress = types.silent) -> AbstractContextManager[EngineProtocol]:
        """The engine that was chosen."""
        return open_engine(self.engine, self.address, self.workers, progress)


@dataclass(frozen=True, kw_only=True)
class AdversaryOptions:
    """What the adversary holds and may do, for both `audit` and `defend`."""

    panel: ClassVar[str] = "Adversary"
    access: Annotated[
        settings.Access,
        typer.Option(help="Besides (text, vector) pairs: nothing, queries to the encoder, or its weights as well."),
    ] = DEFAULTS.access
    queries: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Queries to the encoder for each rewritten text; 0 for none.",
            show_default="200; 0 for a service",
        ),
    ] = DEFAULTS.queries
    pairs: Pairs = DEFAULTS.pairs
    labels: Labels = DEFAULTS.labels


@dataclass(frozen=True, kw_only=True)
class ProbeOptions:
    """What the probes look for, for both `audit` and `defend`."""

    panel: ClassVar[str] = "Probes"
    keywords: Keywords = None
    attributes: LabelColumns = None
    patterns: Annotated[
        list[str] | None,
        typer.Option(
            "--pattern",
            metavar="FORMAT",
            help="A format to look for, such as phone-number, or a TOML file; `vestige list` shows them. Repeatable.",
            show_default="those that the texts contain",
        ),
    ] = None
    surrogate: Annotated[
        str | None,
        typer.Option(
            metavar="ENCODER",
            help="The attacker's own encoder in the probe budget.",
            show_default="the best that is installed",
        ),
    ] = None
    importance: Annotated[ImportanceName, typer.Option(help="How the probe budget weighs the words of a text.")] = (
        DEFAULTS.importance
    )
    vocabulary: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="The words that the probe budget looks for: comma-separated, or a file with one per line.",
            show_default="all that the attacker's texts share",
        ),
    ] = None
    budgets: Annotated[
        str | None,
        typer.Option(
            metavar="N,...",
            help="Numbers of queries that the probe budget tries, such as 10,50,200.",
            show_default="0,10,50,200,1000",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class SizeOptions:
    """How much is attacked, for both `audit` and `defend`."""

    panel: ClassVar[str] = "Sizes"
    preset: Annotated[
        settings.Preset | None,
        typer.Option(
            metavar="NAME",
            help="Sizes and probes: quick (a weaker attacker, so a lower bound), standard, or thorough.",
            rich_help_panel=COMMON,
        ),
    ] = None
    targets: Targets = DEFAULTS.targets
    sample: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Rows to draw from SOURCE.",
            show_default="enough for --targets and --pairs",
        ),
    ] = DEFAULTS.sample
    shortest: Annotated[int, typer.Option(metavar="N", help="Skip sentences with fewer words.")] = DEFAULTS.shortest
    longest: Annotated[int, typer.Option(metavar="N", help="Skip sentences with more words.")] = DEFAULTS.longest
    vocabulary_size: VocabularySize = DEFAULTS.vocabulary_size
    rewritten: Annotated[int, typer.Option(metavar="N", help="Texts to reconstruct by querying the encoder.")] = (
        DEFAULTS.rewritten
    )


@dataclass(frozen=True, kw_only=True)
class ColumnOptions:
    """The columns of the source and of the texts, for both `audit` and `defend`."""

    panel: ClassVar[str] = "Columns, detected if not given"
    vector_column: VectorColumn = None
    id_column: IdColumn = None
    text_column: TextColumn = None
    document_column: DocumentColumn = None
    auxiliary_column: Annotated[
        str | None, typer.Option(metavar="NAME", help="The column of --auxiliary with the text.")
    ] = None
    trained_on_column: Annotated[
        str | None, typer.Option(metavar="NAME", help="The column of --trained-on with the text.")
    ] = None
