"""Vectors whose texts are not there: no guess of a word can be checked, but some questions need no word."""

from hashlib import sha256

from vestige.case.attributes import Attributes, attributes_of
from vestige.case.case import Auxiliary, Case, Missing, Truth, Unread
from vestige.case.inputs import Inputs
from vestige.case.quote_stripping import threads_of, walled
from vestige.case.randomness import stream
from vestige.case.settings import FEWEST_PAIRS, FEWEST_TARGETS, Settings
from vestige.case.source import TARGET_SHARE
from vestige.case.subject import subject_of
from vestige.encoders.cached import uncached
from vestige.encoders.endpoint.consent import is_elsewhere
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.text.corpus import Corpus
from vestige.text.split import Split, sample_rows, split_documents
from vestige.types import Vectors

UNREAD = Missing("the texts behind the vectors are not there, so no guess can be checked", "give them with --texts")
NOT_HERE = Missing("the encoder is a service elsewhere, which is asked only where the texts are there", UNREAD.remedy)


def unread_case(inputs: Inputs, settings: Settings, unasked: Missing | None) -> Case:
    """A case of vectors, with what lies beside them; whatever would read words finds no truth in it."""
    assert inputs.vectors is not None
    rows = _named(inputs, inputs.vectors)
    attributes, sides = attributes_of(rows, settings), _sides(rows, settings)
    targets, documents = inputs.vectors[sides.target], [rows.documents[row] for row in sides.target]
    if unasked is None and inputs.encoder is not None and is_elsewhere(inputs.encoder):
        unasked = NOT_HERE
    return Case(
        targets,
        None,
        {},
        subject_of(inputs, Corpus("", [], document_column=rows.document_column), documents, targets),
        {"same-domain": UNREAD, "cross-domain": UNREAD},
        uncached(inputs.encoder) if unasked is None else None,
        unasked,
        tuple(name for name, column in attributes.columns.items() if column.ranges),
        attributes.apart,
        unread=_unread(inputs.vectors, rows, attributes, sides),
    )


def _named(inputs: Inputs, vectors: Vectors) -> Corpus:
    """What lies beside the vectors, with a name for each text: the digest of its vector."""
    beside = inputs.beside or Corpus(inputs.vectors_name, [""] * len(vectors))
    names = [sha256(vector.tobytes()).hexdigest()[:16] for vector in vectors]
    return Corpus(beside.name, names, beside.documents, beside.attributes, None, beside.document_column)


def _sides(rows: Corpus, settings: Settings) -> Split:
    """No document, and no vector, on both sides."""
    rng = stream(settings.seed, "split")
    split = split_documents(rows.documents, TARGET_SHARE, rng, fewest=FEWEST_DOCUMENTS)
    target = sample_rows(split.target, settings.targets, rng)
    attacked = {rows.texts[row] for row in target}
    apart = [row for row in split.auxiliary if rows.texts[row] not in attacked]
    return Split(sample_rows(apart, settings.pairs, rng), target)


def _unread(vectors: Vectors, rows: Corpus, attributes: Attributes, sides: Split) -> Unread | Missing:
    labelled = attributes.on(rows)
    truth = labelled.take(sides.target)
    known = walled(labelled.take(sides.auxiliary), truth.documents, threads_of(rows))
    if len(set(truth.documents)) < FEWEST_DOCUMENTS or len(truth) < FEWEST_TARGETS or len(known) < FEWEST_PAIRS:
        return Missing(
            f"the vectors, equal ones taken out, leave {len(truth)} to attack and {len(known)} to hold against them",
            f"give enough for at least {FEWEST_TARGETS} and {FEWEST_PAIRS}",
        )
    pairs = Auxiliary(vectors[sides.auxiliary], known.texts, known.documents, rows.name, 0, known.attributes)
    return Unread(Truth(truth.texts, truth.documents, truth.attributes), pairs)
