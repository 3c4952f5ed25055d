"""From the tables of a TOML file to a pattern, with a clear word where they do not describe one."""

from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.patterns.describe_field import described_field
from vestige.text.patterns.field import Field
from vestige.text.patterns.pattern import Pattern
from vestige.text.patterns.place import Place
from vestige.text.patterns.template import Template

_KEYS = ["summary", "template", "secret", "date", "fields"]


def described(table: dict[str, Any], path: Path) -> Pattern:
    """The pattern, checked whole."""
    place = Place(path)
    place.only(table, _KEYS)
    tables = place.at("fields").table(table.get("fields"))
    fields = {name: described_field(name, given, place.at(f"fields.{name}")) for name, given in tables.items()}
    templates = _templates(table.get("template"), fields, place.at("template"))
    secret = _secret(table.get("secret"), fields, templates, place.at("secret"))
    pattern = Pattern(
        path.stem,
        place.at("summary").text(table.get("summary", "")),
        templates,
        tuple(fields.values()),
        secret,
        _date(table.get("date", []), fields, place.at("date")),
    )
    if pattern.date and not len(pattern.dates()):
        raise InputError(f"{place.at('date')}: no day of these ranges is in the calendar; widen a range")
    return pattern


def _templates(given: Any, fields: dict[str, Field], place: Place) -> tuple[Template, ...]:
    texts = [given] if isinstance(given, str) else place.texts(given)
    templates = tuple(_template(text, fields, place) for text in texts)
    unused = [name for name in fields if not any(name in template.fields for template in templates)]
    if unused:
        raise InputError(
            f"{place}: field '{unused[0]}' stands in no template; write {{{unused[0]}}} into one, or leave it out"
        )
    return templates


def _template(text: str, fields: dict[str, Field], place: Place) -> Template:
    try:
        template = Template.of(text)
    except ValueError as error:
        raise InputError(
            f"{place}: '{text}' cannot be parted ({error}); expected fields as {{name}}, braces as {{{{ and }}}}"
        ) from error
    for name in template.fields:
        if name not in fields:
            raise InputError(f"{place}: unknown field '{name}' in '{text}'; {nearest(name, list(fields))}")
        if template.fields.count(name) > 1:
            raise InputError(f"{place}: field '{name}' stands twice in '{text}'; expected once, so leave one out")
    return template


def _secret(given: Any, fields: dict[str, Field], templates: tuple[Template, ...], place: Place) -> tuple[str, ...]:
    names = place.names(given, fields, "name the fields to attack: secret = [...]")
    for name in names:
        without = [template.text for template in templates if name not in template.fields]
        if without:
            raise InputError(
                f"{place}: secret field '{name}' is not in template '{without[0]}'; write {{{name}}} into it"
            )
        if min(map(len, fields[name].places)) < 2:
            raise InputError(f"{place}: secret field '{name}' has one value only; there is nothing to guess in it")
    return names


def _date(given: Any, fields: dict[str, Field], place: Place) -> tuple[str, ...]:
    if given == []:
        return ()
    names = place.names(given, fields, "name year, month and day, or leave it out")
    if len(names) != 3:
        raise InputError(f"{place}: {len(names)} fields; expected three, the year, the month and the day")
    for name in names:
        values = fields[name].places[0]
        if len(fields[name].places) > 1 or not all(value.isdecimal() for value in values):
            raise InputError(f"{place}: field '{name}' is no number; expected a range, such as range = [1, 12]")
    return names
