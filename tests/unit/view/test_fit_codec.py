"""Fitted attacks as JSON and arrays: what comes back infers the same, and nothing but listed classes is built."""

import json

import numpy as np
import pytest
from scipy import sparse

from tests.sample_view import DEFENSE, list_typed
from vestige.attacks.attributes.class_kernel import KernelChoice
from vestige.attacks.attributes.inference import AttributeInference
from vestige.attacks.keywords.examples import Examples
from vestige.attacks.keywords.kernel import KernelHeads
from vestige.types import EncoderGuess
from vestige.view.fit_codec import CLASSES, pack, unpack


def send(value):
    """Through JSON, as on disk."""
    plain, arrays = pack(value)
    return unpack(json.loads(json.dumps(plain)), arrays)


def test_plain_values_keep_their_kinds():
    value = {"a": (1, 2.5, None, True), "b": [frozenset({"y", "x"}), "text"], 3: np.float32(0.1)}
    back = send(value)
    assert back == value
    assert [type(back["a"]), type(back["b"]), type(back[3])] == [tuple, list, np.float32]


def test_arrays_and_tables_keep_their_numbers():
    array, table = np.arange(6, dtype=np.float32).reshape(2, 3), sparse.csr_array(np.eye(3)[:2])
    back = send((array, table, array.T))
    assert back[0].dtype == np.float32
    assert (back[0] == array).all()
    assert (back[1].toarray() == table.toarray()).all()
    assert (back[2] == array.T).all()


@pytest.mark.parametrize("defense", ["", DEFENSE])
def test_a_restored_attack_infers_the_same(model, defense):
    attacker = model.find_attacker(defense)
    text = list_typed(model)
    vector = model.encode(text, attacker)[None]
    words = send(attacker.words)
    assert words.infer(vector) == attacker.words.infer(vector)
    keywords = send(attacker.keyword_attack)
    assert (keywords.infer(vector).probabilities == attacker.keyword_attack.infer(vector).probabilities).all()
    labels = send(attacker.labels)
    assert (
        labels["half"][0].infer(vector).probabilities == attacker.labels["half"][0].infer(vector).probabilities
    ).all()
    sentence = send(attacker.sentence)
    assert not hasattr(sentence, "encoder_"), "it is given anew"
    sentence.encoder_ = attacker.searched
    assert next(sentence.follow(vector[0])).text == next(attacker.sentence.follow(vector[0])).text


def test_a_class_that_is_not_listed_is_neither_packed_nor_built():
    with pytest.raises(TypeError, match="EncoderGuess cannot be kept"):
        pack(EncoderGuess(None, (), (), ()))
    with pytest.raises(KeyError):
        unpack(["object", "Popen", {"args": "true"}], {})
    with pytest.raises(KeyError):
        unpack(["reduce", "os.system"], {})
    assert all(kind.__module__.startswith("vestige.") for kind in CLASSES.values())


def test_kernels_are_restored():
    rng = np.random.default_rng(0)
    corners = rng.integers(4, size=200)
    angles = corners * np.pi / 2 + 0.2 * rng.standard_normal(200)
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    attack = AttributeInference().fit(vectors, [str(corner % 2) for corner in corners], rng=rng)
    heads = KernelHeads.fit(Examples.build(vectors, (corners % 2 == 1)[:, None]))
    assert isinstance(attack.choice_, KernelChoice)
    restored, again = unpack(*pack(attack)), unpack(*pack(heads))
    assert np.array_equal(restored.infer(vectors).probabilities, attack.infer(vectors).probabilities)
    assert np.array_equal(again.probabilities(vectors), heads.probabilities(vectors))
