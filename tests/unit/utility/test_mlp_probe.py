import numpy as np
import pytest

from vestige.errors import InputError, NotFitted
from vestige.utility.mlp_probe import MlpProbe, find_live_columns


def rng():
    return np.random.default_rng(0)


def bands(count=600, seed=0):
    """Two classes that no line separates: points near the middle of the first coordinate, and those on either side."""
    points = np.random.default_rng(seed).standard_normal((count, 4)).astype(np.float32)
    labels = np.where(abs(points[:, 0]) < 0.67, "same", "other")
    return points, labels.tolist()


@pytest.fixture(scope="module")
def probe():
    return MlpProbe(rate=3e-2).fit(*bands(), rng=rng())


def test_classes_that_no_line_separates_are_predicted(probe):
    vectors, labels = bands(300, seed=1)
    score = probe.score(vectors, labels, rng=rng())
    assert score.value > 0.85
    assert score.low < score.value < score.high
    assert score.n == 300
    assert score.value == pytest.approx(
        np.mean([a == b for a, b in zip(probe.predict(vectors), labels, strict=True)]), abs=1e-6
    )


def test_the_baseline_is_the_most_frequent_class_of_the_training_texts():
    vectors, _ = bands(200)
    probe = MlpProbe(epochs=2).fit(vectors, ["a"] * 120 + ["b"] * 80, rng=rng())
    assert probe.score(vectors[:40], ["a"] * 10 + ["b"] * 30, rng=rng()).baseline == 0.25


def test_shuffled_labels_are_not_predicted():
    vectors, labels = bands()
    shuffled = MlpProbe(rate=3e-2).fit(vectors, np.random.default_rng(3).permutation(labels).tolist(), rng=rng())
    assert abs(shuffled.score(*bands(300, seed=1), rng=rng()).value - 0.5) < 0.12


def test_it_has_the_hidden_units_of_the_paper(probe):
    network = probe.classifier_[-1]
    assert [part.shape for part in network.coefs_] == [(4, 200), (200, 1)]
    assert network.activation == "logistic"


def test_the_same_seed_gives_the_same_classes():
    vectors, labels = bands(100)
    one, other = (MlpProbe(epochs=5).fit(vectors, labels, rng=rng()).predict(vectors) for _ in range(2))
    assert one == other


def test_texts_of_one_document_widen_the_interval(probe):
    vectors, labels = bands(300, seed=1)
    wrong = np.argsort(np.asarray(probe.predict(vectors)) == np.asarray(labels))
    vectors, labels = vectors[wrong], [labels[row] for row in wrong]
    alone = probe.score(vectors, labels, rng=rng())
    together = probe.score(vectors, labels, rng=rng(), documents=[str(row // 10) for row in range(300)])
    assert together.value == alone.value
    assert together.high - together.low > alone.high - alone.low


def test_no_vectors_have_no_classes(probe):
    assert probe.predict(np.empty((0, 4), np.float32)) == []


@pytest.mark.parametrize(
    ("settings", "change", "message"),
    [
        ({"units": 0}, lambda v, y: (v, y), "The 'units' parameter must be at least 1. Got 0 instead."),
        ({"epochs": 0}, lambda v, y: (v, y), "The 'epochs' parameter must be at least 1. Got 0 instead."),
        ({"rate": 0}, lambda v, y: (v, y), "The 'rate' parameter must be above 0. Got 0 instead."),
        ({}, lambda v, y: (v[:-1], y), "599 vectors but 600 labels"),
        ({}, lambda v, y: (v, ["same"] * len(y)), "1 classes in 600 labels"),
        ({}, lambda v, y: (v * np.nan, y), "some vectors contain NaN"),
        ({}, lambda v, y: (v, ["rare", *y[1:]]), "1 of 'rare'"),
        ({}, lambda v, y: (v[:15], y[:15]), "15 labels of 2 classes"),
    ],
)
def test_invalid_input_is_refused(settings, change, message):
    with pytest.raises(InputError, match=message):
        MlpProbe(**settings).fit(*change(*bands()), rng=rng())


def test_predicting_before_fitting_or_scoring_without_labels_is_refused(probe):
    with pytest.raises(NotFitted, match="before fit"):
        MlpProbe().predict(bands()[0])
    with pytest.raises(InputError, match="600 vectors but 3 labels"):
        probe.score(bands()[0], ["same"] * 3, rng=rng())


def test_live_columns_by_hand():
    rows = np.array([[0, 0, 5, 1e-9], [1, 1e-3, 5, -1e-9]], np.float32)
    assert find_live_columns(rows).tolist() == [True, True, False, False]
    assert find_live_columns(np.ones((3, 2), np.float32)).tolist() == [True, True]


def test_the_end_of_the_training_is_recorded():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(200, 4)).astype(np.float32)
    labels = ["yes" if row[0] > 0 else "no" for row in vectors]
    log = MlpProbe(epochs=80).fit(vectors, labels, rng=np.random.default_rng(0)).log_
    assert log.converged == (log.steps < 80)
    assert len(log.curve) == log.steps
    assert not MlpProbe(epochs=2).fit(vectors, labels, rng=np.random.default_rng(0)).log_.converged
