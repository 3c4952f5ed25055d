"""`vestige train`: train an encoder, or an inverter of one, and save it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from vestige.case.settings import Recipe, Unit
from vestige.cli import options
from vestige.cli.echo import echo
from vestige.cli.option_groups import COMMON, grouped
from vestige.encoders.dual.settings import AdversaryKind

if TYPE_CHECKING:
    from vestige.encoders.fitted import FittedEncoder, LearnedEncoder


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What is trained, on which texts, and where it is saved."""

    panel: ClassVar[str] = COMMON
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The encoder to train, such as word2vec or dual:lstm.")]
    texts: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="The texts to learn from: .txt, .jsonl, .csv, .parquet, or the name of a corpus."
        ),
    ]
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The new folder; use it as --encoder saved:FOLDER.")]
    inverter: Annotated[
        bool,
        typer.Option(
            "--inverter", metavar="", help="Train a network that inverts the vectors of SPEC, for `vestige audit`."
        ),
    ] = False
    recipe: Annotated[Recipe, typer.Option(help="Train with our settings, or with those of the paper.")] = "default"
    unit: Annotated[Unit, typer.Option(help="Learn from sentences, or from each text whole.")] = "sentence"
    seed: options.Seed = 0


@dataclass(frozen=True, kw_only=True)
class _Hiding:
    """What a dual encoder is trained to hide."""

    panel: ClassVar[str] = "Adversarial training of a dual encoder"
    against_words: Annotated[
        float, typer.Option(metavar="LAMBDA", help="Hide the words, with this weight, such as 60; 0 hides nothing.")
    ] = 0.0
    against_attributes: Annotated[
        list[str] | None,
        typer.Option(
            "--against-attribute",
            metavar="COLUMN=LAMBDA",
            help="Hide a column of labels, with this weight, such as author=3. Repeatable.",
        ),
    ] = None
    adversary: Annotated[
        AdversaryKind | None,
        typer.Option(
            metavar="KIND",
            help="The adversary: dependence, capped, linear as in the paper, or network as in its released code.",
            show_default="that of the recipe",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class _Private:
    """A guarantee for every document that a dual encoder is trained on."""

    panel: ClassVar[str] = "Differentially private training of a dual encoder"
    epsilon: Annotated[
        float | None,
        typer.Option("--dp-epsilon", metavar="EPSILON", help="Train with DP-SGD within this budget, such as 8."),
    ] = None
    delta: Annotated[
        float, typer.Option("--dp-delta", metavar="DELTA", help="Delta, far below one over the number of documents.")
    ] = 1e-5
    public: Annotated[
        str | None,
        typer.Option(
            "--dp-public", metavar="FILE", help="Public texts: for the vocabulary, the first training and negatives."
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class _Columns:
    """The columns of the texts."""

    panel: ClassVar[str] = options.ColumnOptions.panel
    text_column: options.TextColumn = None
    document_column: options.DocumentColumn = None


@dataclass(frozen=True, kw_only=True)
class _Inverter:
    """How an inverter is trained."""

    panel: ClassVar[str] = "Training of an inverter"
    pairs: Annotated[int, typer.Option(metavar="N", help="Texts to encode and learn from, at most.")] = 20_000
    epochs: Annotated[
        int | None,
        typer.Option(metavar="N", help="Passes over the texts, at most.", show_default="6, more for few texts"),
    ] = None


@grouped
def train(common: _Common, hiding: _Hiding, private: _Private, inverter: _Inverter, columns: _Columns) -> None:
    """Train an encoder on texts and save it in a folder, as safetensors and JSON.

    With --inverter, the encoder is the one under attack, and what is trained is a network that writes the text behind
    a vector. Name its folder with --inverter in `vestige audit`.

    With --dp-epsilon, the weights are differentially private for every document: what they say hardly depends on any
    one of them. That needs public texts as well (--dp-public).

    The same seed and texts give the same bytes on the same machine, except with --dp-epsilon: its noise is secret.

    The folder contains words of the texts: protect it as you protect them.
    """
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.encoders.dual.recipe import add_adversaries
    from vestige.encoders.dual.settings import ADVERSARIES, check_lambda, parse_lambdas
    from vestige.encoders.load import load_learned
    from vestige.encoders.saved import save_encoder
    from vestige.errors import InputError
    from vestige.files import check_writable
    from vestige.text.corpora import load_corpus

    spec, out = common.spec, common.out
    if common.inverter:
        _train_inverter(common, inverter, columns)
        return
    if "@" in spec:
        raise InputError(f"'{spec}' names a corpus, and so does --texts; use {spec.partition('@')[0]}")
    if out.exists():
        raise InputError(f"{out} already exists; choose another folder with --out")
    check_lambda(hiding.against_words, "--against-words")
    attributes = parse_lambdas(hiding.against_attributes or [])
    check_writable(out)
    corpus = load_corpus(common.texts, columns.text_column, columns.document_column)
    learned = corpus.sentences() if common.unit == "sentence" else corpus
    encoder = load_learned(spec, learned, recipe=common.recipe, seed=common.seed)
    if hiding.against_words or attributes:
        adversary = None if hiding.adversary is None else ADVERSARIES[hiding.adversary]
        encoder = add_adversaries(encoder, words=hiding.against_words, attributes=attributes, adversary=adversary)
    if private.epsilon is not None:
        encoder = _protect_documents(encoder, private)
    with progress_bars() as progress, report_interrupt("stopped; nothing was saved"):
        fitted = encoder.fit(progress)
    save_encoder(fitted, out)
    echo(f"{out}: {fitted.name} of {fitted.dimension:,} dimensions, from {len(corpus):,} texts of {corpus.name}")
    if private.epsilon is not None:
        _echo_guarantee(fitted)
    echo(f"use it with: --encoder saved:{out}")


def _protect_documents(encoder: "LearnedEncoder", private: _Private) -> "LearnedEncoder":
    from vestige.encoders.dual.private_training import train_privately
    from vestige.errors import InputError
    from vestige.text.corpora import load_corpus

    assert private.epsilon is not None
    if private.public is None:
        raise InputError(
            "private training (--dp-epsilon) needs public texts: the vocabulary and the negatives must not come from "
            "private ones; name a file or a corpus with --dp-public"
        )
    public = load_corpus(private.public)
    return train_privately(encoder, public, epsilon=private.epsilon, delta=private.delta)


def _echo_guarantee(fitted: "FittedEncoder") -> None:
    promise = (getattr(fitted, "recipe", None) or {})["privacy"]
    echo(
        f"epsilon {promise['epsilon']:.2f} at delta {promise['delta']:g} for every {promise['unit']}, by "
        f"{promise['steps']} steps with noise {promise['noise_multiplier']:.2f}; another training on these texts adds "
        "its own epsilon"
    )


def _train_inverter(common: _Common, inverter: _Inverter, columns: _Columns) -> None:
    from vestige.attacks.prefix.saved import save_inverter
    from vestige.case.inverter import LONGEST, SHORTEST, InverterRequest, train_inverter
    from vestige.cli.progress import progress_bars, report_interrupt
    from vestige.encoders.load import load_encoder
    from vestige.errors import InputError
    from vestige.files import check_writable
    from vestige.text.corpora import load_corpus

    if common.out.exists():
        raise InputError(f"{common.out} already exists; choose another folder with --out")
    check_writable(common.out)
    corpus = load_corpus(common.texts, columns.text_column, columns.document_column)
    learned = corpus.sentences(SHORTEST, LONGEST) if common.unit == "sentence" else corpus
    request = InverterRequest(inverter.pairs, inverter.epochs, common.seed)
    with progress_bars() as progress, report_interrupt("stopped; nothing was saved"):
        trained = train_inverter(load_encoder(common.spec), learned, request, progress)
    save_inverter(trained, common.out)
    echo(f"{common.out}: an inverter of {trained.encoder}, from {corpus.name}")
    echo(f"use it with: vestige audit --inverter {common.out}")
