"""Numbers that no rotation changes, and directions that follow from them."""

import numpy as np

from tests.unit.attacks.alignment.test_align import OWN, TRUE, hide
from vestige.attacks.alignment.descriptors import describe_rows, find_anchors


def test_a_rotation_and_a_scale_change_no_descriptor():
    one, other = (describe_rows(rows, np.random.default_rng(0)) for rows in (TRUE, 3 * hide("rotation")))
    np.testing.assert_allclose(one, other, atol=0.05)
    assert one.std(axis=0).min() > 0.9, "normal scores"


def test_anchors_of_a_rotated_cloud_are_rotated_anchors():
    """The best corresponding directions agree up to the rotation; those of an unrelated cloud do not."""
    stolen = hide("rotation")
    rotation = np.linalg.lstsq(TRUE, stolen, rcond=None)[0]
    left, _, right = np.linalg.svd(find_anchors(stolen, OWN, np.random.default_rng(0)))
    agreement = [(left[:, place] @ rotation.T) @ right[place] for place in range(4)]
    assert np.mean(agreement) > 0.8
