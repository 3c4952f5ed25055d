"""From a table of a TOML file to a field: a range of numbers, characters of an alphabet, or choices."""

from itertools import product
from typing import Any

from vestige.errors import InputError
from vestige.text.patterns.field import Field
from vestige.text.patterns.place import Place

_KINDS = {
    "range": ["range", "digits"],
    "alphabet": ["alphabet", "length", "separator", "together"],
    "choices": ["choices"],
}
MOST_VALUES = 10_000


def described_field(name: str, given: Any, place: Place) -> Field:
    """The field, by the one of three kinds that its table names."""
    table = place.table(given)
    kinds = [kind for kind in _KINDS if kind in table]
    if len(kinds) != 1:
        place.only(table, [key for keys in _KINDS.values() for key in keys])
        raise InputError(f"{place}: found {' and '.join(kinds) or 'none'} of range, alphabet, choices; expected one")
    place.only(table, _KINDS[kinds[0]])
    if kinds == ["range"]:
        return Field(name, (_numbers(table, place),))
    if kinds == ["choices"]:
        return Field(name, (tuple(place.at(f"{place.key}.choices").texts(table["choices"])),))
    return _characters(name, table, place)


def _numbers(table: dict[str, Any], place: Place) -> tuple[str, ...]:
    ends = table["range"]
    if not isinstance(ends, list) or len(ends) != 2:
        raise place.at(f"{place.key}.range").wrong(ends, "two whole numbers such as [1, 12]")
    low, high = (place.at(f"{place.key}.range").whole(end, 0) for end in ends)
    if low > high:
        raise InputError(f"{place}: the range [{low}, {high}] is upside down; expected [{high}, {low}]")
    if high - low >= MOST_VALUES:
        raise InputError(
            f"{place}: {high - low + 1:,} numbers in the range; expected at most {MOST_VALUES:,}; "
            'describe them as characters: alphabet = "0123456789", length = ...'
        )
    digits = place.at(f"{place.key}.digits").whole(table.get("digits", 1), 1)
    if len(str(high)) > digits > 1:
        raise InputError(f"{place}: {high} does not fit in {digits} digits; expected digits = {len(str(high))}")
    return tuple(f"{number:0{digits}d}" for number in range(low, high + 1))


def _characters(name: str, table: dict[str, Any], place: Place) -> Field:
    alphabet = place.at(f"{place.key}.alphabet").text(table["alphabet"])
    if not alphabet or len(set(alphabet)) < len(alphabet):
        raise place.at(f"{place.key}.alphabet").wrong(alphabet, "characters, at least one, none twice")
    length = place.at(f"{place.key}.length").whole(table.get("length", 1), 1)
    separator = place.at(f"{place.key}.separator").text(table.get("separator", ""))
    together = table.get("together", False)
    if not isinstance(together, bool):
        raise place.at(f"{place.key}.together").wrong(together, "true or false")
    if not together:
        return Field(name, (tuple(alphabet),) * length, separator)
    if len(alphabet) ** length > MOST_VALUES:
        raise InputError(
            f"{place}: {len(alphabet)} characters to the power {length} are too many values to take together; "
            f"expected at most {MOST_VALUES:,}; leave out 'together'"
        )
    return Field(name, (tuple(separator.join(each) for each in product(alphabet, repeat=length)),))
