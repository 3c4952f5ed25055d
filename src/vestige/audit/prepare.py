"""From what the owner has to a case: cut into units, split by document, encode."""

from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from vestige.audit.case import Auxiliary, Case, Domain, Truth
from vestige.audit.inputs import Inputs
from vestige.audit.randomness import stream
from vestige.audit.result import Subject
from vestige.audit.settings import FEWEST_PAIRS, FEWEST_TARGETS, Settings
from vestige.encoders.metered import Metered
from vestige.errors import InputError
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.text.corpus import Corpus
from vestige.text.split import sample_rows, split_documents, without_copies
from vestige.text.words import content_words
from vestige.types import Encoder, Progress, Vectors

TARGET_SHARE = 0.25

_NO_AUXILIARY = (
    "no text from elsewhere was named",
    "name a corpus or a file that is not the owner's with --auxiliary",
)


def prepare(inputs: Inputs, settings: Settings, progress: Progress) -> Case:
    """Build the case that these inputs allow."""
    if inputs.texts is None:
        return _unreadable(inputs, settings)
    units = _units(inputs.texts, settings) if inputs.vectors is None else inputs.texts
    usable = [row for row, text in enumerate(units.texts) if content_words(text)]
    auxiliary_rows, target_rows = _sides(units, usable, settings, alone=inputs.auxiliary is None)
    truth = units.take(target_rows)
    targets, pairs = _vectors_of(inputs, units, target_rows, auxiliary_rows, progress)
    adversaries: dict[Domain, Auxiliary] = {}
    missing: dict[Domain, tuple[str, str]] = {}
    if pairs is None:
        missing["same-domain"] = (
            f"{len(units)} texts leave too few pairs to learn from",
            f"give at least {FEWEST_PAIRS + FEWEST_TARGETS} texts",
        )
    else:
        adversaries["same-domain"] = pairs
    if inputs.auxiliary is None or inputs.encoder is None:
        missing["cross-domain"] = _NO_AUXILIARY
    else:
        adversaries["cross-domain"] = _from_elsewhere(inputs.auxiliary, inputs.encoder, truth.texts, settings, progress)
    subject = _subject(inputs, units, truth, targets)
    return Case(targets, Truth(truth.texts, truth.documents), adversaries, subject, missing)


def _units(corpus: Corpus, settings: Settings) -> Corpus:
    if settings.unit == "text":
        return corpus
    return corpus.sentences(settings.shortest, settings.longest)


def _sides(units: Corpus, usable: list[int], settings: Settings, *, alone: bool) -> tuple[list[int], list[int]]:
    """Rows for the auxiliary and the target side; no document, and no copy of a target, on both."""
    needed = FEWEST_PAIRS + FEWEST_TARGETS if alone else FEWEST_TARGETS
    if len(usable) < needed:
        raise InputError(
            f"{units.name} gives {len(usable)} texts that can be used ({settings.unit} by {settings.unit}); "
            f"expected at least {needed}"
        )
    documents = [units.documents[row] for row in usable]
    if len(set(documents)) < 2 * FEWEST_DOCUMENTS:
        raise InputError(
            f"{units.name} has {len(set(documents))} documents; expected at least {2 * FEWEST_DOCUMENTS}, "
            "since the split and the intervals go by document"
        )
    rng = stream(settings.seed, "split")
    split = split_documents(documents, TARGET_SHARE, rng)
    target = sample_rows([usable[row] for row in split.target], settings.targets, rng)
    auxiliary = [usable[row] for row in split.auxiliary]
    apart = without_copies(units.texts, auxiliary, [units.texts[row] for row in target])
    return sample_rows(apart, settings.pairs, rng), target


def _vectors_of(
    inputs: Inputs, units: Corpus, target_rows: list[int], auxiliary_rows: list[int], progress: Progress
) -> tuple[Vectors, Auxiliary | None]:
    """The targets' vectors, made by the owner, and the adversary's pairs, paid for by query where it had to ask."""
    enough = len(auxiliary_rows) >= FEWEST_PAIRS
    texts = [units.texts[row] for row in auxiliary_rows]
    if inputs.vectors is not None:
        pairs = Auxiliary(inputs.vectors[auxiliary_rows], texts, inputs.vectors_name, 0) if enough else None
        return inputs.vectors[target_rows], pairs
    assert inputs.encoder is not None
    targets = inputs.encoder.encode([units.texts[row] for row in target_rows], progress=progress)
    return targets, _queried(inputs.encoder, texts, units.name, progress) if enough else None


def _from_elsewhere(
    corpus: Corpus, encoder: Encoder, forbidden: Sequence[str], settings: Settings, progress: Progress
) -> Auxiliary:
    units = _units(corpus, settings)
    usable = [row for row, text in enumerate(units.texts) if content_words(text)]
    apart = without_copies(units.texts, usable, forbidden)
    rows = sample_rows(apart, settings.pairs, stream(settings.seed, "auxiliary"))
    if len(rows) < FEWEST_PAIRS:
        raise InputError(f"{corpus.name} gives {len(rows)} auxiliary texts; expected at least {FEWEST_PAIRS}")
    return _queried(encoder, [units.texts[row] for row in rows], corpus.name, progress)


def _queried(encoder: Encoder, texts: list[str], source: str, progress: Progress) -> Auxiliary:
    meter = Metered(encoder)
    vectors = meter.encode(texts, progress=progress)
    return Auxiliary(vectors, texts, source, meter.spent)


def _unreadable(inputs: Inputs, settings: Settings) -> Case:
    """Vectors without their texts: an attack could run, but nobody could say how well it did."""
    assert inputs.vectors is not None
    reason = ("the texts behind the vectors are not there, so no guess can be checked", "give them with --texts")
    rows = sample_rows(range(len(inputs.vectors)), settings.targets, stream(settings.seed, "split"))
    targets = inputs.vectors[rows]
    nothing = Corpus("", [])
    subject = _subject(inputs, nothing, nothing, targets)
    return Case(targets, None, {}, subject, {"same-domain": reason, "cross-domain": reason})


def _subject(inputs: Inputs, units: Corpus, truth: Corpus, targets: Vectors) -> Subject:
    return Subject(
        vectors=inputs.vectors_name if inputs.vectors is not None else None,
        corpus=inputs.texts.name if inputs.texts else None,
        encoder=inputs.encoder.name if inputs.encoder else None,
        auxiliary=inputs.auxiliary.name if inputs.auxiliary else None,
        named=inputs.named,
        dimension=int(targets.shape[1]),
        texts=len(units),
        documents=len(set(units.documents)),
        target_texts=len(truth),
        target_documents=len(set(truth.documents)),
        digest=sha256(np.ascontiguousarray(targets).tobytes()).hexdigest()[:16],
    )
