"""Table 5.1, once, at a size for tests."""

from tests.unit.papers.measuring import reproduce
from vestige.papers.chen2023.table5_1 import count_words
from vestige.text.corpus import Corpus
from vestige.text.importance import ImportantWords


def test_every_data_set_has_its_statistics(cached_run):
    record = reproduce("chen2023", "table5.1", cached_run)
    rows = {row.model: row for row in record.rows}
    assert rows["20 News"].published == ("18,589 / 4,823 / 86.8",)
    assert rows["20 News"].samples[0].startswith("complaints: 24 documents, ")
    # Every document is long enough; of the external ones, those that were dropped are not.
    assert rows["20 News"].lines[0].scores[0].value == 1
    assert 0 < rows["WikiText"].lines[0].scores[0].value < 1


def test_words_are_counted_by_hand():
    words = ImportantWords(("card", "bank"), tagged=False)
    assert count_words(Corpus("", ["The bank, the bank and a card.", "Nothing."]), words).tolist() == [3, 0]
