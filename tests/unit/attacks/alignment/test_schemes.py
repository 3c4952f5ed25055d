"""The kind of a secret map, recognised from stolen vectors, and the attack on each."""

import numpy as np
import pytest

from tests.unit.attacks.alignment.test_align import cosine, draw_cloud
from tests.unit.attacks.alignment.test_cells import draw_apart
from vestige.attacks.alignment.align import align
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


@pytest.mark.slow
def test_a_key_per_cell_is_recognised_and_undone():
    own, true = draw_apart(500, 0), draw_apart(500, 1)
    stolen = hide("cells:2", true)
    assert count_cells(stolen, own, np.random.default_rng(0)) == 2
    found = align_any(stolen, own, encrypt=encrypt, rng=np.random.default_rng(0))
    assert min(cosine(found(stolen[rows]), true[rows]) for rows in (slice(500), slice(500, None))) > 0.9


def test_an_own_key_is_undone_where_the_other_one_is_known():
    """Without any difference between the two keys, all that is left to undo is one's own."""
    own = draw_cloud(600, 0)
    encrypted = encrypt(own, 24)
    found = align_encrypted(encrypted, own, encrypted, np.random.default_rng(0))
    assert cosine(found(encrypted), own) > 0.9
    assert abs(cosine(align(encrypted, own, rng=np.random.default_rng(0))(encrypted), own)) < 0.5
