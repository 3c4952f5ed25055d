"""What the commands may be told, each option with the words of its help."""

from pathlib import Path
from typing import Annotated

import typer

from vestige import types
from vestige.case import settings
from vestige.case.settings import FEWEST_LABELS, FEWEST_PAIRS, FEWEST_TARGETS

Vectors = Annotated[
    str | None,
    typer.Argument(
        metavar="[SOURCE]",
        help="Where the vectors lie: a file, or a store such as chroma:FOLDER#COLLECTION; `vestige list` names them.",
        show_default=False,
    ),
]
Sample = Annotated[
    int | None,
    typer.Option(
        help="How many rows to draw from the source. [default: what --targets and --pairs ask for]",
        min=FEWEST_TARGETS,
        show_default=False,
    ),
]
Within = Annotated[
    float | None,
    typer.Option(
        help="How near a share must come to the truth, such as 0.02; sets --targets.", max=0.5, show_default=False
    ),
]
VectorColumn = Annotated[str | None, typer.Option(help="The column of the source that holds the vectors.")]
IdColumn = Annotated[str | None, typer.Option(help="The column of the source that holds the ids.")]
Texts = Annotated[
    str | None,
    typer.Option(help="The texts behind the vectors: .txt, .jsonl, .csv, .parquet, or a corpus by name."),
]
Encoder = Annotated[str | None, typer.Option(help="The encoder that makes the vectors; `vestige encoders` lists them.")]
RequiredEncoder = Annotated[str, typer.Option("--encoder", help="The encoder; `vestige encoders` lists them.")]
Precision = Annotated[
    types.Precision,
    typer.Option(help="What a transformer computes in; bf16 is twice as fast on processors that have it."),
]
Send = Annotated[bool, typer.Option("--send", help="Let texts be sent to a service on another machine, and paid for.")]
Auxiliary = Annotated[
    str | None, typer.Option(help="Text from elsewhere, for a stranger who has none like yours; file or name.")
]
TrainedOn = Annotated[
    str | None, typer.Option(help="The texts that the encoder was trained on, where you know; file or name.")
]
Out = Annotated[Path, typer.Option(help="The folder for the report and for what a stopped run leaves.")]
FailOn = Annotated[
    list[str] | None,
    typer.Option(help='A limit, such as "words>0.30"; exit code 1 when it is passed. May be repeated.'),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON on standard output.")]
Sarif = Annotated[
    Path | None, typer.Option(help="Write the result as SARIF 2.1.0 to this file too.", show_default=False)
]
Junit = Annotated[Path | None, typer.Option(help="Write the result as JUnit XML to this file too.", show_default=False)]
Seed = Annotated[int, typer.Option(help="The same seed gives the same figures.", min=0)]
ShowText = Annotated[bool, typer.Option("--show-text", help="Put the example texts into the report unmasked.")]
Targets = Annotated[int, typer.Option(help="How many vectors to attack, at most.", min=FEWEST_TARGETS)]
Pairs = Annotated[
    int, typer.Option(help="How many pairs of text and vector the stranger has, at most.", min=FEWEST_PAIRS)
]
Unit = Annotated[settings.Unit, typer.Option(help="Cut texts into sentences before encoding, or take each text whole.")]
Shortest = Annotated[int, typer.Option(help="The fewest words of a sentence that counts.", min=1)]
Longest = Annotated[int, typer.Option(help="The most words of a sentence that counts.", min=1)]
Recipe = Annotated[
    settings.Recipe, typer.Option(help="Train the attack our way, or with the settings that its paper states.")
]
Access = Annotated[
    settings.Access,
    typer.Option(help="What the stranger has besides pairs: nothing, the encoder to ask, or its weights as well."),
]
Rewritten = Annotated[int, typer.Option(help="How many texts a stranger with the encoder tries to write back.", min=1)]
Queries = Annotated[
    int | None,
    typer.Option(
        help="How many texts that stranger may ask the encoder for each; 0 for none. [default: 300, of a service none]",
        min=0,
        show_default=False,
    ),
]
Keywords = Annotated[
    str | None,
    typer.Option(
        help="The words you fear for, parted by commas, or a file, one a line. [default: common sensitive words]",
        show_default=False,
    ),
]
Patterns = Annotated[
    list[str] | None,
    typer.Option(
        "--pattern",
        help="A format that texts may hold, by name or as a TOML file; `vestige list` names them. May be repeated.",
    ),
]
Probes = Annotated[
    list[str] | None,
    typer.Option(
        "--probe",
        help="A question to ask, by name; `vestige list` names them. May be repeated. [default: all]",
        show_default=False,
    ),
]
Attributes = Annotated[
    list[str] | None,
    typer.Option(
        "--attribute",
        help="A column of labels beside the texts or the vectors, such as the author. May be repeated. "
        "[default: the columns that look like labels]",
        show_default=False,
    ),
]
Labels = Annotated[
    int, typer.Option(help="How many labelled texts of a class the stranger has, at most.", min=FEWEST_LABELS)
]
VocabularySize = Annotated[int, typer.Option(help="How many words the stranger looks for, at most.", min=1)]
TextColumn = Annotated[str | None, typer.Option(help="The column of the texts, or of the source, that holds the text.")]
DocumentColumn = Annotated[
    str | None, typer.Option(help="The column of the texts that names the document a row belongs to.")
]
AuxiliaryColumn = Annotated[str | None, typer.Option(help="The column of --auxiliary that holds the text.")]
TrainedOnColumn = Annotated[str | None, typer.Option(help="The column of --trained-on that holds the text.")]
