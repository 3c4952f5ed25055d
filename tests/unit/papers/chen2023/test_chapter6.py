"""Figures 6.1 and 6.2 and Table A.1 of Chen, once, at a size for tests."""

import numpy as np
import pytest

from tests.unit.papers.measuring import reproduce
from vestige.papers.chen2023.chapter6 import SYSTEM, EncoderOwner
from vestige.papers.chen2023.setup import SURROGATE, load_surrogate
from vestige.papers.chen2023.texts import read_documents
from vestige.papers.record import OURS, PAPER, PRIOR

LOUD, FAINT = "SBERT, laplace:0.001,estimate=mean", "SBERT, laplace:1e+06,estimate=mean"


@pytest.fixture(scope="module")
def owner(cached_run):
    documents = read_documents(cached_run, "20 News")
    return EncoderOwner(cached_run, documents, load_surrogate(cached_run, SURROGATE, documents.external))


def scores_by_row(record):
    return {(row.section, row.model): {line.by: line.scores for line in row.lines} for row in record.rows}


def test_faint_noise_leaves_everything_and_loud_noise_no_topic(cached_run):
    record = reproduce("chen2023", "figure6.1", cached_run)
    found = {model: lines for (_, model), lines in scores_by_row(record).items()}
    assert list(found) == ["SBERT", LOUD, FAINT]
    assert all(lines.keys() == {PAPER, OURS, SYSTEM, PRIOR} for lines in found.values())
    for by, scores in found["SBERT"].items():
        for before, after in zip(scores, found[FAINT][by], strict=True):
            assert (before is None) == (after is None)
            if before is not None:
                assert after.value == pytest.approx(before.value, abs=0.1)
    assert found["SBERT"][PRIOR] == found[LOUD][PRIOR]
    loud = found[LOUD][SYSTEM][2]
    assert loud.low <= loud.baseline
    assert found["SBERT"][SYSTEM][:2] == (None, None)


def test_the_curves_have_a_point_a_strength_and_none_without_a_defense(cached_run):
    noise = reproduce("chen2023", "figure6.1", cached_run)
    assert [point.at for point in noise.plots[0].curves[0].points] == [-3, 6]
    narrowed = reproduce("chen2023", "figure6.2", cached_run)
    assert len(narrowed.plots) == 3
    specs = [row.model for row in narrowed.rows]
    # Ten thousand dimensions are more than there are.
    assert specs == [f"SBERT, {family}:{count}" for family in ("projection", "pca", "autoencoder") for count in (4, 16)]
    notes = " ".join(narrowed.differs)
    assert "the thesis states neither how many times" in notes
    assert "Utility: the product of each document" in notes


def test_the_table_transforms_without_narrowing_beside_what_was_printed(cached_run, owner):
    record = reproduce("chen2023", "tableA.1", cached_run)
    d = owner.target.encoder.dimension
    assert [row.model for row in record.rows] == [
        "SBERT",
        f"SBERT, projection:{d}",
        f"SBERT, pca:{d}",
        f"SBERT, autoencoder:{d}",
    ]
    assert [row.published[0] for row in record.rows] == [67.01, 63.21, 65.21, 66.89]
    assert not record.plots


def test_every_answer_of_the_encoder_is_defended_and_noise_is_that_of_words_removed(owner):
    texts = owner.documents.targets.texts[:5]
    plain = owner.target.encoder.encode(texts)
    behind = owner.defend("pca:4")
    assert behind.encoder.encode(texts).shape == (5, 4)
    noisy = owner.defend("laplace:2,estimate=mean").encoder
    original, changed = owner.pairs
    moved = np.abs(original.astype(np.float64) - changed).sum(axis=1).mean()
    assert float(noisy.defense.scale_) == pytest.approx(moved / 2)
    assert not np.allclose(noisy.encode(texts), plain)
    assert owner.defend("") is owner.own
    assert np.array_equal(owner.own.encoder.encode(texts), plain)
