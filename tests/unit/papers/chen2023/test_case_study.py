"""Appendix D, at a size for tests."""

from dataclasses import replace

from tests.unit.papers.measuring import reproduce
from vestige.papers.chen2023.case_study import MASK
from vestige.papers.chen2023.texts import read_documents

PLAYED = {"SBERT", "granite"}


def test_the_case_study_shows_no_text(cached_run):
    record = reproduce("chen2023", "casestudy", replace(cached_run, sizes=replace(cached_run.sizes, targets=20)))
    shown = " ".join(sample for row in record.rows for sample in row.samples)
    assert MASK in shown
    documents = read_documents(replace(cached_run, sizes=replace(cached_run.sizes, targets=20)), "Clinical")
    assert not any(text[:30] in shown for text in documents.targets.texts)
