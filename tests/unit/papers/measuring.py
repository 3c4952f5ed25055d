"""Reproduce a table for a test, and check what holds for every record."""

import json
from importlib.resources import files

from jsonschema import Draft202012Validator

from vestige.case.codec import dumps
from vestige.papers.catalogue import PAPERS

SCHEMA = json.loads(files("vestige.papers").joinpath("reproduction-2.schema.json").read_text(encoding="utf-8"))


def reproduce(paper, table, run):
    """The record, which fits its schema and has one figure per column."""
    record = PAPERS[paper].load().reproduce(table, "test", run)
    assert list(Draft202012Validator(SCHEMA).iter_errors(json.loads(dumps(record)))) == []
    for row in record.rows:
        assert len(row.published) == len(record.columns)
        assert all(len(line.scores) == len(record.columns) for line in row.lines)
    assert record.differs
    return record


def scored_columns(record):
    """Which columns have scores, by row and line."""
    return {
        (row.section, row.model, line.by): [score is not None for score in line.scores]
        for row in record.rows
        for line in row.lines
    }


def skipped_notes(record):
    """The notes of the rows without lines."""
    return {(row.section, row.model): row.note for row in record.rows if not row.lines}
