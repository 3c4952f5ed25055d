"""Control characters, made visible."""

from vestige.text.controls import escape_controls


def test_a_control_character_is_shown_as_its_escape():
    assert escape_controls("tab\there \x1b[31m é") == "tab\\there \\x1b[31m é"
