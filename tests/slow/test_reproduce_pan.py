"""Two tables of Pan et al. 2020 on a real encoder and the embedded corpora, at a size for a minute."""

from dataclasses import replace

import pytest

from vestige.papers.catalogue import PAPERS
from vestige.papers.pan2020.attacks import COLUMNS
from vestige.papers.pan2020.setup import MODELS, SCALES
from vestige.papers.record import OURS
from vestige.papers.run import PaperRun

pytestmark = pytest.mark.encoder

SIZES = replace(
    SCALES["small"],
    records=200,
    examples=1000,
    iterations=500,
    each=12,
    shadow=30,
    external=40,
    epochs=20,
    shadows=(),
    externals=(),
    shared=(),
    victims=(),
    medical="complaints",
    public_corpus="speeches",
)


@pytest.fixture
def reproduced(monkeypatch, tmp_path):
    """MiniLM alone, on the embedded corpora."""
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    for model in MODELS:
        if model != "Bert":
            monkeypatch.setitem(MODELS, model, "hf:nowhere")
    paper = PAPERS["pan2020"].load()
    return lambda table: paper.reproduce(table, "test", PaperRun(SIZES, cache=tmp_path))


def test_birth_dates_are_recovered_from_real_vectors(reproduced):
    row = next(row for row in reproduced("table2").rows if row.lines)
    _, ours, guessing = row.lines
    assert row.here == "minilm"
    for part in range(6):
        assert ours.scores[part].low > guessing.scores[part].value


def test_keywords_are_inferred_and_less_well_across_domains(reproduced):
    row = next(row for row in reproduced("figure6").rows if row.lines)
    ours = next(line for line in row.lines if line.by == OURS)
    score = dict(zip(COLUMNS, ours.scores, strict=True))
    assert score["white box, ours"].low > 0.6
    assert score["black box, ours"].low > 0.5
    assert score["white box, ours"].value > score["black box, ours"].value
