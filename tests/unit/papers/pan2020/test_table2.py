"""Table II, once, at a size for tests."""

from dataclasses import replace

import pytest

from tests.unit.papers.measuring import reproduce, scored_columns, skipped_notes
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.papers.pan2020.table2 import PATTERN, fit_reconstructor
from vestige.papers.published import published
from vestige.papers.record import OURS, PAPER, PRIOR
from vestige.papers.victims import Victim
from vestige.types import silent


def test_birth_dates_have_the_rows_of_the_paper(cached_run):
    record = reproduce("pan2020", "table2", cached_run)
    section = "Birth date in a citizen ID"
    assert [row.model for row in record.rows] == list(published("pan2020", "table2")[section])
    assert set(scored_columns(record)) == {
        (section, model, by) for model in ("Bert", "potion") for by in (PAPER, OURS, PRIOR)
    }
    guessing = next(line for line in record.rows[0].lines if line.by == PRIOR)
    assert [score.value for score in guessing.scores[:4]] == pytest.approx([1 / 100, 5 / 100, 1 / 12, 5 / 12], abs=1e-5)
    assert "'gpt2' is not available" in skipped_notes(record)[section, "GPT-2"]


@pytest.mark.parametrize("fresh", [True, False])
def test_fresh_texts_are_not_stored(pan_run, tmp_path, fresh):
    run = replace(pan_run, sizes=replace(pan_run.sizes, fresh=fresh, iterations=2))
    encoder = CachedEncoder(load_encoder(run.encoders["Bert"]), tmp_path)
    fit_reconstructor(run, PATTERN, "pan", Victim("Bert", encoder, "Bert", silent))
    assert any(tmp_path.rglob("*.safetensors")) is not fresh
