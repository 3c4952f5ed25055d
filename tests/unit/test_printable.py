"""Foreign strings cannot control a terminal or a page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestige.printable import printable, printable_lines


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("plain text, é 漢字 🙂", "plain text, é 漢字 🙂"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("\x9b31m", "\\x9b31m"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("abc\u202egnp.exe", "abc\\u202egnp.exe"),
        ("caf\udce9.npy", "caf\\udce9.npy"),
        ("no-break\xa0space", "no-break\xa0space"),
    ],
)
def test_control_characters_are_shown_not_sent(given_text, shown):
    assert printable(given_text) == shown


def test_lines_and_tabs_of_a_longer_text_stay():
    assert printable_lines("one\n\ttwo\x07\n") == "one\n\ttwo\\x07\n"


@given(st.text(st.characters(exclude_categories=())))
def test_whatever_is_given_can_be_encoded_and_holds_no_control_character(text):
    shown = printable(text)
    assert all(sign.isprintable() or sign in "\xa0\u3000 " or sign.isspace() for sign in shown)
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in shown)
    shown.encode()
