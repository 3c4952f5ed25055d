"""Tables of docs/ that are made from records."""

from dataclasses import dataclass

import pytest
from tools.render_results import list_outdated, render_page, write_pages

from tests.unit.papers.sample import sample
from vestige.errors import InputError
from vestige.papers.results import write_results

PAGE = "Before.\n\n<!-- results: song2020/table1{} -->\nold\n<!-- end -->\n\nAfter.\n"


@dataclass(frozen=True)
class SomeSizes:
    epochs: int = 30


@pytest.fixture
def results(tmp_path):
    write_results(sample(), SomeSizes(), tmp_path / "results")
    return tmp_path / "results"


def test_a_marked_place_gets_the_lines_of_the_record(results):
    page = render_page(PAGE.format(""), results)
    assert page.startswith("Before.\n\n<!-- results: song2020/table1 -->\n|")
    assert page.endswith("<!-- end -->\n\nAfter.\n")
    assert "old" not in page
    assert "| **Equation 5, LSTM** | published |  |  | 56.74 | &lt; 10 |  |" in page
    assert "| the paper's recipe | 100 | not converged: undecided | 50.0 (45.0 to 55.0) | - | 2 |" in page
    assert "`vestige reproduce song2020 table1 --scale small --set epochs=30" in page
    assert render_page(page, results) == page


def test_only_the_named_columns_are_shown(results):
    page = render_page(PAGE.format(": F1, other domain"), results)
    assert "F1, other domain" in page.splitlines()[3]
    assert "same domain" not in page.partition("-->")[2]
    with pytest.raises(InputError, match="table1 has no column 'F2'"):
        render_page(PAGE.format(": F2"), results)


def test_without_a_record_there_is_a_sentence(tmp_path):
    assert "-->\nNot recorded yet.\n<!-- end -->" in render_page(PAGE.format(""), tmp_path)


def test_pages_that_differ_are_found_and_written(results, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "one.md").write_text(PAGE.format(""))
    (docs / "two.md").write_text("Nothing is marked.\n")
    assert list_outdated(docs, results) == [docs / "one.md"]
    write_pages(docs, results)
    assert list_outdated(docs, results) == []
