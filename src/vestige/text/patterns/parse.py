"""Parse the tables of a TOML file to a `Pattern`; errors name the file and the key."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.patterns.pattern import Field, Pattern, Template

MOST_VALUES, MOST_CHARACTERS, LARGEST = 10_000, 1000, 10**18
"""Values of a place, characters of a field, and the largest number in a file: more would take memory without end."""

_KEYS = ["summary", "template", "secret", "date", "fields"]
_KINDS = {
    "range": ["range", "digits"],
    "alphabet": ["alphabet", "length", "separator", "together"],
    "choices": ["choices"],
}


def parse_pattern(table: dict[str, Any], path: Path) -> Pattern:
    """Build the pattern and check all of it."""
    key = TomlKey(path)
    key.check_known(table, _KEYS)
    tables = key.at("fields").table(table.get("fields"))
    fields = {name: parse_field(name, value, key.at(f"fields.{name}")) for name, value in tables.items()}
    templates = _parse_templates(table.get("template"), fields, key.at("template"))
    secret = _parse_secret(table.get("secret"), fields, templates, key.at("secret"))
    pattern = Pattern(
        path.stem,
        key.at("summary").text(table.get("summary", "")),
        templates,
        tuple(fields.values()),
        secret,
        _parse_date(table.get("date", []), fields, key.at("date")),
    )
    if pattern.date and not len(pattern.dates()):
        raise InputError(f"{key.at('date')}: no combination of these ranges is a date of the calendar; widen a range")
    return pattern


def _parse_templates(value: Any, fields: dict[str, Field], key: "TomlKey") -> tuple[Template, ...]:
    texts = [value] if isinstance(value, str) else key.texts(value)
    templates = tuple(_parse_template(text, fields, key) for text in texts)
    unused = [name for name in fields if not any(name in template.fields for template in templates)]
    if unused:
        raise InputError(
            f"{key}: field '{unused[0]}' is in no template; write {{{unused[0]}}} into one, or remove the field"
        )
    return templates


def _parse_template(text: str, fields: dict[str, Field], key: "TomlKey") -> Template:
    try:
        template = Template.parse(text)
    except ValueError as error:
        raise InputError(
            f"{key}: '{text}' cannot be parsed ({error}); expected fields as {{name}}, braces as {{{{ and }}}}"
        ) from error
    for name in template.fields:
        if name not in fields:
            raise InputError(f"{key}: unknown field '{name}' in '{text}'; {nearest(name, list(fields))}")
        if template.fields.count(name) > 1:
            raise InputError(f"{key}: field '{name}' occurs twice in '{text}'; expected it once, so remove one")
    return template


def _parse_secret(
    value: Any, fields: dict[str, Field], templates: tuple[Template, ...], key: "TomlKey"
) -> tuple[str, ...]:
    names = key.names(value, fields, "name the fields to attack: secret = [...]")
    for name in names:
        without = [template.text for template in templates if name not in template.fields]
        if without:
            raise InputError(
                f"{key}: secret field '{name}' is not in template '{without[0]}'; write {{{name}}} into it"
            )
        if min(map(len, fields[name].places)) < 2:
            raise InputError(f"{key}: secret field '{name}' has only one value; expected two or more to guess between")
    return names


def _parse_date(value: Any, fields: dict[str, Field], key: "TomlKey") -> tuple[str, ...]:
    if value == []:
        return ()
    names = key.names(value, fields, "name year, month and day, or remove the key")
    if len(names) != 3:
        raise InputError(f"{key}: {len(names)} fields; expected three, the year, the month and the day")
    for name in names:
        values = fields[name].places[0]
        if len(fields[name].places) > 1 or not all(value.isdecimal() for value in values):
            raise InputError(f"{key}: field '{name}' is not a number; expected a range, such as range = [1, 12]")
    return names


def parse_field(name: str, value: Any, key: "TomlKey") -> Field:
    """Build a field from its table: a range of numbers, characters of an alphabet, or choices."""
    table = key.table(value)
    kinds = [kind for kind in _KINDS if kind in table]
    if len(kinds) != 1:
        key.check_known(table, [known for keys in _KINDS.values() for known in keys])
        raise InputError(f"{key}: found {' and '.join(kinds) or 'none'} of range, alphabet, choices; expected one")
    key.check_known(table, _KINDS[kinds[0]])
    if kinds == ["range"]:
        return Field(name, (_parse_range(table, key),))
    if kinds == ["choices"]:
        return Field(name, (tuple(key.below("choices").texts(table["choices"])),))
    return _parse_alphabet(name, table, key)


def _parse_range(table: dict[str, Any], key: "TomlKey") -> tuple[str, ...]:
    ends = table["range"]
    if not isinstance(ends, list) or len(ends) != 2:
        raise key.below("range").build_error(ends, "two whole numbers such as [1, 12]")
    low, high = (key.below("range").whole(end, 0) for end in ends)
    if low > high:
        raise InputError(f"{key}: the range [{low}, {high}] is reversed; expected [{high}, {low}]")
    if high - low >= MOST_VALUES:
        raise InputError(
            f"{key}: {high - low + 1:,} numbers in the range; expected at most {MOST_VALUES:,}; "
            'describe them as characters: alphabet = "0123456789", length = ...'
        )
    digits = key.below("digits").whole(table.get("digits", 1), 1, MOST_CHARACTERS)
    if len(str(high)) > digits > 1:
        raise InputError(f"{key}: {high} does not fit in {digits} digits; expected digits = {len(str(high))}")
    return tuple(f"{number:0{digits}d}" for number in range(low, high + 1))


def _parse_alphabet(name: str, table: dict[str, Any], key: "TomlKey") -> Field:
    alphabet = key.below("alphabet").text(table["alphabet"])
    if not alphabet or len(set(alphabet)) < len(alphabet):
        raise key.below("alphabet").build_error(alphabet, "characters, at least one, none twice")
    length = key.below("length").whole(table.get("length", 1), 1, MOST_CHARACTERS)
    separator = key.below("separator").text(table.get("separator", ""))
    together = table.get("together", False)
    if not isinstance(together, bool):
        raise key.below("together").build_error(together, "true or false")
    if not together:
        return Field(name, (tuple(alphabet),) * length, separator)
    if len(alphabet) ** length > MOST_VALUES:
        raise InputError(
            f"{key}: {len(alphabet)} characters to the power {length} are too many values to combine; "
            f"expected at most {MOST_VALUES:,}; remove 'together'"
        )
    return Field(name, (tuple(separator.join(characters) for characters in product(alphabet, repeat=length)),))


@dataclass(frozen=True, slots=True)
class TomlKey:
    """A key of a TOML file. It checks the value of the key and names the key in every error."""

    path: Path
    key: str = ""

    def __str__(self) -> str:
        return f"{self.path}, {self.key}" if self.key else str(self.path)

    def at(self, key: str) -> "TomlKey":
        """Another key of the same file."""
        return TomlKey(self.path, key)

    def below(self, key: str) -> "TomlKey":
        """A key of this table."""
        return self.at(f"{self.key}.{key}")

    def check_known(self, table: dict[str, Any], known: list[str]) -> None:
        """Raise for a key that nothing reads."""
        for key in table:
            if key not in known:
                raise InputError(f"{self}: unknown key '{key}'; {nearest(key, known)}")

    def table(self, value: Any) -> dict[str, Any]:
        """The value as a table that is not empty."""
        if not isinstance(value, dict) or not value:
            raise self.build_error(value, "a table such as year = { range = [1920, 2019] }")
        return value

    def text(self, value: Any) -> str:
        """The value as a string."""
        if not isinstance(value, str):
            raise self.build_error(value, "text in quotes")
        return value

    def whole(self, value: Any, least: int, most: int = LARGEST) -> int:
        """The value as a whole number of at least `least`."""
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.build_error(value, f"a whole number of at least {least}")
        if value > most:
            raise InputError(f"{self}: the number is too large; expected at most {most:,}")
        return value

    def texts(self, value: Any) -> list[str]:
        """The value as a list of one or more different strings."""
        if not isinstance(value, list) or not value or not all(isinstance(text, str) for text in value):
            raise self.build_error(value, "text in quotes, or a list of such texts")
        self._check_unique(value)
        return value

    def names(self, value: Any, known: Collection[str], remedy: str) -> tuple[str, ...]:
        """The value as a list of one or more different known names."""
        if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
            raise self.build_error(value, f"a list of field names; {remedy}")
        self._check_unique(value)
        for name in value:
            if name not in known:
                raise InputError(f"{self}: unknown field '{name}'; {nearest(name, list(known))}")
        return tuple(value)

    def build_error(self, value: Any, expected: str) -> InputError:
        """An error that says what was found and what was expected."""
        return InputError(f"{self}: found {'nothing' if value is None else repr(value)}; expected {expected}")

    def _check_unique(self, values: Sequence[str]) -> None:
        twice = sorted(value for value, count in Counter(values).items() if count > 1)
        if twice:
            raise InputError(f"{self}: '{twice[0]}' is listed more than once; remove one")
