"""Write the little TOML that Vestige needs: a table of strings, numbers, truth values and arrays of strings."""

import json
from collections.abc import Mapping, Sequence

TomlValue = str | int | float | bool | Sequence[str]


def format_table(name: str, values: Mapping[str, TomlValue]) -> str:
    """A table with its heading, one key per line."""
    return "\n".join([f"[{name}]", *(f"{key} = {format_value(value)}" for key, value in values.items())]) + "\n"


def format_value(value: TomlValue) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        # JSON escapes what TOML wants escaped, except for the delete character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"[{', '.join(map(format_value, value))}]"
