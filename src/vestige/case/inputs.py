"""The inputs of an audit, read and checked before any work starts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vestige.attacks.keywords.examples import as_keywords
from vestige.case.findings import Stored, Subject
from vestige.case.settings import Settings
from vestige.case.source import draw_rows, take_rows
from vestige.case.vector_sample import VectorSample
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder, needs_corpus
from vestige.errors import InputError
from vestige.stores.content_sample import sort_by_content
from vestige.stores.vector_checks import as_checked_vectors
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.types import Encoder, Vectors

DEFAULT_ENCODER = "minilm"
DEFAULT_CORPUS = "complaints"

TextSource = str | Path | Corpus | Sequence[str]


@dataclass(frozen=True)
class Inputs:
    """The owner's inputs, read but not yet cut into units.

    `sample` has the rows that the preflight checks. `metadata` has the documents and columns of vectors whose texts are
    not available; its texts are empty.
    """

    vectors: Vectors | None
    texts: Corpus | None
    encoder: Encoder | None
    auxiliary: Corpus | None
    vectors_name: str = "vectors"
    named: bool = False
    trained_on: Corpus | None = None
    stored: Stored | None = None
    sample: VectorSample | None = None
    metadata: Corpus | None = None

    @property
    def corpus_name(self) -> str | None:
        """The name of the texts; None if there are none, or if they were stored with the vectors."""
        from_store = self.stored is not None and self.stored.texts
        return None if self.texts is None or from_store else self.texts.name

    def cache_vectors(self, folder: Path) -> "Inputs":
        """The same inputs, with an encoder that caches its vectors in `folder`."""
        return self if self.encoder is None else replace(self, encoder=CachedEncoder(self.encoder, folder))


def check_settings(settings: Settings) -> None:
    """Read the keywords and patterns that the owner named, so that a wrong one is reported at once."""
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
    """Read all inputs, and refuse what cannot be audited.

    Vectors and whole texts are put in an order that depends on what they hold. So texts give the same targets and pairs
    in any order, and whether their vectors are given, stored or yet to be made.
    """
    if vectors is None and texts is None:
        texts, encoder = DEFAULT_CORPUS, encoder or DEFAULT_ENCODER
    owned, foreign = _corpus(texts, "texts", settings), _corpus(auxiliary, "auxiliary", settings)
    matrix, place, stored, metadata, whole = _matrix(vectors), "vectors", None, None, owned
    sample = None if matrix is None else _build_sample(matrix, owned)
    whole_texts = vectors is None and settings.unit == "text"
    if whole_texts or (matrix is not None and (owned is None or len(owned) == len(matrix))):
        order = sort_by_content(matrix, None if owned is None else owned.texts, settings.seed)
        matrix, owned = None if matrix is None else matrix[order], None if owned is None else take_rows(owned, order)
    if isinstance(vectors, str | Path):
        drawn = draw_rows(vectors, owned, settings)
        matrix, owned, place, stored = drawn.sample.vectors, drawn.texts, drawn.name, drawn.stored
        metadata = drawn.metadata
        sample = VectorSample.in_order(
            drawn.description, drawn.sample, None if drawn.texts is None else drawn.texts.texts
        )
    learned = _corpus(trained_on, "trained on", settings)
    if settings.precision != "fp32" and not isinstance(encoder, str):
        raise InputError(
            "precision can be chosen only for an encoder that is named by its spec; remove it, or name the encoder"
        )
    cut = settings.unit == "sentence" and vectors is None
    loaded = _encoder(encoder, whole or owned, settings, cut=cut) if isinstance(encoder, str) else encoder
    named = all(
        source is None or isinstance(source, str | Path) for source in (vectors, texts, encoder, auxiliary, trained_on)
    )
    inputs = Inputs(matrix, owned, loaded, foreign, place, named, learned, stored, sample, metadata)
    _check(inputs)
    return inputs


def _matrix(vectors: str | Path | npt.ArrayLike | None) -> Vectors | None:
    return None if vectors is None or isinstance(vectors, str | Path) else as_checked_vectors(vectors, "vectors")


def _build_sample(matrix: Vectors, texts: Corpus | None) -> VectorSample:
    return VectorSample("vectors", len(matrix), str(matrix.dtype), matrix, None if texts is None else texts.texts)


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
    """Grouped by the document column of the owner's texts, if the corpus has it too."""
    if column is None or column not in corpus.attributes:
        return corpus
    return replace(corpus, documents=[str(name) for name in corpus.attributes[column]], document_column=column)


def _encoder(spec: str, owned: Corpus | None, settings: Settings, *, cut: bool) -> Encoder:
    """The encoder; one that must be fitted and names no corpus is fitted on all of the owner's texts."""
    corpus = owned if needs_corpus(spec) else None
    if corpus is not None and cut:
        corpus = corpus.sentences()
    return load_encoder(spec, corpus=corpus, precision=settings.precision)


def _check(inputs: Inputs) -> None:
    if inputs.vectors is None and inputs.encoder is None:
        raise InputError("texts alone cannot be audited; name the encoder that makes the vectors with --encoder")
    if inputs.auxiliary is not None and inputs.encoder is None:
        raise InputError("auxiliary text requires vectors of its own; name the encoder with --encoder")
    if inputs.trained_on is not None and (inputs.encoder is None or inputs.texts is None):
        raise InputError(
            f"{inputs.trained_on.name} (--trained-on) is compared with texts that the encoder was not trained on; "
            "name the encoder with --encoder and your texts with --texts"
        )
    if inputs.vectors is not None and inputs.texts is not None and len(inputs.vectors) != len(inputs.texts):
        raise InputError(
            f"{inputs.vectors_name} has {len(inputs.vectors)} rows but {inputs.texts.name} has "
            f"{len(inputs.texts)} texts; expected one text per vector, in the same order"
        )


def build_subject(
    inputs: Inputs, units: Corpus, documents: list[str], targets: Vectors, *, left_out: int = 0
) -> Subject:
    """The names of the inputs, the number of texts, and the number of targets in these `documents`."""
    return Subject(
        vectors=inputs.vectors_name if inputs.vectors is not None else None,
        corpus=inputs.corpus_name,
        encoder=inputs.encoder.name if inputs.encoder is not None else None,
        auxiliary=inputs.auxiliary.name if inputs.auxiliary is not None else None,
        trained_on=inputs.trained_on.name if inputs.trained_on is not None else None,
        named=inputs.named,
        text_column=units.text_column,
        document_column=units.document_column,
        dimension=int(targets.shape[1]),
        left_out=left_out,
        texts=len(units),
        documents=len(set(units.documents)),
        target_texts=len(targets),
        target_documents=len(set(documents)),
        digest=sha256(np.ascontiguousarray(targets).tobytes()).hexdigest()[:12],
        stored=inputs.stored,
    )
