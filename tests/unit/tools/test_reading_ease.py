"""Every page of the old documentation has its successors next to it."""

import json

import reading_ease


def test_every_old_page_has_a_page_today():
    record = json.loads(reading_ease.RECORD.read_text(encoding="utf-8"))
    for name in record["before"]["pages"]:
        assert "| 0 |" not in reading_ease.describe_successors(name, record["after"]["pages"])
