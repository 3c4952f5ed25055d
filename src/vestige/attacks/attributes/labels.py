"""Labels as they come: some missing, some alone in their class, some no classes at all."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.errors import InputError
from vestige.types import Integers


@dataclass(frozen=True, slots=True)
class Labels:
    """The rows that carry a label, the class of each, and what the classes are called, in order of their names."""

    rows: Integers
    classes: Integers
    names: tuple[str, ...]
    missing: int

    @property
    def counts(self) -> Integers:
        """How many rows each class has."""
        return np.bincount(self.classes, minlength=len(self.names))


def as_labels(given: Sequence[str | None], texts: int, *, of: str = "vectors") -> Labels:
    """One label a text; None, NaN and blank strings are no labels, and their rows are left out and counted."""
    if isinstance(given, str) or len(given) != texts:
        raise InputError(f"{texts} {of} but {len(given)} labels; fit needs one label a text, None where there is none")
    rows = [row for row, label in enumerate(given) if not _is_missing(label)]
    for row in rows:
        if not isinstance(given[row], str):
            raise InputError(
                f"the label of row {row} is {given[row]!r}, a {type(given[row]).__name__}; expected a class by name; "
                "give str(label) where every value is a class of its own, ranges such as '30 to 39' for quantities"
            )
    names, classes = np.unique(np.array([given[row] for row in rows], dtype=np.str_), return_inverse=True)
    labels = Labels(np.array(rows, dtype=np.int64), classes, tuple(names.tolist()), texts - len(rows))
    _check_classes(labels, texts)
    return labels


def _check_classes(labels: Labels, texts: int) -> None:
    if len(labels.names) < 2:
        found = f"all labels are {labels.names[0]!r}" if labels.names else f"none of {texts} texts has a label"
        raise InputError(f"{found}; there is nothing to tell apart; expected two classes or more")
    if labels.counts.max() < 2:
        raise InputError(
            f"each of the {len(labels.names)} classes has one text, which does not show what texts of a class share; "
            "give two or more texts of a class, or ranges where the labels are quantities"
        )


def _is_missing(label: object) -> bool:
    """None, NaN of whatever kind (the one value that is not itself), blank."""
    return label is None or label != label or (isinstance(label, str) and not label.strip())
