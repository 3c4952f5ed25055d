"""Which keywords the probe `keywords` looks for, and why it skips others."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.case.case import Knowledge, Truth
from vestige.case.settings import MOST_KEYWORDS, Settings
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.text.keywords import keyword_table
from vestige.text.sensitive import sensitive_words
from vestige.text.tagger import find_common_entities, load_tagger
from vestige.types import Flags

MOST_QUOTED = 5


@dataclass(frozen=True)
class KeywordChoice:
    """The keywords that can be scored, and which target text contains which.

    `labels` are what a report calls them: those found in the owner's texts are masked. Keywords that too `few` target
    documents contain or lack, and those that the adversary cannot learn, are skipped.
    """

    keywords: tuple[str, ...]
    labels: tuple[str, ...]
    held: Flags
    few: tuple[str, ...] = ()
    unlearned: tuple[str, ...] = ()

    @property
    def masked(self) -> tuple[bool, ...]:
        """Which keywords a report does not name."""
        return tuple(label != keyword for keyword, label in zip(self.keywords, self.labels, strict=True))

    def describe_skipped(self) -> str:
        """Why keywords were skipped, each by its label; empty if none was."""
        reasons = []
        if self.few:
            reasons.append(
                f"too few target documents contain or lack {quote_labels(self.few)}: {FEWEST_DOCUMENTS} of each are "
                "required"
            )
        if self.unlearned:
            reasons.append(
                f"the attacker cannot learn {quote_labels(self.unlearned)}: none or all of its own texts contain it, "
                "and it has no encoder to query"
            )
        return "; ".join(reasons)


def choose_keywords(truth: Truth, knowledge: Knowledge, settings: Settings) -> KeywordChoice:
    """The keywords that are in enough target documents for an interval, and that the adversary can learn."""
    labels = {each: each for each in settings.keywords} or _list_candidates(truth, show_text=settings.show_text)
    wanted = list(labels)
    held, own = (keyword_table(texts, wanted) for texts in (truth.texts, knowledge.auxiliary.texts))
    learned = own.any(axis=0) & ~own.all(axis=0) | (knowledge.encoder is not None)
    documents = np.array(truth.documents)
    sides = [(set(documents[column]), set(documents[~column])) for column in held.T]
    enough = np.array([min(map(len, side)) >= FEWEST_DOCUMENTS for side in sides], dtype=np.bool_)
    kept = np.flatnonzero(enough & learned)[: len(wanted) if settings.keywords else MOST_KEYWORDS]

    def labelled(flags: Flags) -> tuple[str, ...]:
        return tuple(labels[wanted[place]] for place in np.flatnonzero(flags))

    return KeywordChoice(
        tuple(wanted[place] for place in kept),
        tuple(labels[wanted[place]] for place in kept),
        held[:, kept],
        labelled(~enough) if settings.keywords else (),
        labelled(enough & ~learned),
    )


def _list_candidates(truth: Truth, *, show_text: bool) -> dict[str, str]:
    """Sensitive words and, where a tagger is installed, places, organisations and nationalities; with their labels."""
    labels = {word: word for word in sensitive_words(truth.texts, truth.documents, FEWEST_DOCUMENTS)}
    if (tagger := load_tagger()) is None:
        return labels
    seen = Counter[str]()
    for keyword, kind in find_common_entities(tagger, truth.texts, truth.documents, FEWEST_DOCUMENTS).items():
        seen[kind] += 1
        labels.setdefault(keyword, keyword if show_text else f"{kind} {seen[kind]}")
    return labels


def quote_labels(labels: Sequence[str]) -> str:
    """A few by name, and how many more there are."""
    shown = [f"“{label}”" for label in labels[:MOST_QUOTED]]
    if len(labels) > MOST_QUOTED:
        shown.append(f"{len(labels) - MOST_QUOTED} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
