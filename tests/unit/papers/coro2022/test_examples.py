"""Examples name what was recovered and nothing else."""

import pytest

from tests.unit.papers.measuring import reproduce
from vestige.papers.coro2022.examples import MASK, describe_examples
from vestige.papers.record import OURS, PAPER, PRIOR
from vestige.papers.scores import TargetWords


def test_words_that_were_missed_are_masked_and_wrong_ones_counted():
    truth = TargetWords([frozenset({"bank", "river", "boat"}), frozenset({"bank"})], ["a", "b"], 0)
    guessed = [frozenset({"boat", "bank", "zebra"}), frozenset()]
    assert list(describe_examples(PAPER, guessed, truth, [1, 0])) == [
        f"Text 1, {PAPER}: recovered nothing; 0 wrong; missed {MASK}",
        f"Text 2, {PAPER}: recovered bank, boat; 1 wrong; missed {MASK}",
    ]


@pytest.mark.parametrize(("table", "shown"), [("table5.3", 8), ("table5.5", 1), ("tableA.1", 8)])
def test_every_recipe_has_its_examples(coro_run, table, shown):
    record = reproduce("coro2022", table, coro_run)
    (row,) = record.rows
    assert [line.by for line in row.lines] == [PAPER, OURS, PRIOR]
    assert len(row.samples) == 2 * shown
    assert row.lines[0].logs[0].steps == 1
    assert row.lines[0].seconds > 0
    assert any("drawn at random" in note for note in record.differs)
    assert any("Appendix A.1" in note for note in record.differs) == (table == "tableA.1")
