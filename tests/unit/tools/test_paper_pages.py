"""The pages of the papers are made from records, printed figures and notes."""

from dataclasses import dataclass

from paper_pages import find_list, list_records, read_notes, render_paper

from tests.unit.papers.sample import sample
from vestige.papers.catalogue import CITATIONS
from vestige.papers.results import write_results


@dataclass(frozen=True)
class SomeSizes:
    epochs: int = 30


def test_a_recorded_table_shows_its_lines_and_notes_and_the_others_their_printed_figures(tmp_path):
    write_results(sample(), SomeSizes(), tmp_path)
    page = render_paper("song2020", tmp_path, read_notes()["song2020"])
    recorded, printed = page.split("## Not recorded yet")
    assert "not converged: undecided" in recorded
    assert "- The texts are others." in recorded
    assert "| Multi-set prediction | LSTM | 61.69 | 64.40 | 63.02 |" in printed
    assert "### Table 1" not in printed


def test_variants_of_a_table_are_found(tmp_path):
    write_results(sample(), SomeSizes(), tmp_path)
    write_results(sample(), SomeSizes(), tmp_path, variant="large")
    assert [path.name for path in list_records(tmp_path, "song2020", "table1")] == ["table1.json", "table1-large.json"]


def test_every_paper_has_notes():
    notes = read_notes()
    assert set(notes) == set(CITATIONS)
    for name, note in notes.items():
        assert find_list(name, "KEPT", note)
        assert find_list(name, "DIFFERS", note)
