"""The map."""

import sys
from types import ModuleType

import numpy as np
import pytest

from vestige.errors import MissingExtra
from vestige.view import projection
from vestige.view.projection import HEIGHT, MARGIN, MOST_CLASSES, WIDTH, color_by_label, color_by_value, project


def test_pca_finds_the_two_directions_of_a_plane():
    rng = np.random.default_rng(0)
    plane = rng.normal(size=(200, 2)) * [5, 2]
    vectors = (plane @ np.linalg.qr(rng.normal(size=(30, 2)))[0].T).astype(np.float32)
    places = project(vectors, "pca", 0)
    assert abs(np.corrcoef(places[:, 0], plane[:, 0])[0, 1]) > 0.99
    np.testing.assert_array_equal(places, project(vectors, "pca", 0))


def test_umap_is_used_if_it_is_installed(monkeypatch):
    class Umap:
        def __init__(self, **settings):
            assert settings == {"random_state": 3, "n_jobs": 1, "metric": "cosine"}

        def fit_transform(self, vectors):
            return np.concatenate([vectors[:-1, :2] * 2, [[np.nan, np.nan]]])

    fake = ModuleType("umap")
    fake.UMAP = Umap
    monkeypatch.setitem(sys.modules, "umap", fake)
    monkeypatch.setattr(projection, "has_umap", lambda: True)
    places = project(np.ones((3, 4), np.float32), "umap", 3)
    np.testing.assert_array_equal(places, np.full((3, 2), 2), "a vector without a place is in the middle")


def test_umap_itself_separates_two_kinds_of_vectors_and_places_zeros():
    pytest.importorskip("umap")
    rng = np.random.default_rng(0)
    kinds = np.repeat([0, 1], 60)
    vectors = (rng.normal(size=(120, 20)) + np.where(kinds, 4, -4)[:, None]).astype(np.float32)
    vectors[0] = 0
    places = project(vectors, "umap", 0)
    assert places.shape == (120, 2)
    assert np.isfinite(places).all()
    centres = [places[1:][kinds[1:] == kind].mean(axis=0) for kind in (0, 1)]
    spread = max(places[1:][kinds[1:] == kind].std() for kind in (0, 1))
    assert np.linalg.norm(centres[0] - centres[1]) > 2 * spread
    np.testing.assert_array_equal(places, project(vectors, "umap", 0))


def test_without_umap_the_command_is_named(monkeypatch):
    monkeypatch.setattr(projection, "has_umap", lambda: False)
    with pytest.raises(MissingExtra, match=r"umap-learn is not installed; get it with: pip install '.*\[umap\]'"):
        project(np.ones((3, 4), np.float32), "umap", 0)


def test_values_have_five_colours_and_places_fit_the_drawing():
    places = np.stack([np.arange(10.0), np.arange(10.0) ** 2], axis=1)
    drawn = color_by_value(places, np.arange(10.0), [str(row) for row in range(10)])
    assert [point.style for point in drawn.points] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert (drawn.points[0].x, drawn.points[0].y) == (MARGIN, HEIGHT - MARGIN)
    assert (drawn.points[-1].x, drawn.points[-1].y) == (WIDTH - MARGIN, MARGIN)
    assert len(drawn.legend) == 5


def test_rare_classes_share_a_colour():
    labels = [f"class {number}" for number in range(9) for _ in range(9 - number)] + [None]
    drawn = color_by_label(np.zeros((len(labels), 2)), labels, [""] * len(labels))
    assert drawn.legend[0].label == "class 0 (9)"
    assert drawn.legend[-1].label == "other or none (4)"
    assert drawn.points[-1].style == MOST_CLASSES
