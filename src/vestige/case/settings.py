"""What an audit may be told, with the defaults that make it end in minutes on a laptop."""

from dataclasses import dataclass
from math import ceil
from typing import Literal, get_args

from vestige.errors import InputError
from vestige.types import Precision

Unit = Literal["sentence", "text"]
Recipe = Literal["default", "paper"]
Access = Literal["pairs", "queries", "weights"]

FEWEST_PAIRS = 100
FEWEST_TARGETS = 30

RECORDS, MADE_UP = 500, 10_000
"""Records of a pattern that are attacked, and those that the stranger makes up to learn from."""

MOST_KEYWORDS, EXTERNAL = 20, 300
"""Sensitive words that are looked for where the owner lists none; unrelated texts into which each keyword is put."""

MOST_SWAPPED = 300
"""Texts into which another name is put."""

ASKED_FOR, NOT_THERE = 300, 200
"""Texts of either side of which a stranger asks whether a store holds them; texts of its own that it does not hold."""

FEWEST_LABELS = 2

Z = 1.96


def targets_within(margin: float) -> int:
    """So many targets that a share of them is known to within this margin, at worst, 95 times in a hundred."""
    if not 0 < margin < 0.5:
        raise InputError(f"The 'within' parameter must lie between 0 and 0.5. Got {margin} instead.")
    return max(FEWEST_TARGETS, ceil((Z / (2 * margin)) ** 2))


@dataclass(frozen=True, slots=True)
class Settings:
    """The seed, the sizes, and how texts are read. The same settings and inputs give the same JSON.

    `rewritten` texts are searched for with at most `queries` queries each; None is 300 here, and none at all of an
    encoder elsewhere, where each would be sent and paid for. `access` is what a stranger has besides pairs: nothing,
    answers of the encoder, or its weights as well. `keywords` are the words that the owner fears for, one or several in
    a row each; without any, common sensitive words are taken. `patterns` are names or files of formats such as a
    citizen number; without any, those that the texts hold. `attributes` are columns of labels, such as the author,
    that come with the texts; without any, the columns that look like labels. A stranger has at most `labels` a class.
    `probes` are the questions to ask; without any, all.
    `sample` rows are drawn from a store; without it, as many as `targets` and `pairs` ask for.
    """

    seed: int = 0
    targets: int = 1000
    pairs: int = 12_000
    unit: Unit = "sentence"
    shortest: int = 8
    longest: int = 40
    vocabulary_size: int = 8000
    recipe: Recipe = "default"
    access: Access = "weights"
    rewritten: int = 30
    queries: int | None = None
    keywords: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()
    labels: int = 50
    precision: Precision = "fp32"
    sample: int | None = None
    vector_column: str | None = None
    id_column: str | None = None
    text_column: str | None = None
    document_column: str | None = None
    auxiliary_column: str | None = None
    trained_on_column: str | None = None
    show_text: bool = False

    def __post_init__(self) -> None:
        """Refuse what could only give an empty audit."""
        floors = {
            "seed": 0,
            "targets": FEWEST_TARGETS,
            "pairs": FEWEST_PAIRS,
            "shortest": 1,
            "longest": self.shortest,
            "vocabulary_size": 1,
            "rewritten": 1,
            "queries": 0,
            "labels": FEWEST_LABELS,
            "sample": FEWEST_TARGETS,
        }
        for name, floor in floors.items():
            if getattr(self, name) is not None and getattr(self, name) < floor:
                raise InputError(f"The '{name}' parameter must be at least {floor}. Got {getattr(self, name)} instead.")
        for name in ("keywords", "patterns", "attributes", "probes"):
            if isinstance(getattr(self, name), str):
                raise InputError(f"The '{name}' parameter must be a tuple of strings. Got one string instead.")
        for name, known in {
            "unit": get_args(Unit),
            "recipe": get_args(Recipe),
            "access": get_args(Access),
            "precision": get_args(Precision),
        }.items():
            if getattr(self, name) not in known:
                raise InputError(
                    f"The '{name}' parameter must be one of {', '.join(known)}. Got '{getattr(self, name)}' instead."
                )
