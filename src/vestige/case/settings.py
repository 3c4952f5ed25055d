"""The settings of an audit, with defaults under which it takes minutes on a laptop."""

from dataclasses import dataclass
from math import ceil
from typing import Any, Literal, Self, get_args

from vestige.errors import InputError
from vestige.types import Precision

Unit = Literal["sentence", "text"]
Recipe = Literal["default", "paper"]
ANY_PROBE = get_args(Recipe)
"""The recipes that every probe has; the others are attacks of the papers by name."""

Access = Literal["pairs", "queries", "weights"]
ImportanceName = Literal["tfidf", "keybert", "yake"]
Preset = Literal["quick", "standard", "thorough"]

FEWEST_PAIRS = 100
FEWEST_TARGETS = 30

RECORDS, MADE_UP = 500, 10_000
"""Records of a pattern that are attacked, and those that the adversary generates to learn from."""

MOST_KEYWORDS, EXTERNAL, PUBLISHED_EXTERNAL = 20, 300, 2000
"""Sensitive words to look for if the owner lists none; cross-domain texts into which each keyword is put, by our recipe
and by that of Pan et al. 2020."""

MOST_SWAPPED = 300
"""Texts into which another name is put."""

MOST_QUERIED, OWN_TEXTS = 300, 200
"""Texts of each side that an adversary looks for in a store; texts of its own that are not in it."""

PRESETS: dict[str, dict[str, Any]] = {
    "quick": {"targets": 300, "pairs": 2000, "vocabulary_size": 4000, "probes": ("words", "attributes")},
    "standard": {},
    "thorough": {"targets": 2000, "pairs": 40_000, "rewritten": 100},
}
"""Settings that are chosen together: a lower bound soon, the defaults, or narrow intervals after a long run.

A quick attacker has fewer pairs, since encoding them takes most of the time: it recovers less than the standard one.
"""

FEWEST_LABELS = 2

Z = 1.96

SMALLEST_MARGIN = 0.0005
"""About 3.8 million targets; a smaller margin needs more than an audit can attack."""


def targets_within(margin: float) -> int:
    """The number of targets for which a 95% interval of a share is at most this margin on each side."""
    if not SMALLEST_MARGIN <= margin < 0.5:
        raise InputError(f"The 'within' parameter must be from {SMALLEST_MARGIN} to 0.5. Got {margin} instead.")
    return max(FEWEST_TARGETS, ceil((Z / (2 * margin)) ** 2))


@dataclass(frozen=True, slots=True)
class Settings:
    """The seed, the sizes, and how texts are read. The same settings and inputs give the same JSON.

    `rewritten` texts are reconstructed with at most `queries` queries each; None means 200 for a local encoder, and
    none for one on another machine, where each query would be sent and paid for. `inverter` is a folder that `vestige
    train --inverter` wrote, from which that search starts. `access` is what an adversary has
    besides pairs: nothing, queries to the encoder, or also its weights. `keywords` are sensitive words or phrases of
    the owner; without any, common sensitive words are used. `patterns` are names or files of formats such as a citizen
    number; without any, those that the texts contain. `attributes` are columns of labels, such as the author; without
    any, the columns that look like labels. An adversary has at most `labels` labels per class. `probes` are the probes
    to run; without any, all. `recipe` is "default", "paper" for each probe's published attack, or the name of one such
    as "song-msp", which only the probes run that it answers. The adversary of the probe `budget` has the `surrogate`,
    the best of the installed encoders if it is None, and ranks words by `importance`: all that its texts share, or
    those of the `vocabulary`; it is scored with each of the `budgets`, or with the usual ones. `sample` rows are drawn
    from a store; without it, as many as `targets` and `pairs` require.
    """

    seed: int = 0
    targets: int = 1000
    pairs: int = 8000
    unit: Unit = "sentence"
    shortest: int = 8
    longest: int = 40
    vocabulary_size: int = 8000
    recipe: str = "default"
    access: Access = "weights"
    rewritten: int = 30
    queries: int | None = None
    inverter: str | None = None
    keywords: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()
    labels: int = 50
    surrogate: str | None = None
    importance: ImportanceName = "tfidf"
    vocabulary: tuple[str, ...] = ()
    budgets: tuple[int, ...] = ()
    precision: Precision = "fp32"
    sample: int | None = None
    vector_column: str | None = None
    id_column: str | None = None
    text_column: str | None = None
    document_column: str | None = None
    auxiliary_column: str | None = None
    trained_on_column: str | None = None
    show_text: bool = False

    @property
    def external(self) -> int:
        """Cross-domain texts into which each keyword is put."""
        return EXTERNAL if self.recipe_kind == "default" else PUBLISHED_EXTERNAL

    @property
    def recipe_kind(self) -> Recipe:
        """Whether attacks are run with our settings or as published; "paper" for every recipe of a paper."""
        return "default" if self.recipe == "default" else "paper"

    def describe_weakness(self) -> str:
        """What the attacker has less of than by default, such as "2,000 pairs instead of 8,000"; empty if nothing."""
        usual = type(self)()
        amounts = {"pairs": "pairs", "vocabulary_size": "words to choose from"}
        fewer = {name: what for name, what in amounts.items() if getattr(self, name) < getattr(usual, name)}
        listed = [f"{getattr(self, name):,} {what} instead of {getattr(usual, name):,}" for name, what in fewer.items()]
        return " and ".join(listed)

    @classmethod
    def for_preset(cls, preset: Preset, **changes: Any) -> Self:
        """The settings of a preset, with some of them changed: `Settings.for_preset("quick", targets=500)`."""
        if preset not in PRESETS:
            raise InputError(f"The 'preset' parameter must be one of {', '.join(PRESETS)}. Got '{preset}' instead.")
        return cls(**{**PRESETS[preset], **changes})

    def __post_init__(self) -> None:
        """Refuse settings that could only give an empty audit."""
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
        for name in ("keywords", "patterns", "attributes", "probes", "vocabulary"):
            if isinstance(getattr(self, name), str):
                raise InputError(f"The '{name}' parameter must be a tuple of strings. Got one string instead.")
        if any(budget < 0 for budget in self.budgets):
            raise InputError(f"The 'budgets' parameter must hold numbers of queries, 0 or more. Got {self.budgets}.")
        for name, known in {
            "unit": get_args(Unit),
            "access": get_args(Access),
            "importance": get_args(ImportanceName),
            "precision": get_args(Precision),
        }.items():
            if getattr(self, name) not in known:
                raise InputError(
                    f"The '{name}' parameter must be one of {', '.join(known)}. Got '{getattr(self, name)}' instead."
                )
