"""A leaderboard for tests."""

from vestige.case.findings import NotApplicable
from vestige.case.settings import Settings
from vestige.leaderboard.record import (
    EncoderLeakage,
    Leaderboard,
    LengthLeakage,
    NotRanked,
    RankedEncoder,
    StoredForm,
)
from vestige.types import Score


def _score(value: float, baseline: float = 0.0) -> Score:
    return Score(value, value - 0.05, value + 0.05, 100, baseline)


def _row(encoder: str, leakage: float, dimension: int) -> RankedEncoder:
    return RankedEncoder(
        encoder,
        dimension,
        _score(0.7),
        (EncoderLeakage("words", "substantial", _score(leakage), ()),),
        (LengthLeakage("8 to 16 words", _score(leakage + 0.01)),),
        (
            StoredForm("float32", 4 * dimension, _score(leakage), _score(0.9)),
            StoredForm(f"truncation:{dimension // 2}", 2 * dimension, _score(leakage - 0.1), _score(0.4)),
        ),
        (NotApplicable("names", "Can names be recovered?", "no names", "give texts with names"),),
        ("about 200 words: too few documents; give more",),
    )


def board(*, named: bool = True) -> Leaderboard:
    """Two encoders, and one that is not installed."""
    return Leaderboard(
        1,
        "0.1.0",
        "By 'words', first leaks least.",
        ("A sentence.",),
        "letters.csv",
        named,
        ("words", "names"),
        (80, 200),
        ("first", "second", "absent<b>"),
        (_row("first", 0.3, 100), _row("second", 0.6, 384)),
        (NotRanked("absent<b>", "not installed"),),
        Settings(probes=("words", "names")),
    )
