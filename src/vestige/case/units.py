"""Cut texts into units, and choose the rows of the targets and of the adversary."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vestige.case.inputs import Inputs
from vestige.case.randomness import stream
from vestige.case.settings import FEWEST_PAIRS, Settings, Unit
from vestige.case.source import TARGET_SHARE
from vestige.errors import InputError
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.text.corpus import Corpus
from vestige.text.split import Split, find_copies, sample_rows, split_documents
from vestige.text.traits import explain_skipped, is_unspaced
from vestige.text.words import content_words, count_words, unspaced_share

MOST_FURTHER = 50_000
"""Texts without a vector that an adversary counts words in."""


def cut_units(corpus: Corpus, settings: Settings, skipped: Counter[str]) -> Corpus:
    """The texts or their sentences; `skipped` counts the sentences that are not used, by reason."""
    if settings.unit == "text":
        return corpus

    def is_used(sentence: str) -> bool:
        reason = explain_skipped(sentence, settings.shortest, settings.longest)
        if reason:
            skipped[reason] += 1
        return reason is None

    return corpus.cut_sentences(is_used)


def find_usable_rows(units: Corpus) -> list[int]:
    """The rows with a content word that are written with spaces."""
    return [row for row, text in enumerate(units.texts) if content_words(text) and not is_unspaced(text)]


def split_rows(units: Corpus, settings: Settings) -> tuple[Split, list[int]]:
    """Split so that no document, and no copy of a target, is on both sides.

    The rows in the second part are the adversary's too, but it does not have their vectors.
    """
    usable = find_usable_rows(units)
    documents = [units.documents[row] for row in usable]
    if len(set(documents)) < 2 * FEWEST_DOCUMENTS:
        raise InputError(
            f"{units.name} has {len(set(documents))} documents with content words; expected at least "
            f"{2 * FEWEST_DOCUMENTS}, since split and intervals are by document; give more documents"
        )
    rng = stream(settings.seed, "split")
    split = split_documents(documents, TARGET_SHARE, rng, fewest=FEWEST_DOCUMENTS)
    target = sample_rows([usable[row] for row in split.target], settings.targets, rng)
    copied = set(find_copies(units.texts, [units.texts[row] for row in target]))
    apart = [usable[row] for row in split.auxiliary if usable[row] not in copied]
    if len({units.documents[row] for row in target}) < FEWEST_DOCUMENTS:
        raise InputError(
            f"{units.name}: the {len(target)} texts drawn as targets are from fewer than {FEWEST_DOCUMENTS} documents, "
            "too few for an interval; raise --targets, or give documents of similar length"
        )
    pairs = sample_rows(apart, settings.pairs, rng)
    return Split(pairs, target), _spare_rows(apart, pairs)


def _spare_rows(rows: Sequence[int], taken: Sequence[int]) -> list[int]:
    """At most `MOST_FURTHER` of the rows that were not taken."""
    left = set(taken)
    return [row for row in rows if row not in left][:MOST_FURTHER]


def refuse_unspaced(units: Corpus) -> None:
    """Refuse text without spaces: a whole clause would count as one word, and every score would be meaningless."""
    if unspaced_share(units.texts) > 0.3:
        raise InputError(
            f"{units.name} is written without spaces between words; expected words separated by spaces; "
            "split it with a word segmenter for its language, and audit the result"
        )


def choose_foreign(inputs: Inputs, units: Corpus, truth: Corpus, settings: Settings) -> tuple[Corpus, tuple[str, ...]]:
    """The adversary's cross-domain text in the same units, without documents that share a text with a target.

    The second part are the texts that are left, which get no vector.
    """
    assert inputs.auxiliary is not None
    cut = replace(settings, unit=_guess_unit(truth, settings)) if inputs.vectors is not None else settings
    own = cut_units(replace(inputs.auxiliary, attributes={}), cut, Counter())
    attacked = set(truth.documents)
    under_attack = [text for text, name in zip(units.texts, units.documents, strict=True) if name in attacked]
    tainted = {own.documents[row] for row in find_copies(own.texts, under_attack)}
    usable = [row for row in find_usable_rows(own) if own.documents[row] not in tainted]
    if len(usable) < FEWEST_PAIRS:
        raise InputError(
            f"{own.name} gives {len(usable)} auxiliary texts, {cut.unit} by {cut.unit}, that share nothing with the "
            f"targets; expected at least {FEWEST_PAIRS}; give more text with --auxiliary"
        )
    chosen = sample_rows(usable, settings.pairs, stream(settings.seed, "auxiliary"))
    return own.take(chosen), tuple(own.texts[row] for row in _spare_rows(usable, chosen))


def _guess_unit(truth: Corpus, settings: Settings) -> Unit:
    """Whether the owner's vectors are of sentences or of longer texts, so that cross-domain text is cut to match."""
    typical = np.median([count_words(text) for text in truth.texts])
    return "sentence" if typical <= settings.longest else "text"
