import numpy as np
import pytest

from vestige.errors import InputError, NotFitted
from vestige.utility.linear_probe import PUBLISHED_GRID, SHORT_GRID, LinearProbe

QUICK = {"alpha": (1e-3, 1e-4)}


def blobs(count=120, distance=4.0, seed=0):
    """Three classes of points around three places."""
    rng = np.random.default_rng(seed)
    labels = [("red", "green", "blue")[row % 3] for row in range(count)]
    places = np.eye(3, 8) * distance
    points = places[[row % 3 for row in range(count)]] + rng.standard_normal((count, 8))
    return points.astype(np.float32), labels


def rng():
    return np.random.default_rng(0)


def test_classes_far_apart_are_predicted():
    probe = LinearProbe(grid=QUICK).fit(*blobs(distance=9.0), rng=rng())
    score = probe.score(*blobs(seed=1, distance=9.0), rng=rng())
    assert score.value > 0.98
    assert score.baseline == pytest.approx(1 / 6, abs=1e-6)
    assert score.n == 120


def test_classes_at_one_place_are_not():
    probe = LinearProbe(grid=QUICK).fit(*blobs(distance=0.0), rng=rng())
    score = probe.score(*blobs(seed=1, distance=0.0), rng=rng())
    assert score.high < 0.5


def test_the_setting_is_chosen_from_the_grid():
    probe = LinearProbe(grid={"alpha": (1e4, 1e-3), "loss": ("hinge",)}).fit(*blobs(), rng=rng())
    assert probe.chosen_ == {"alpha": 1e-3, "loss": "hinge"}


def test_the_published_grid_is_the_one_of_the_thesis():
    assert len(PUBLISHED_GRID["loss"]) * len(PUBLISHED_GRID["penalty"]) == 6
    assert PUBLISHED_GRID["alpha"] == tuple(10.0**-power for power in range(1, 6))
    assert PUBLISHED_GRID["n_iter_no_change"] == (5, 10, 20, 30)
    assert all(set(values) <= set(PUBLISHED_GRID[name]) for name, values in SHORT_GRID.items())


def test_the_same_seed_gives_the_same_classes():
    vectors, labels = blobs(distance=1.0)
    one, other = (LinearProbe(grid=QUICK).fit(vectors, labels, rng=rng()).predict(vectors) for _ in range(2))
    assert one == other


def test_sparse_vectors_are_predicted_as_well():
    vectors, labels = blobs(distance=9.0)
    wide = np.zeros((len(vectors), 200), dtype=np.float32)
    wide[:, ::25] = vectors
    probe = LinearProbe(grid=QUICK).fit(wide, labels, rng=rng())
    assert probe.score(wide, labels, rng=rng()).value > 0.98


def test_fit_does_not_change_its_inputs():
    vectors, labels = blobs()
    before = vectors.copy()
    LinearProbe(grid=QUICK).fit(vectors, labels, rng=rng())
    assert (vectors == before).all()
    assert labels == blobs()[1]


def test_no_vectors_have_no_classes():
    assert LinearProbe(grid=QUICK).fit(*blobs(), rng=rng()).predict(np.empty((0, 8), np.float32)) == []


@pytest.mark.parametrize(
    ("settings", "change", "message"),
    [
        ({"folds": 1}, lambda v, y: (v, y), "The 'folds' parameter must be at least 2. Got 1 instead."),
        ({}, lambda v, y: (v[:-1], y), "119 vectors but 120 labels"),
        ({}, lambda v, y: (v, ["red"] * len(y)), "1 classes in 120 labels"),
        ({}, lambda v, y: (v * np.nan, y), "some vectors contain NaN"),
        ({}, lambda v, y: (v, ["rare", *y[1:]]), "class 'rare' has 1 texts; expected at least 5"),
    ],
)
def test_invalid_input_is_refused(settings, change, message):
    with pytest.raises(InputError, match=message):
        LinearProbe(grid=QUICK, **settings).fit(*change(*blobs()), rng=rng())


def test_predicting_before_fitting_is_refused():
    with pytest.raises(NotFitted, match="before fit"):
        LinearProbe().predict(blobs()[0])
