"""Which keywords the probe `keywords` looks for, and why it leaves others out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.case.case import Knowledge, Truth
from vestige.case.settings import MOST_KEYWORDS, Settings
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.text.keywords import keyword_table
from vestige.text.sensitive import sensitive_words
from vestige.text.tagger import common_entities, tagger_here
from vestige.types import Flags

MOST_QUOTED = 5


@dataclass(frozen=True)
class Asked:
    """The keywords that can be scored, and which target text holds which.

    `labels` are what a report calls them: those found in the owner's texts are masked. Left out are those that too
    `few` target documents hold or lack, and those that the stranger has no way to learn.
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

    @property
    def left_out(self) -> str:
        """Why keywords were left out, each by its label; empty where none was."""
        reasons = []
        if self.few:
            reasons.append(
                f"too few target documents hold or lack {quoted(self.few)}, where {FEWEST_DOCUMENTS} of each are needed"
            )
        if self.unlearned:
            reasons.append(
                f"the stranger cannot learn {quoted(self.unlearned)}: none or all of its own texts hold it, and it has "
                "no encoder to ask"
            )
        return "; ".join(reasons)


def asked_of(truth: Truth, knowledge: Knowledge, settings: Settings) -> Asked:
    """Those that stand in enough target documents for an interval, and that the stranger can learn."""
    labels = {each: each for each in settings.keywords} or _candidates(truth, show_text=settings.show_text)
    wanted = list(labels)
    held, own = (keyword_table(texts, wanted) for texts in (truth.texts, knowledge.auxiliary.texts))
    learned = own.any(axis=0) & ~own.all(axis=0) | (knowledge.encoder is not None)
    documents = np.array(truth.documents)
    sides = [(set(documents[column]), set(documents[~column])) for column in held.T]
    enough = np.array([min(map(len, side)) >= FEWEST_DOCUMENTS for side in sides], dtype=np.bool_)
    kept = np.flatnonzero(enough & learned)[: len(wanted) if settings.keywords else MOST_KEYWORDS]

    def labelled(flags: Flags) -> tuple[str, ...]:
        return tuple(labels[wanted[place]] for place in np.flatnonzero(flags))

    return Asked(
        tuple(wanted[place] for place in kept),
        tuple(labels[wanted[place]] for place in kept),
        held[:, kept],
        labelled(~enough) if settings.keywords else (),
        labelled(enough & ~learned),
    )


def _candidates(truth: Truth, *, show_text: bool) -> dict[str, str]:
    """Sensitive words and, where a tagger is installed, places, organisations and nationalities; with their labels."""
    labels = {word: word for word in sensitive_words(truth.texts, truth.documents, FEWEST_DOCUMENTS)}
    if (tagger := tagger_here()) is None:
        return labels
    seen = Counter[str]()
    for keyword, kind in common_entities(tagger, truth.texts, truth.documents, FEWEST_DOCUMENTS).items():
        seen[kind] += 1
        labels.setdefault(keyword, keyword if show_text else f"{kind} {seen[kind]}")
    return labels


def quoted(labels: Sequence[str]) -> str:
    """A few by name, and how many more there are."""
    shown = [f"“{label}”" for label in labels[:MOST_QUOTED]]
    if len(labels) > MOST_QUOTED:
        shown.append(f"{len(labels) - MOST_QUOTED} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
