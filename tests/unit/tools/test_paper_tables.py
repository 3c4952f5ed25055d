"""Tables that are made from records."""

from dataclasses import dataclass

from tools.paper_tables import join_names, render_items, render_results

from tests.unit.papers.sample import sample
from vestige.papers.results import write_results


@dataclass(frozen=True)
class SomeSizes:
    epochs: int = 30


def test_a_table_has_the_lines_of_the_record_and_the_command_of_each_run(tmp_path):
    write_results(sample(), SomeSizes(), tmp_path)
    page = render_results(tmp_path / "song2020" / "table1.json")
    assert page.startswith("|")
    assert "| **Equation 5, LSTM** | published |  |  | 56.74 | &lt; 10 |  |" in page
    assert "| the paper's recipe | 100 | not converged: undecided | 50.0 (45.0 to 55.0) | - | 2 |" in page
    assert "`vestige reproduce song2020 table1 --scale small --set epochs=30" in page
    assert "--sections 'Equation 5,Equation 7' --models LSTM" in page


def test_names_are_joined_as_the_command_reads_them():
    assert join_names(["Medical", "Airline", "Medical"]) == "Medical,Airline"
    assert join_names(["Medical", "Medical, rounding"]) == "Medical;Medical, rounding;"


def test_items_are_wrapped_outside_of_code_and_never_start_a_list():
    command = "`vestige reproduce song2020 table1 --scale small --set epochs=300 --seed 0 and so on`"
    item = f"{'word ' * 22}{command} {'more ' * 21}- and 1. more"
    rendered = render_items([item])
    assert command in rendered
    assert rendered.startswith("- word")
    assert all(line.startswith("  ") for line in rendered.splitlines()[1:])
    assert not [line for line in rendered.splitlines()[1:] if line.lstrip().startswith(("- ", "1. "))]
    assert " ".join(rendered.split()) == " ".join(f"- {item}".split())
