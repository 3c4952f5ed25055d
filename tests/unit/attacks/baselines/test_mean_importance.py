import numpy as np
import pytest
from scipy import sparse

from tests.unit.attacks.baselines.world import toy_world
from vestige.attacks.baselines.mean_importance import MeanImportance
from vestige.errors import InputError, NotFitted
from vestige.text.importance import Importance


@pytest.fixture(scope="module")
def world():
    return toy_world()


def test_the_prior_is_the_mean_for_every_vector(world):
    words = ("bank", "card", "debt")
    importance = Importance(words, sparse.csr_array(np.array([[0.0, 0.5, 0.9], [0.0, 0.6, 0.0]])))
    found = MeanImportance().fit(importance).infer(world.targets[:2])
    assert [word for word, _ in found.ranked[0]] == ["card", "debt", "bank"]
    assert found.ranked[0] == found.ranked[1]
    with pytest.raises(NotFitted):
        MeanImportance().infer(world.targets)
    with pytest.raises(InputError, match="none of 2 documents"):
        MeanImportance().fit(Importance(words, sparse.csr_array((2, 3))))
