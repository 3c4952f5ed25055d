"""What the live page shows about one text."""

import pytest

from vestige.view.live_records import KeywordChip, LiveResult, MarkedText


@pytest.mark.parametrize(
    ("recovered", "guessed", "level"), [(2, 2, "none"), (0, 3, "none"), (3, 2, "substantial"), (5, 2, "severe")]
)
def test_the_colour_depends_on_guessing_and_on_half_of_the_words(recovered, guessed, level):
    result = LiveResult((), (), 10, recovered, recovered, guessed, None, (), (), (), None)
    assert result.level == level


@pytest.mark.parametrize(
    ("probability", "present", "outcome"),
    [(0.9, True, "correct"), (0.9, False, "wrong"), (0.1, True, "missed"), (0.1, False, None)],
)
def test_a_keyword_is_claimed_above_one_half(probability, present, outcome):
    assert KeywordChip("debt", probability, present).outcome == outcome


def test_control_characters_are_shown_and_lines_stay():
    assert MarkedText("other", "a\x1b[31m\nb\t").shown == "a\\x1b[31m\nb\\t"
