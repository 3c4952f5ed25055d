"""Sizes that a user sets are of the type of their field."""

from dataclasses import dataclass, field

import pytest

from vestige.errors import InputError
from vestige.papers.sizes import override_sizes


@dataclass(frozen=True)
class SomeStrengths:
    shares: tuple[float, ...] = (0.1,)
    rounds: int = 5


@dataclass(frozen=True)
class SomeSizes:
    epochs: int = 10
    share: float = 0.5
    vocabulary: int | None = 2000
    memorised: tuple[int, ...] = (1, 10)
    corpus: str = ""
    whole: bool = False
    grid: dict[str, int] = field(default_factory=dict)
    strengths: SomeStrengths = SomeStrengths()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("epochs=30", {"epochs": 30}),
        ("epochs=200_000", {"epochs": 200_000}),
        ("share=1e-3", {"share": 0.001}),
        ("vocabulary=5", {"vocabulary": 5}),
        ("vocabulary=none", {"vocabulary": None}),
        ("memorised=1,2,5", {"memorised": (1, 2, 5)}),
        ("memorised=3", {"memorised": (3,)}),
        ("corpus=imdb", {"corpus": "imdb"}),
        ("whole=True", {"whole": True}),
        ("strengths.shares=0.01,0.5", {"strengths": SomeStrengths(shares=(0.01, 0.5))}),
    ],
)
def test_a_value_has_the_type_of_its_field(given, expected):
    assert override_sizes(SomeSizes(), [given]) == SomeSizes(**expected)


def test_the_last_value_counts():
    assert override_sizes(SomeSizes(), ["epochs=2", "share=0.1", "epochs=3"]) == SomeSizes(epochs=3, share=0.1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("epochs", "not of the form NAME=VALUE"),
        ("epochs=", "not of the form NAME=VALUE"),
        ("epoch=3", "knows no size 'epoch'; did you mean 'epochs'"),
        ("epochs=few", "epochs=few: expected a whole number"),
        ("epochs=none", "expected a whole number"),
        ("whole=yes", "expected true or false"),
        ("grid=1", "cannot change 'grid'"),
        ("strengths=1", "knows no size 'strengths'"),
        ("strengths.share=1", "no size 'strengths.share'; did you mean 'strengths.shares'"),
        ("strengths.rounds=few", "strengths.rounds=few: expected a whole number"),
        ("epochs.few=1", "knows no size 'epochs.few'"),
    ],
)
def test_anything_else_is_an_error(given, message):
    with pytest.raises(InputError, match=message):
        override_sizes(SomeSizes(), [given])
