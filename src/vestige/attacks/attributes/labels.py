"""Labels as they come: some missing, some alone in their class, some not the name of a class at all."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vestige.errors import InputError
from vestige.types import Integers


@dataclass(frozen=True, slots=True)
class Labels:
    """The rows with a label, the class of each, and the sorted names of the classes."""

    rows: Integers
    classes: Integers
    names: tuple[str, ...]
    missing: int

    @property
    def counts(self) -> Integers:
        """The number of rows of each class."""
        return np.bincount(self.classes, minlength=len(self.names))


def as_labels(given: Sequence[str | None], texts: int, *, of: str = "vectors") -> Labels:
    """Check one label per text; rows whose label is None, NaN or blank are skipped and counted."""
    if isinstance(given, str) or len(given) != texts:
        raise InputError(f"{texts} {of} but {len(given)} labels; fit needs one label per text, None for a missing one")
    rows = [row for row, label in enumerate(given) if not _is_missing(label)]
    for row in rows:
        if not isinstance(given[row], str):
            raise InputError(
                f"the label of row {row} is {given[row]!r}, a {type(given[row]).__name__}; expected a class name; "
                "give str(label) if every value is a class of its own, ranges such as '30 to 39' for quantities"
            )
    names, classes = np.unique(np.array([given[row] for row in rows], dtype=np.str_), return_inverse=True)
    labels = Labels(np.array(rows, dtype=np.int64), classes, tuple(names.tolist()), texts - len(rows))
    _check_classes(labels, texts)
    return labels


def _check_classes(labels: Labels, texts: int) -> None:
    if len(labels.names) < 2:
        found = f"all labels are {labels.names[0]!r}" if labels.names else f"none of {texts} texts has a label"
        raise InputError(f"{found}; expected two classes or more")
    if labels.counts.max() < 2:
        raise InputError(
            f"each of the {len(labels.names)} classes has one text, too few to learn what the texts of a class share; "
            "give two or more texts of a class, or ranges if the labels are quantities"
        )


def _is_missing(label: object) -> bool:
    """None, NaN of any kind (the one value that differs from itself), blank."""
    return label is None or label != label or (isinstance(label, str) and not label.strip())
