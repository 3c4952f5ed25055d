"""The kind of a secret map, recognised from stolen vectors, and the attack on each."""

import numpy as np
import pytest

from tests.unit.attacks.alignment.test_align import cosine, draw_cloud
from vestige.attacks.alignment.align import align
from vestige.attacks.alignment.cells import CellAlignment
from vestige.attacks.alignment.schemes import align_any, align_encrypted, count_cells, measure_fit
from vestige.defenses.catalogue import make_defense


def encrypt(vectors, noise):
    return make_defense(f"asymmetric:{noise}").fit(vectors, rng=np.random.default_rng(9)).transform(vectors)


def hide(spec, vectors):
    return make_defense(spec).fit(vectors, rng=np.random.default_rng(4)).transform(vectors)


def test_the_fit_by_hand():
    own = np.array([[3, 0], [-3, 0], [0, 3], [0, -3]], np.float32)
    assert measure_fit(np.array([[2, 0], [0, 5]], np.float32), own) == pytest.approx(1)
    assert measure_fit(np.array([[2, 2]], np.float32), own) == pytest.approx(0.5**0.5)


def test_one_key_shows_no_cells():
    own, true = draw_cloud(600, 0), draw_cloud(600, 1)
    rng = np.random.default_rng(0)
    assert [count_cells(hide(spec, true), own, rng) for spec in ("rotation", "permutation", "gaussian:5")] == [1, 1, 1]


def test_a_single_key_is_undone_by_the_alignment_alone():
    own, true = draw_cloud(600, 0), draw_cloud(600, 1)
    stolen = hide("rotation", true)
    found = align_any(stolen, own, encrypt=encrypt, rng=np.random.default_rng(0))
    assert cosine(found(stolen), true) > 0.9


def test_a_key_per_cell_is_recognised():
    """Texts share a direction, which one key leaves shared; a key per cell sends each cell another way."""
    own, true = (2 + np.random.default_rng(seed).standard_normal((900, 24), np.float32) for seed in range(2))
    assert count_cells(hide("rotation", true), own, np.random.default_rng(0)) == 1
    assert count_cells(hide("cells:4", true), own, np.random.default_rng(0)) == 4


@pytest.mark.slow
def test_the_attack_on_cells_is_kept_where_it_fits_better():
    own, true = draw_cloud(1500, 0) + 3, draw_cloud(1500, 1) + 3
    stolen = hide("cells:2", true)
    found = align_any(stolen, own, encrypt=encrypt, rng=np.random.default_rng(0))
    whole = align(stolen, own, rng=np.random.default_rng(0))
    assert isinstance(found, CellAlignment)
    assert cosine(found(stolen), true) > cosine(whole(stolen), true)


def test_an_own_key_is_undone_where_the_other_one_is_known():
    """Without any difference between the two keys, all that is left to undo is one's own."""
    own = draw_cloud(600, 0)
    encrypted = encrypt(own, 24)
    found = align_encrypted(encrypted, own, encrypted, np.random.default_rng(0))
    assert cosine(found(encrypted), own) > 0.9
    assert abs(cosine(align(encrypted, own, rng=np.random.default_rng(0))(encrypted), own)) < 0.5
