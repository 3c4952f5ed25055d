"""How reproductions of papers are printed on the terminal."""

from tests.unit.papers.sample import sample
from vestige.cli.terminal_papers import print_reproduction
from vestige.papers.page import write_reproduction


def test_a_reproduction_prints_the_table_what_differs_and_the_page(tmp_path, capsys):
    print_reproduction(sample(), write_reproduction(sample(), tmp_path), as_json=False)
    printed = capsys.readouterr().out
    assert "dual:lstm   the paper's recipe  100  not converged: undecided  50.0 (45-55)  -" in printed
    assert "Equation 7, ALBERT: skipped: not here | nor there" in printed
    assert "Equation 7, LSTM:\n- A <text> - some, words\nWhat differs from the paper:" in printed
    assert "What differs from the paper:\n- The texts are others." in printed
    assert printed.splitlines()[-1] == f"page: {tmp_path / 'song2020-table1.html'}"
