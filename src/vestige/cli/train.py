"""`vestige train`: an encoder that learns, kept for later."""

from pathlib import Path
from typing import Annotated

import typer

from vestige.case.settings import Recipe, Unit
from vestige.cli import options

Spec = Annotated[str, typer.Argument(help="The encoder to train, such as word2vec or dual:lstm.")]
Texts = Annotated[str, typer.Option(help="The texts to learn from: .txt, .jsonl, .csv, .parquet, or a corpus by name.")]
Out = Annotated[Path, typer.Option(help="The new folder to write; name it afterwards as saved:FOLDER.")]
By = Annotated[Recipe, typer.Option(help="Train our way, or with the settings that the paper states.")]
Cut = Annotated[Unit, typer.Option(help="Learn from sentences, or from each text whole.")]
AgainstWords = Annotated[
    float,
    typer.Option(
        metavar="LAMBDA",
        help="Train a dual encoder so that its words are harder to read, such as 0.03; 0 hides nothing.",
    ),
]
AgainstAttributes = Annotated[
    list[str] | None,
    typer.Option(
        "--against-attribute",
        metavar="COLUMN=LAMBDA",
        help="Train a dual encoder so that a column of labels is harder to read, such as author=30; 0 hides nothing. "
        "May be repeated.",
    ),
]


def train(
    spec: Spec,
    texts: Texts,
    out: Out,
    recipe: By = "default",
    unit: Cut = "sentence",
    seed: options.Seed = 0,
    text_column: options.TextColumn = None,
    document_column: options.DocumentColumn = None,
    against_words: AgainstWords = 0.0,
    against_attributes: AgainstAttributes = None,
) -> None:
    """Train an encoder on texts and keep it in a folder, as safetensors and JSON.

    The same seed and texts give the same bytes on the same machine.

    The folder holds words of the texts: keep it where you keep them.
    """
    from vestige.cli.progress import progress_bars, told_when_stopped
    from vestige.encoders.dual.against import trained_against
    from vestige.encoders.dual.lambdas import as_lambdas, check_lambda
    from vestige.encoders.load import learner
    from vestige.encoders.saved import save_encoder
    from vestige.errors import InputError
    from vestige.files import check_writable
    from vestige.text.named import load_corpus

    if "@" in spec:
        raise InputError(f"'{spec}' names a corpus, and so does --texts; write {spec.partition('@')[0]}")
    if out.exists():
        raise InputError(f"{out} is there already; name a folder that is not with --out")
    check_lambda(against_words, "--against-words")
    columns = as_lambdas(against_attributes or [])
    check_writable(out)
    corpus = load_corpus(texts, text_column, document_column)
    encoder = learner(spec, corpus.sentences() if unit == "sentence" else corpus, recipe=recipe, seed=seed)
    if against_words or columns:
        encoder = trained_against(encoder, words=against_words, attributes=columns)
    with progress_bars() as progress, told_when_stopped("stopped; nothing was kept"):
        fitted = encoder.fitted(progress)
    save_encoder(fitted, out)
    typer.echo(f"{out}: {fitted.name} of {fitted.dimension:,} dimensions, from {len(corpus):,} texts of {corpus.name}")
    typer.echo(f"use it with: --encoder saved:{out}")
