"""Pickled points are parsed without unpickling."""

import pickle

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.stores.pickled_points import _check_size, parse_point

qdrant_client = pytest.importorskip("qdrant_client")


models = pytest.importorskip("qdrant_client.models")


class Bomb:
    went_off = False

    def __reduce__(self):
        return setattr, (Bomb, "went_off", True)


def test_a_harmful_pickle_is_refused_and_has_no_effect():
    for harmful in (Bomb(), {"id": 1, "vector": Bomb()}, np.ones(2)):
        with pytest.raises(InputError, match="is not a point of Qdrant"):
            parse_point(pickle.dumps(harmful), "here")
    assert not Bomb.went_off
    pickle.loads(pickle.dumps(Bomb()))  # noqa: S301
    assert Bomb.went_off, "the harm is real where nothing guards"


@pytest.mark.parametrize(
    "payload",
    [
        None,
        {"n": [1, -5, 2**70, 1.5, True, False, None, {"x": "é" * 300}], "same": ["twice", "twice"]},
        {str(row): float(row) for row in range(400)},
    ],
)
@pytest.mark.parametrize("protocol", [4, 5])
def test_a_point_is_parsed_as_the_unpickler_would(payload, protocol):
    point = models.PointStruct(id=7, vector=np.random.default_rng(0).normal(size=300).tolist(), payload=payload)
    read = parse_point(pickle.dumps(point, protocol), "here")
    assert read == {"id": 7, "vector": point.vector, "payload": payload}


def test_a_truncated_point_is_refused():
    whole = pickle.dumps(models.PointStruct(id=7, vector=[1.0, 2.0], payload={"a": "b"}))
    for end in range(len(whole)):
        with pytest.raises(InputError, match="is not a point of Qdrant"):
            parse_point(whole[:end], "here")


def test_a_value_that_grows_when_it_is_written_out_is_refused():
    shared = [1.0] * 100
    for _ in range(12):
        shared = [shared, shared]
    with pytest.raises(ValueError, match="unfolds to far more than it holds"):
        _check_size({"payload": shared}, 500)
    _check_size({"payload": [1.0] * 5000}, 1000)
    cyclic = []
    cyclic.append(cyclic)
    with pytest.raises(ValueError, match="contains itself"):
        _check_size({"payload": cyclic}, 500)
