"""What the owner hands over, read and checked before any work starts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy.typing as npt

from vestige.attacks.keywords.checks import as_keywords
from vestige.case.findings import Stored
from vestige.case.settings import Settings
from vestige.case.source import draw
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import learns, load_encoder
from vestige.errors import InputError
from vestige.preflight import Specimen
from vestige.stores.checks import checked
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.text.patterns import load_pattern
from vestige.types import Encoder, Vectors

DEFAULT_ENCODER = "minilm"
DEFAULT_CORPUS = "complaints"

TextSource = str | Path | Corpus | Sequence[str]


@dataclass(frozen=True)
class Inputs:
    """What the owner handed over, read but not yet cut up.

    `beside` has the documents and columns of vectors whose texts are not there.
    """

    vectors: Vectors | None
    texts: Corpus | None
    encoder: Encoder | None
    auxiliary: Corpus | None
    vectors_name: str = "vectors"
    named: bool = False
    trained_on: Corpus | None = None
    stored: Stored | None = None
    specimen: Specimen | None = None
    beside: Corpus | None = None

    def remembering(self, folder: Path) -> "Inputs":
        """The same inputs, with an encoder that keeps its vectors in `folder`."""
        return self if self.encoder is None else replace(self, encoder=CachedEncoder(self.encoder, folder))


def check_asked(settings: Settings) -> None:
    """Read the keywords and patterns that the owner named: a wrong one is told at once, and not after minutes."""
    if settings.keywords:
        as_keywords(settings.keywords)
    for pattern in settings.patterns:
        load_pattern(pattern)


def read_inputs(
    vectors: str | Path | npt.ArrayLike | None,
    texts: TextSource | None,
    encoder: str | Encoder | None,
    auxiliary: TextSource | None,
    settings: Settings,
    *,
    trained_on: TextSource | None = None,
) -> Inputs:
    """Read everything there is to read, and refuse what cannot be audited."""
    if vectors is None and texts is None:
        texts, encoder = DEFAULT_CORPUS, encoder or DEFAULT_ENCODER
    owned, foreign = _corpus(texts, "texts", settings), _corpus(auxiliary, "auxiliary", settings)
    matrix, place, stored, beside, whole = _matrix(vectors), "vectors", None, None, owned
    specimen = None if matrix is None else _specimen(matrix, owned)
    if isinstance(vectors, str | Path):
        drawn = draw(vectors, owned, settings)
        matrix, owned, place, stored = drawn.sample.vectors, drawn.texts, drawn.name, drawn.stored
        beside = drawn.beside
        specimen = Specimen.of_sample(drawn.told, drawn.sample, None if owned is None else owned.texts)
    learned = _corpus(trained_on, "trained on", settings)
    if settings.precision != "fp32" and not isinstance(encoder, str):
        raise InputError("precision is chosen with an encoder named by its spec; leave it out, or name the encoder")
    cut = settings.unit == "sentence" and vectors is None
    loaded = _encoder(encoder, whole or owned, settings, cut=cut) if isinstance(encoder, str) else encoder
    named = all(
        given is None or isinstance(given, str | Path) for given in (vectors, texts, encoder, auxiliary, trained_on)
    )
    inputs = Inputs(matrix, owned, loaded, foreign, place, named, learned, stored, specimen, beside)
    _check(inputs)
    return inputs


def _matrix(vectors: str | Path | npt.ArrayLike | None) -> Vectors | None:
    return None if vectors is None or isinstance(vectors, str | Path) else checked(vectors, "vectors")


def _specimen(matrix: Vectors, texts: Corpus | None) -> Specimen:
    return Specimen("vectors", len(matrix), str(matrix.dtype), matrix, None if texts is None else texts.texts)


def _corpus(source: TextSource | None, name: str, settings: Settings) -> Corpus | None:
    if source is None or isinstance(source, Corpus):
        return source
    if not isinstance(source, str | Path):
        return Corpus(name, list(source))
    if name == "texts":
        return load_corpus(source, settings.text_column, settings.document_column)
    if name == "auxiliary":
        return load_corpus(source, settings.auxiliary_column)
    return _with_documents(load_corpus(source, settings.trained_on_column), settings.document_column)


def _with_documents(corpus: Corpus, column: str | None) -> Corpus:
    """By the column that names the documents of the owner's texts, where it is there too."""
    if column is None or column not in corpus.attributes:
        return corpus
    return replace(corpus, documents=[str(name) for name in corpus.attributes[column]], document_column=column)


def _encoder(spec: str, owned: Corpus | None, settings: Settings, *, cut: bool) -> Encoder:
    """The encoder; one that learns and names no corpus learns from all the owner's texts, as an owner's would."""
    corpus = owned if learns(spec) else None
    if corpus is not None and cut:
        corpus = corpus.sentences()
    return load_encoder(spec, corpus=corpus, precision=settings.precision)


def _check(inputs: Inputs) -> None:
    if inputs.vectors is None and inputs.encoder is None:
        raise InputError("texts alone cannot be audited; name the encoder that makes the vectors with --encoder")
    if inputs.auxiliary is not None and inputs.encoder is None:
        raise InputError("auxiliary text needs vectors of its own; name the encoder with --encoder")
    if inputs.trained_on is not None and (inputs.encoder is None or inputs.texts is None):
        raise InputError(
            f"{inputs.trained_on.name} was learned from by an encoder, and is held against texts that were not; "
            "name the encoder with --encoder and your texts with --texts"
        )
    if inputs.vectors is not None and inputs.texts is not None and len(inputs.vectors) != len(inputs.texts):
        raise InputError(
            f"{inputs.vectors_name} has {len(inputs.vectors)} rows but {inputs.texts.name} has "
            f"{len(inputs.texts)} texts; expected one text a vector, in the same order"
        )
