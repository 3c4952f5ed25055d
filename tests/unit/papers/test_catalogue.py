"""The list of papers."""

from vestige.papers.catalogue import PAPERS


def test_the_summary_cites_the_paper_and_lists_its_tables():
    summary = PAPERS["song2020"].summary
    assert summary.startswith("Song and Raghunathan, Information Leakage in Embedding Models, CCS 2020: ")
    assert summary.endswith("table1, table2, figure2, figure3, figure4, figure5, figure6, figure7")


def test_every_paper_has_its_own_name():
    for name, entry in PAPERS:
        assert entry.load().name == name
