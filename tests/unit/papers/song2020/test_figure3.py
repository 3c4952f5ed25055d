"""Figure 3, once, at a size for tests."""

import pytest

from tests.unit.papers.measuring import reproduce
from vestige.papers.record import OURS, PAPER, PRIOR
from vestige.papers.song2020 import figure3


@pytest.mark.slow
def test_accuracy_by_labels_and_by_authors(song_run, monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    monkeypatch.setattr(figure3, "AUTHOR_MODELS", {"LSTM": "dual:lstm", "BERT": "minilm@mean"})
    record = reproduce("song2020", "figure3", song_run)
    measured = [row for row in record.rows if row.lines]
    assert [row.model for row in measured] == ["LSTM", "BERT", "Raw text"]
    assert [line.by for line in measured[0].lines] == [PAPER, OURS, PRIOR]
    assert [line.by for line in measured[-1].lines] == ["TextCNN", "tf-idf"]
    assert [line.converged for row in measured[1:] for line in row.lines] == [False, True, True, False, True]
    guessing = [score.value for score in measured[0].lines[-1].scores]
    assert guessing == pytest.approx([5 / 18] * 5 + [5 / 9, 5 / 6, 1 / 18])
    words = measured[-1].lines[1].scores
    assert words[4].low > guessing[4]
    skipped = [row for row in record.rows if not row.lines]
    assert {row.section for row in skipped} == {"Newsgroups", "Chat"}
    assert "corpus 'newsgroups' is not available" in skipped[0].note
    by_labels, by_authors = record.plots
    assert [point.at for point in by_labels.curves[0].points] == [10, 20, 30, 40, 50]
    assert [point.at for point in by_authors.curves[0].points] == [18, 9, 6]
    assert any("never share a speech" in note for note in record.differs)
