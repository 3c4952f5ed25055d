"""Figure 5, once, at a size for tests."""

from dataclasses import replace

import pytest

from tests.unit.papers.measuring import reproduce
from vestige.encoders.dual.recipe import DualRecipe
from vestige.errors import InputError
from vestige.papers.record import OURS, PAPER
from vestige.papers.song2020.books import LEFT_OUT, LEFT_OUT_PAPER, REFERENCE, SHUFFLED
from vestige.papers.song2020.figure5 import ALL, BY_EPOCHS, BY_FREQUENCY, TRAINED


def test_every_attack_and_control_by_frequency_and_by_epochs(song_run, monkeypatch):
    tiny = classmethod(lambda cls, architecture: cls(architecture, dimension=16, vocabulary_size=400, epochs=1))
    monkeypatch.setattr(DualRecipe, "default", tiny)
    record = reproduce("song2020", "figure5", replace(song_run, encoders={}))
    whole, by_tenth, by_epochs = (
        [row for row in record.rows if row.section == section] for section in (ALL, BY_FREQUENCY, BY_EPOCHS)
    )
    assert [row.model for row in whole] == ["LSTM", "Transformer"]
    assert [row.here for row in whole] == ["dual:lstm", "dual:transformer"]
    assert [row.model for row in by_epochs] == ["LSTM, 1 epochs"]
    assert len(by_tenth) == 20
    assert [row.model for row in by_tenth if row.published[3]] == [f"{model}, tenth 10, rarest" for model in TRAINED]
    found = {line.by: line.scores for line in whole[0].lines}
    scored = {by: [score is not None for score in scores] for by, scores in found.items()}
    both, alone = [True] * 4, [False, True] * 2
    assert scored == {
        PAPER: both,
        OURS: both,
        REFERENCE: alone,
        LEFT_OUT_PAPER: both,
        LEFT_OUT: both,
        SHUFFLED: alone,
    }
    assert all(score.baseline == 0 for scores in found.values() for score in scores if score is not None)
    assert {score.n for score in found[OURS][2:]} == {80}
    assert [plot.across for plot in record.plots][-1] == "epochs"


def test_an_encoder_with_unknown_members_is_refused(song_run):
    with pytest.raises(InputError, match="'saved:lstm' does not learn from the books of figure5"):
        reproduce("song2020", "figure5", song_run)
    elsewhere = replace(song_run, encoders={"LSTM": "dual:lstm@speeches"})
    with pytest.raises(InputError, match="does not learn from the books of figure5"):
        reproduce("song2020", "figure5", elsewhere)
