"""The lines of keys, among comments, quoted and dotted keys, long arrays, inline tables and strings of all kinds."""

import tomllib

import pytest

from vestige.config.line_numbers import find_lines

DOCUMENT = '''# [not-a-table]
[audit]   # a comment
targets = 500 # not = a key
fail-on = [
    "words>0.30",  # with ] and "quotes"

    # another = comment
    "names # not a comment>0.1",
]
"quoted key" = 'it # is'

[ audit . "let.ters" ]
a.b = 1
a . 'c d' = 2
inline = { x = 1, "y z" = [1, 2], deep = { w = "}" } }
prose = """
[audit.fake]
fake = 1 \\""" still
"""
literal = \'\'\'
other = ''
\'\'\'
date = 1979-05-27T07:32:00Z

[[many]]
one = 1
[[many]]
two = 2
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("audit",), 2),
        (("audit", "targets"), 3),
        (("audit", "fail-on"), 4),
        (("audit", "fail-on", 0), 5),
        (("audit", "fail-on", 1), 8),
        (("audit", "quoted key"), 10),
        (("audit", "let.ters"), 12),
        (("audit", "let.ters", "a"), 13),
        (("audit", "let.ters", "a", "b"), 13),
        (("audit", "let.ters", "a", "c d"), 14),
        (("audit", "let.ters", "inline", "y z"), 15),
        (("audit", "let.ters", "inline", "y z", 1), 15),
        (("audit", "let.ters", "inline", "deep", "w"), 15),
        (("audit", "let.ters", "prose"), 16),
        (("audit", "let.ters", "literal"), 20),
        (("audit", "let.ters", "date"), 23),
        (("many",), 25),
        (("many", "one"), 26),
        (("many", "two"), 28),
    ],
)
def test_the_line_of_a_key(path, line):
    assert find_lines(DOCUMENT)[path] == line


def list_paths(value, path=()):
    """Every path of a parsed document."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            yield from list_paths(inner, (*path, key))


def test_exactly_the_keys_of_the_document_are_found():
    parsed = tomllib.loads(DOCUMENT)
    parsed["many"] = {key: value for table in parsed["many"] for key, value in table.items()}
    found = {path for path in find_lines(DOCUMENT) if not any(isinstance(part, int) for part in path)}
    assert found == set(list_paths(parsed))


def test_windows_line_ends_count_once():
    assert find_lines(DOCUMENT.replace("\n", "\r\n")) == find_lines(DOCUMENT)


def test_an_empty_document_has_no_keys():
    assert find_lines("# nothing\n\n") == {}


def test_a_string_may_end_in_more_quotes_and_hold_escapes():
    document = 'a = """x"""""\nb = "\\"#\\\\"\nc = [[1, [2]], []]\n"\\u0064" = true'
    assert tomllib.loads(document)["d"] is True
    assert {path[0]: line for path, line in find_lines(document).items()} == {"a": 1, "b": 2, "c": 3, "d": 4}
