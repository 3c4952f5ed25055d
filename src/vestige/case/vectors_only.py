"""Vectors whose texts are not available: no guess of a word can be checked, but some probes require no words."""

from dataclasses import dataclass
from hashlib import sha256

from vestige.case.attributes import Attributes, find_attributes
from vestige.case.case import Auxiliary, Case, Missing, Truth, VectorsOnly
from vestige.case.inputs import Inputs, build_subject
from vestige.case.quote_stripping import find_threads, hide_thread_labels
from vestige.case.randomness import stream
from vestige.case.settings import FEWEST_PAIRS, FEWEST_TARGETS, Settings
from vestige.case.source import TARGET_SHARE
from vestige.encoders.cached import unwrap_cache
from vestige.encoders.endpoint.encoder import is_remote
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.text.corpus import Corpus
from vestige.text.split import Split, sample_rows, split_documents
from vestige.types import Progress, Vectors

NO_TEXTS = Missing(
    "the texts behind the vectors are not available, so no guess can be checked", "give them with --texts"
)
REMOTE = Missing(
    "the encoder runs on another machine, which is queried only when the texts are available", NO_TEXTS.remedy
)


@dataclass(frozen=True, eq=False)
class VectorsOnlyPlan:
    """A case of vectors without their texts: nothing is encoded for it, and no guess of a word can be checked."""

    inputs: Inputs
    settings: Settings
    no_queries: Missing | None
    texts_to_encode: tuple[str, ...] = ()

    def build(self, progress: Progress) -> Case:  # noqa: ARG002
        """A case in which probes of words find no truth."""
        inputs, settings = self.inputs, self.settings
        assert inputs.vectors is not None
        rows = _name_rows(inputs, inputs.vectors)
        attributes, split = find_attributes(rows, settings), _split_rows(rows, settings)
        targets, documents = inputs.vectors[split.target], [rows.documents[row] for row in split.target]
        no_queries = self.no_queries
        if no_queries is None and inputs.encoder is not None and is_remote(inputs.encoder):
            no_queries = REMOTE
        return Case(
            targets,
            None,
            {},
            build_subject(inputs, Corpus("", [], document_column=rows.document_column), documents, targets),
            {"same-domain": NO_TEXTS, "cross-domain": NO_TEXTS},
            unwrap_cache(inputs.encoder) if no_queries is None else None,
            no_queries,
            tuple(name for name, column in attributes.columns.items() if column.ranges),
            attributes.skipped,
            vectors_only=_build_vectors_only(inputs.vectors, rows, attributes, split),
        )


def _name_rows(inputs: Inputs, vectors: Vectors) -> Corpus:
    """The metadata of the vectors, with a name in place of each text: the digest of its vector."""
    metadata = inputs.metadata or Corpus(inputs.vectors_name, [""] * len(vectors))
    names = [sha256(vector.tobytes()).hexdigest()[:16] for vector in vectors]
    return Corpus(metadata.name, names, metadata.documents, metadata.attributes, None, metadata.document_column)


def _split_rows(rows: Corpus, settings: Settings) -> Split:
    """Split so that no document and no vector is on both sides."""
    rng = stream(settings.seed, "split")
    split = split_documents(rows.documents, TARGET_SHARE, rng, fewest=FEWEST_DOCUMENTS)
    target = sample_rows(split.target, settings.targets, rng)
    attacked = {rows.texts[row] for row in target}
    apart = [row for row in split.auxiliary if rows.texts[row] not in attacked]
    return Split(sample_rows(apart, settings.pairs, rng), target)


def _build_vectors_only(vectors: Vectors, rows: Corpus, attributes: Attributes, split: Split) -> VectorsOnly | Missing:
    labelled = attributes.apply(rows)
    truth = labelled.take(split.target)
    known = hide_thread_labels(labelled.take(split.auxiliary), truth.documents, find_threads(rows))
    if len(set(truth.documents)) < FEWEST_DOCUMENTS or len(truth) < FEWEST_TARGETS or len(known) < FEWEST_PAIRS:
        return Missing(
            f"the vectors, without equal ones, leave {len(truth)} to attack and {len(known)} to compare them with",
            f"give enough for at least {FEWEST_TARGETS} and {FEWEST_PAIRS}",
        )
    pairs = Auxiliary(vectors[split.auxiliary], known.texts, known.documents, rows.name, 0, known.attributes)
    return VectorsOnly(Truth(truth.texts, truth.documents, truth.attributes), pairs)
