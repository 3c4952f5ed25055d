"""Plain text next to the vectors is reported first, and examples of it are masked."""

import re
from time import monotonic

import numpy as np

from vestige.preflight import VectorSample, check_vectors, plaintext
from vestige.preflight.plaintext import check_plaintext

PEOPLE = ["John Smith", "Mary Johnson", "Robert Miller", "Susan Davis"]
LETTERS = [f"I wrote to Mr. {PEOPLE[row % 4]} about case {row} and had no answer" for row in range(100)]


def make_sample(**columns):
    rows = len(next(iter(columns.values())))
    return VectorSample("v.npy", rows, "float32", np.eye(rows, dtype=np.float32), None, columns)


def find_checks(**columns):
    return {
        (check.name, re.split(" in (?:plain|[0-9])", check.sentence)[0]): check
        for check in check_plaintext(make_sample(**columns))
    }


def test_text_is_reported_first_with_its_share():
    checks = find_checks(body=[text if row % 4 else None for row, text in enumerate(LETTERS)])
    first = next(iter(checks.values()))
    assert (first.name, first.level) == ("plaintext", "warning")
    assert first.evidence["share"] == 0.75
    assert "Column 'body' contains plain text in 75% of rows" in first.sentence
    assert ("personal", "Column 'body' contains names of persons") in checks


def test_plain_text_is_the_first_of_all_checks():
    result = check_vectors(make_sample(mail=[f"a{row}@example.org" for row in range(100)], body=LETTERS), library=())
    assert [check.name for check in result.checks][:2] == ["plaintext", "personal"]


def test_each_kind_is_found_in_its_column_and_only_there():
    checks = find_checks(
        mail=[f"anna.{row}@example.org" if row < 20 else "" for row in range(100)],
        phone=[f"+49 30 12345{row:02}" for row in range(100)],
        home=[f"(415) 555-01{row:02}" for row in range(100)],
        place=[f"/home/anna/letters/{row}.eml" for row in range(100)],
        author=[PEOPLE[row % 4] for row in range(100)],
        label=["red", "green"] * 50,
        year=list(range(100)),
    )
    assert set(checks) == {
        ("plaintext", "Stored with the vectors: 7 columns, with no texts"),
        ("personal", "Column 'mail' contains e-mail addresses"),
        ("personal", "Column 'phone' contains phone numbers"),
        ("personal", "Column 'home' contains phone numbers"),
        ("personal", "Column 'place' contains file paths and names"),
        ("personal", "Column 'author' contains names of persons"),
    }
    assert checks["personal", "Column 'mail' contains e-mail addresses"].evidence == {"share": 0.2, "rows": 100}


def test_examples_contain_no_letter_and_no_digit():
    result = check_vectors(make_sample(body=LETTERS, mail=[f"anna{row}@example.org" for row in range(100)]), library=())
    shown = " ".join(example for check in result.checks for example in check.examples)
    assert shown
    assert not any(letter.isalnum() for letter in shown)
    assert not any(name in repr(result) for person in PEOPLE for name in person.split())
    assert "anna" not in repr(result)


def test_labels_of_several_words_are_not_text():
    checks = find_checks(product=["Checking or savings account", "Debt collection of any kind"] * 50)
    assert [check.level for check in checks.values()] == ["ok"]


def test_nested_strings_are_reported_by_path():
    checks = find_checks(
        metadata=[
            {"author": {"email": f"anna{row}@example.org", "seat": row}, "tags": ["red", "green", "big one", "old"]}
            for row in range(100)
        ],
        notes=[[f"a{row}"] if row % 2 else [LETTERS[row], f"/home/anna/{row}.eml"] for row in range(100)],
        written=[f'{{"to": "{row}@example.org"}}' if row % 4 == 0 else "{broken}" for row in range(100)],
    )
    assert set(checks) == {
        ("plaintext", "Column 'notes' contains plain text"),
        ("personal", "Column 'metadata.author.email' contains e-mail addresses"),
        ("personal", "Column 'notes' contains file paths and names"),
        ("personal", "Column 'notes' contains names of persons"),
        ("personal", "Column 'written.to' contains e-mail addresses"),
    }
    assert checks["personal", "Column 'written.to' contains e-mail addresses"].evidence["share"] == 0.25
    assert checks["personal", "Column 'notes' contains file paths and names"].evidence["share"] == 0.5


def test_keys_that_are_data_are_searched_but_not_shown():
    checks = find_checks(seen=[{f"anna{row}@example.org": {"read": "yes"}} for row in range(100)])
    assert ("personal", "Column 'seen.*' contains e-mail addresses") in checks
    assert "anna" not in repr(checks)


def test_deep_nesting_and_many_keys_are_searched_within_limits():
    deep = "anna@example.org"
    for _ in range(40):
        deep = {"inner": deep}
    assert any(
        sentence.startswith("Column 'deep.inner") and sentence.endswith("e-mail addresses")
        for _, sentence in find_checks(deep=[deep] * 20)
    )
    checks = find_checks(wide=[{f"key {row} {key}": f"{key}@example.org" for key in range(9)} for row in range(100)])
    assert ("personal", "Column 'wide' contains e-mail addresses") in checks
    assert len(checks) <= plaintext.MOST_PATHS + 2


def test_very_many_columns_take_seconds():
    columns = {f"c{number}": [f"label {row}" for row in range(200)] for number in range(400)}
    start = monotonic()
    assert [check.level for check in check_plaintext(make_sample(**columns))] == ["ok"]
    assert monotonic() - start < 60


def test_very_long_cells_take_seconds():
    start = monotonic()
    checks = find_checks(blob=["a" * 200_000, "a-" * 100_000, "1" * 200_000, "/a" * 100_000] * 50)
    assert monotonic() - start < 60
    assert ("personal", "Column 'blob' contains e-mail addresses") not in checks


def test_texts_without_spaces_are_texts():
    assert find_checks(body=[f"我写信给银行已经{row}次了没有回音" for row in range(50)])[
        "plaintext", "Column 'body' contains plain text"
    ]
