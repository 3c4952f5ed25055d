"""The page that shows the reading ease equals its record."""

import json

import reading_ease


def test_the_page_equals_its_record():
    page = reading_ease.PAGE.read_text(encoding="utf-8")
    assert "| page before |" in page
    assert reading_ease.render_page(page) == page


def test_an_edited_number_is_found():
    page = reading_ease.PAGE.read_text(encoding="utf-8")
    edited = page.replace("| README.md | 679 |", "| README.md | 680 |")
    assert edited != page
    assert reading_ease.render_page(edited) == page


def test_every_old_page_has_a_page_today():
    record = json.loads(reading_ease.RECORD.read_text(encoding="utf-8"))
    for name in record["before"]["pages"]:
        assert "| 0 |" not in reading_ease.describe_successors(name, record["after"]["pages"])
