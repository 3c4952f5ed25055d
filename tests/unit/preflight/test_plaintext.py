"""What lies in clear beside the vectors comes first, and is shown without being told."""

from time import monotonic

import numpy as np
import pytest

from vestige.preflight import Specimen, nested, preflight
from vestige.preflight.marks import KINDS, masked, persons_in
from vestige.preflight.plaintext import check_plaintext

PEOPLE = ["John Smith", "Mary Johnson", "Robert Miller", "Susan Davis"]
LETTERS = [f"I wrote to Mr. {PEOPLE[row % 4]} about case {row} and had no answer" for row in range(100)]


def beside(**columns):
    rows = len(next(iter(columns.values())))
    return Specimen("v.npy", rows, "float32", np.eye(rows, dtype=np.float32), None, columns)


def found(**columns):
    return {(check.name, check.sentence.split(" in clear")[0]): check for check in check_plaintext(beside(**columns))}


def test_text_is_told_first_with_its_share():
    told = found(body=[text if row % 4 else None for row, text in enumerate(LETTERS)])
    first = next(iter(told.values()))
    assert (first.name, first.level) == ("plaintext", "warning")
    assert first.evidence["share"] == 0.75
    assert "Column 'body' holds text in clear in 75% of rows" in first.sentence
    assert ("personal", "Column 'body' holds names of persons") in told


def test_it_is_the_first_of_all_checks():
    result = preflight(beside(mail=[f"a{row}@example.org" for row in range(100)], body=LETTERS), library=())
    assert [check.name for check in result.checks][:2] == ["plaintext", "personal"]


def test_each_kind_is_found_in_its_column_and_only_there():
    told = found(
        mail=[f"anna.{row}@example.org" if row < 20 else "" for row in range(100)],
        phone=[f"+49 30 12345{row:02}" for row in range(100)],
        home=[f"(415) 555-01{row:02}" for row in range(100)],
        place=[f"/home/anna/letters/{row}.eml" for row in range(100)],
        author=[PEOPLE[row % 4] for row in range(100)],
        label=["red", "green"] * 50,
        year=list(range(100)),
    )
    assert set(told) == {
        ("plaintext", "Beside the vectors: 7 columns; no text of any length was found"),
        ("personal", "Column 'mail' holds e-mail addresses"),
        ("personal", "Column 'phone' holds phone numbers"),
        ("personal", "Column 'home' holds phone numbers"),
        ("personal", "Column 'place' holds paths and names of files"),
        ("personal", "Column 'author' holds names of persons"),
    }
    assert told["personal", "Column 'mail' holds e-mail addresses"].evidence == {"share": 0.2, "rows": 100}


def test_examples_hold_no_letter_and_no_digit_of_what_was_found():
    result = preflight(beside(body=LETTERS, mail=[f"anna{row}@example.org" for row in range(100)]), library=())
    shown = " ".join(example for check in result.checks for example in check.examples)
    assert shown
    assert not any(letter.isalnum() for letter in shown)
    assert not any(name in repr(result) for person in PEOPLE for name in person.split())
    assert "anna" not in repr(result)


@pytest.mark.parametrize(
    ("cell", "shape"),
    [
        ("anna.b@example.org", "•••.•••@•••.•••"),
        ("/home/anna/x.eml", "/•••/•••/•••.•••"),
        ("one two three four five six seven eight nine", "••• " * 8 + "..."),
    ],
)
def test_a_mask_keeps_the_shape_alone(cell, shape):
    assert masked(cell) == shape


@pytest.mark.parametrize(
    ("kind", "yes", "no"),
    [
        ("e-mail addresses", "write to a.b+c@mail.example.org", "meet @ noon, 5@6"),
        ("phone numbers", "call 415-555-0100 now", "order 4155550100123"),
        ("phone numbers", "+1 (415) 555 0100", "1+1 = 2, +5 points"),
        ("card numbers", "4111 1111 1111 1111", "4111 1111 1111 1112"),
        ("citizens' numbers", "11010519491231002X", "110105194912310"),
        ("web addresses", "see https://example.org/x", "http is a protocol"),
        ("paths and names of files", r"C:\Users\anna\x.doc", "and/or, 12/05/2020, 3/4"),
        ("paths and names of files", "report_smith.pdf", "the pdf. It came"),
        ("paths and names of files", "s3://bucket/anna/x", "see https://example.org/a/b.html of /XX/XXXX"),
    ],
)
def test_kinds_by_how_they_are_written(kind, yes, no):
    assert KINDS[kind](yes) is not None
    assert KINDS[kind](no) is None


def test_words_that_are_also_names_are_nobody():
    assert not any(persons_in(["They will bake a cake in the field", "Wells Fargo Bank closed the account"] * 10))


def test_labels_of_many_words_are_no_text():
    told = found(product=["Checking or savings account", "Debt collection of any kind"] * 50)
    assert [check.level for check in told.values()] == ["ok"]


def test_what_is_nested_is_told_by_its_path():
    told = found(
        metadata=[
            {"author": {"email": f"anna{row}@example.org", "seat": row}, "tags": ["red", "green", "big one", "old"]}
            for row in range(100)
        ],
        notes=[[f"a{row}"] if row % 2 else [LETTERS[row], f"/home/anna/{row}.eml"] for row in range(100)],
        written=[f'{{"to": "{row}@example.org"}}' if row % 4 == 0 else "{broken}" for row in range(100)],
    )
    assert set(told) == {
        ("plaintext", "Column 'notes' holds text"),
        ("personal", "Column 'metadata.author.email' holds e-mail addresses"),
        ("personal", "Column 'notes' holds paths and names of files"),
        ("personal", "Column 'notes' holds names of persons"),
        ("personal", "Column 'written.to' holds e-mail addresses"),
    }
    assert told["personal", "Column 'written.to' holds e-mail addresses"].evidence["share"] == 0.25
    assert told["personal", "Column 'notes' holds paths and names of files"].evidence["share"] == 0.5


def test_keys_that_are_data_are_looked_at_and_not_shown():
    told = found(seen=[{f"anna{row}@example.org": {"read": "yes"}} for row in range(100)])
    assert ("personal", "Column 'seen.*' holds e-mail addresses") in told
    assert "anna" not in repr(told)


def test_very_deep_and_very_many_keys_are_looked_at_in_bounds():
    deep = "anna@example.org"
    for _ in range(40):
        deep = {"inner": deep}
    assert any(
        sentence.startswith("Column 'deep.inner") and sentence.endswith("e-mail addresses")
        for _, sentence in found(deep=[deep] * 20)
    )
    told = found(wide=[{f"key {row} {key}": f"{key}@example.org" for key in range(9)} for row in range(100)])
    assert ("personal", "Column 'wide' holds e-mail addresses") in told
    assert len(told) <= nested.MOST_PATHS + 2


def test_very_many_columns_are_read_in_seconds():
    columns = {f"c{number}": [f"label {row}" for row in range(200)] for number in range(400)}
    start = monotonic()
    assert [check.level for check in check_plaintext(beside(**columns))] == ["ok"]
    assert monotonic() - start < 60


def test_endless_cells_are_read_in_seconds():
    start = monotonic()
    told = found(blob=["a" * 200_000, "a-" * 100_000, "1" * 200_000, "/a" * 100_000] * 50)
    assert monotonic() - start < 60
    assert ("personal", "Column 'blob' holds e-mail addresses") not in told


def test_texts_without_spaces_are_texts_too():
    assert found(body=[f"我写信给银行已经{row}次了没有回音" for row in range(50)])[
        "plaintext", "Column 'body' holds text"
    ]
