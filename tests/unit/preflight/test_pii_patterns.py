import pytest

from vestige.preflight.pii_patterns import PII_PATTERNS, find_person_names, mask


@pytest.mark.parametrize(
    ("cell", "shape"),
    [
        ("anna.b@example.org", "•••.•••@•••.•••"),
        ("/home/anna/x.eml", "/•••/•••/•••.•••"),
        ("one two three four five six seven eight nine", "••• " * 8 + "..."),
    ],
)
def test_a_mask_keeps_the_shape_alone(cell, shape):
    assert mask(cell) == shape


@pytest.mark.parametrize(
    ("kind", "yes", "no"),
    [
        ("e-mail addresses", "write to a.b+c@mail.example.org", "meet @ noon, 5@6"),
        ("phone numbers", "call 415-555-0100 now", "order 4155550100123"),
        ("phone numbers", "+1 (415) 555 0100", "1+1 = 2, +5 points"),
        ("card numbers", "4111 1111 1111 1111", "4111 1111 1111 1112"),
        ("citizen ids", "11010519491231002X", "110105194912310"),
        ("web addresses", "see https://example.org/x", "http is a protocol"),
        ("file paths and names", r"C:\Users\anna\x.doc", "and/or, 12/05/2020, 3/4"),
        ("file paths and names", "report_smith.pdf", "the pdf. It came"),
        ("file paths and names", "s3://bucket/anna/x", "see https://example.org/a/b.html of /XX/XXXX"),
    ],
)
def test_each_pattern_matches_its_kind_only(kind, yes, no):
    assert PII_PATTERNS[kind](yes) is not None
    assert PII_PATTERNS[kind](no) is None


def test_words_that_are_also_names_are_not_persons():
    assert not any(
        find_person_names(["They will bake a cake in the field", "Wells Fargo Bank closed the account"] * 10)
    )


def test_a_person_is_found_by_last_name_in_each_cell():
    cells = ["I wrote to Mr. John Smith", "and had no answer", "Dear Mary Johnson"] * 5
    assert find_person_names(cells)[:3] == ["Smith", None, "Johnson"]
