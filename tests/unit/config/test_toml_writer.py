"""What is written is what tomllib reads."""

import tomllib

import pytest

from vestige.config.toml_writer import format_table, format_value


@pytest.mark.parametrize(
    "value",
    ["plain", 'a "quote" \\ and #', "line\nbreak\t\x00\x1f\x7f", "é 😀", "", 0, -3, 0.25, True, False, ["a", 'b"'], []],
)
def test_a_value_is_read_back(value):
    assert tomllib.loads(f"key = {format_value(value)}") == {"key": value}


def test_a_table():
    assert (
        format_table("audit.letters", {"seed": 0, "probe": ("words",)})
        == '[audit.letters]\nseed = 0\nprobe = ["words"]\n'
    )
