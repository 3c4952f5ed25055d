"""From what the owner has to a case: cut into units, choose the rows, and only then encode."""

import os
from dataclasses import replace

import numpy as np

from vestige.audit.asking import to_be_asked
from vestige.case.attributes import attributes_of
from vestige.case.case import Auxiliary, Case, Domain, Missing, Truth
from vestige.case.inputs import Inputs
from vestige.case.quote_stripping import only_own, threads_of, walled
from vestige.case.randomness import stream
from vestige.case.settings import FEWEST_PAIRS, FEWEST_TARGETS, Settings, Unit
from vestige.case.source import TARGET_SHARE
from vestige.case.subject import subject_of
from vestige.case.training import training_of
from vestige.case.vectors_only import unread_case
from vestige.encoders.cached import uncached
from vestige.encoders.endpoint.consent import is_elsewhere, refuse_unasked_sending
from vestige.encoders.metered import Metered
from vestige.errors import InputError
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.preflight.probing import Probing
from vestige.text.corpus import Corpus
from vestige.text.split import Split, copies, sample_rows, split_documents
from vestige.text.words import content_words, count_words, unspaced_share
from vestige.types import Encoder, Progress, Vectors

COPIES, COVARIANCES = 4, 3

_NO_AUXILIARY = Missing(
    "no text from elsewhere was named", "name a corpus or a file that is not the owner's with --auxiliary"
)


def prepare(inputs: Inputs, settings: Settings, progress: Progress, *, send: bool = False) -> Case:
    """Build the case that these inputs allow. Whatever is too little is refused before anything is encoded.

    Without leave to `send`, an encoder on another machine is asked nothing.
    """
    if inputs.texts is None:
        _before_encoding(inputs, [], [], send=send)
        return unread_case(inputs, settings, _unasked(inputs, settings))
    attributes, threads = attributes_of(inputs.texts, settings), threads_of(inputs.texts)
    texts = attributes.on(inputs.texts)
    units = texts if inputs.vectors is not None else _units(texts, settings)
    if units is not texts:
        units = only_own(texts, units)
    sides = _sides(units, settings)
    truth, known = units.take(sides.target), units.take(sides.auxiliary)
    known = walled(known, truth.documents, threads)
    foreign = _from_elsewhere(inputs, units, truth, settings) if inputs.auxiliary is not None else None
    missing = _missing(len(truth), len(known), foreign)
    to_encode = [] if inputs.vectors is not None else [*truth.texts, *known.texts]
    to_encode += foreign.texts if foreign is not None else []
    unasked = _unasked(inputs, settings)
    own = [known] if foreign is None else [known, foreign]
    training = training_of(inputs, settings)
    counted = unasked is None and not send and inputs.encoder is not None and is_elsewhere(inputs.encoder)
    _before_encoding(inputs, to_encode, to_be_asked(truth, own, training, settings) if counted else [], send=send)
    if to_encode:
        _refuse_too_wide(inputs.encoder, to_encode[:1], len(to_encode), progress)
    targets, vectors = _encoded(inputs, sides, truth, progress)
    auxiliary: dict[Domain, Auxiliary] = {}
    if "same-domain" not in missing:
        auxiliary["same-domain"] = (
            Auxiliary(vectors, known.texts, known.documents, inputs.vectors_name, 0, known.attributes)
            if vectors is not None
            else _queried(inputs.encoder, known, progress)
        )
    if foreign is not None:
        auxiliary["cross-domain"] = _queried(inputs.encoder, foreign, progress)
    subject = subject_of(inputs, units, truth.documents, targets, left_out=len(units) - len(_usable(units)))
    encoder = inputs.encoder if unasked is None else None
    return Case(
        targets,
        Truth(truth.texts, truth.documents, truth.attributes),
        auxiliary,
        subject,
        missing,
        uncached(encoder),
        unasked,
        tuple(name for name, column in attributes.columns.items() if column.ranges),
        attributes.apart,
        training,
    )


def _before_encoding(inputs: Inputs, texts: list[str], asked: list[str], *, send: bool) -> None:
    """Ask the owner's leave where texts would go elsewhere, those of the preflight included."""
    if inputs.encoder is not None and not send:
        probing = Probing.of(inputs.specimen) if inputs.specimen is not None else None
        refuse_unasked_sending(inputs.encoder, [texts, asked, probing.texts if probing else []])


def _unasked(inputs: Inputs, settings: Settings) -> Missing | None:
    """Why a stranger may not ask the encoder of texts of its own making."""
    if inputs.encoder is None:
        return Missing("no encoder was named, so none can be asked", "name the encoder with --encoder")
    if settings.access == "pairs":
        return Missing("the stranger has pairs alone", "let it ask the encoder with --access queries")
    if settings.queries == 0:
        return Missing("no queries were allowed", "allow some with --queries")
    if settings.queries is None and is_elsewhere(inputs.encoder):
        return Missing(
            "the encoder is a service elsewhere, and every query is sent and paid for", "say how many with --queries"
        )
    return None


def _refuse_too_wide(encoder: Encoder | None, one: list[str], rows: int, progress: Progress) -> None:
    """Counts of words may have 2^18 columns; what would not fit into memory is refused before it is made."""
    assert encoder is not None
    columns = encoder.encode(one, progress=progress).shape[1]
    needed, there = (
        COPIES * rows * columns * 4 + COVARIANCES * columns**2 * 8,
        os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    )
    if needed > there:
        raise InputError(
            f"encoder '{encoder.name}' gives {columns:,} columns, and an audit of {rows:,} such vectors needs about "
            f"{needed / 1e9:.0f} GB; this machine has {there / 1e9:.0f} GB; name a narrower encoder, such as "
            "hashing:2048, tfidf:4000 or lsa:tfidf, or lower --targets and --pairs"
        )


def _units(corpus: Corpus, settings: Settings) -> Corpus:
    return corpus if settings.unit == "text" else corpus.sentences(settings.shortest, settings.longest)


def _usable(units: Corpus) -> list[int]:
    return [row for row, text in enumerate(units.texts) if content_words(text)]


def _sides(units: Corpus, settings: Settings) -> Split:
    """No document, and no copy of a target, on both sides."""
    _refuse_unspaced(units)
    usable = _usable(units)
    documents = [units.documents[row] for row in usable]
    if len(set(documents)) < 2 * FEWEST_DOCUMENTS:
        raise InputError(
            f"{units.name} has {len(set(documents))} documents with content words; expected at least "
            f"{2 * FEWEST_DOCUMENTS}, since the split and the intervals go by document; give more documents"
        )
    rng = stream(settings.seed, "split")
    split = split_documents(documents, TARGET_SHARE, rng, fewest=FEWEST_DOCUMENTS)
    target = sample_rows([usable[row] for row in split.target], settings.targets, rng)
    copied = set(copies(units.texts, [units.texts[row] for row in target]))
    apart = [usable[row] for row in split.auxiliary if usable[row] not in copied]
    if len({units.documents[row] for row in target}) < FEWEST_DOCUMENTS:
        raise InputError(
            f"{units.name}: the {len(target)} texts drawn as targets lie in fewer than {FEWEST_DOCUMENTS} documents, "
            "too few for an interval; raise --targets, or give documents of similar length"
        )
    return Split(sample_rows(apart, settings.pairs, rng), target)


def _refuse_unspaced(units: Corpus) -> None:
    """Where no spaces part words, a whole clause would count as one, and every figure would mean nothing."""
    if unspaced_share(units.texts) > 0.3:
        raise InputError(
            f"{units.name} is written without spaces between words; expected text whose words can be told apart; "
            "cut it into words with a segmenter of its language, spaces between them, and audit that"
        )


def _from_elsewhere(inputs: Inputs, units: Corpus, truth: Corpus, settings: Settings) -> Corpus:
    """The stranger's own text, cut as the targets are; documents that share a text with one under attack stay out."""
    assert inputs.auxiliary is not None
    cut = replace(settings, unit=_unit_of(truth, settings)) if inputs.vectors is not None else settings
    own = _units(replace(inputs.auxiliary, attributes={}), cut)
    attacked = set(truth.documents)
    under_attack = [text for text, name in zip(units.texts, units.documents, strict=True) if name in attacked]
    tainted = {own.documents[row] for row in copies(own.texts, under_attack)}
    usable = [row for row in _usable(own) if own.documents[row] not in tainted]
    if len(usable) < FEWEST_PAIRS:
        raise InputError(
            f"{own.name} gives {len(usable)} auxiliary texts, {cut.unit} by {cut.unit}, that share nothing with the "
            f"targets; expected at least {FEWEST_PAIRS}; give more text with --auxiliary"
        )
    return own.take(sample_rows(usable, settings.pairs, stream(settings.seed, "auxiliary")))


def _unit_of(truth: Corpus, settings: Settings) -> Unit:
    """Vectors the owner has are of sentences or of longer texts; the stranger cuts its own text to match."""
    typical = np.median([count_words(text) for text in truth.texts])
    return "sentence" if typical <= settings.longest else "text"


def _missing(targets: int, pairs: int, foreign: Corpus | None) -> dict[Domain, Missing]:
    """Which adversaries cannot be played; where that is all of them, the input is refused."""
    found = f"the texts, copies of targets taken out, leave {targets} to attack and {pairs} to learn from"
    needed = f"at least {FEWEST_TARGETS} and {FEWEST_PAIRS}"
    if targets < FEWEST_TARGETS or (pairs < FEWEST_PAIRS and foreign is None):
        raise InputError(f"{found}; expected {needed}; give more texts with --texts")
    missing: dict[Domain, Missing] = {}
    if pairs < FEWEST_PAIRS:
        missing["same-domain"] = Missing(found, f"give enough texts for {needed}")
    if foreign is None:
        missing["cross-domain"] = _NO_AUXILIARY
    return missing


def _encoded(inputs: Inputs, sides: Split, truth: Corpus, progress: Progress) -> tuple[Vectors, Vectors | None]:
    """The targets' vectors, and those of the pairs where the owner has them; where not, the stranger must ask."""
    if inputs.vectors is not None:
        return inputs.vectors[sides.target], inputs.vectors[sides.auxiliary]
    assert inputs.encoder is not None
    return inputs.encoder.encode(truth.texts, progress=_called("encoding the targets", progress)), None


def _called(task: str, progress: Progress) -> Progress:
    return lambda _task, total: progress(task, total)


def _queried(encoder: Encoder | None, known: Corpus, progress: Progress) -> Auxiliary:
    """Pairs the stranger paid for, query by query."""
    assert encoder is not None
    meter = Metered(encoder)
    vectors = meter.encode(known.texts, progress=_called("encoding the stranger's pairs", progress))
    return Auxiliary(vectors, known.texts, known.documents, known.name, meter.spent, known.attributes)
