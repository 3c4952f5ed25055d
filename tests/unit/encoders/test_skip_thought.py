"""Skip-thought with tiny random weights, against the published equations in numpy."""

import numpy as np
import pytest

from tests.tiny_recurrent import tiny_skip_thought
from vestige.encoders.load import load_encoder
from vestige.encoders.treebank import treebank_words
from vestige.errors import InputError

TEXTS = ["The bank closed my account.", "unheard of", "", "my my bank"]


def sigmoid(values):
    return 1 / (1 + np.exp(-values))


def published_gru(weights, prefix, words):
    """The layer of skipthoughts.py, step by step."""
    units = weights[f"{prefix}_Ux"].shape[1]
    state = np.zeros(units)
    for word in words:
        gates = sigmoid(state @ weights[f"{prefix}_U"] + word @ weights[f"{prefix}_W"] + weights[f"{prefix}_b"])
        reset, update = gates[:units], gates[units:]
        new = np.tanh(
            state @ weights[f"{prefix}_Ux"] * reset + word @ weights[f"{prefix}_Wx"] + weights[f"{prefix}_bx"]
        )
        state = update * state + (1 - update) * new
    return state


def published_vector(folder, text):
    words = (folder / "dictionary.txt").read_text().split()
    rows = [words.index(word if word in words else "UNK") for word in treebank_words(text) or ["UNK"]]
    uni, bi = (np.load(folder / name) for name in ("uni_skip.npz", "bi_skip.npz"))
    first = published_gru(uni, "encoder", np.load(folder / "utable.npy")[rows])
    table = np.load(folder / "btable.npy")
    second = np.concatenate(
        [published_gru(bi, "encoder", table[rows]), published_gru(bi, "encoder_r", table[rows[::-1]])]
    )
    return np.concatenate([first / np.linalg.norm(first), second / np.linalg.norm(second)])


@pytest.fixture
def folder(tmp_path):
    return tiny_skip_thought(tmp_path / "skip")


def test_vectors_are_those_of_the_published_equations(folder):
    encoder = load_encoder(f"skipthought:{folder}")
    assert encoder.dimension == 6 + 2 * 4
    assert encoder.encode(TEXTS) == pytest.approx(
        np.array([published_vector(folder, text) for text in TEXTS]), abs=1e-6
    )


def test_one_of_the_two_models(folder):
    whole, uni, bi = (load_encoder(f"skipthought:{folder}{part}") for part in ("", "@uni", "@bi"))
    assert (whole.encode(TEXTS) == np.hstack([uni.encode(TEXTS), bi.encode(TEXTS)])).all()
    assert (whole.name, uni.name) == ("skipthought:skip", "skipthought:skip@uni")
    assert len({whole.identity, uni.identity, bi.identity}) == 3


def test_the_options_which_are_pickles_are_not_needed(folder):
    assert not list(folder.glob("*.pkl"))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("skipthought:", "lacks dictionary.txt, utable.npy"),
        ("skipthought:nowhere", "lacks dictionary.txt, utable.npy"),
        ("skipthought:nowhere@tri", "expected FOLDER, FOLDER@uni or FOLDER@bi"),
    ],
)
def test_a_folder_without_the_files_is_refused(spec, message):
    with pytest.raises(InputError, match=message):
        load_encoder(spec)


def test_one_model_needs_only_its_own_files(folder):
    (folder / "bi_skip.npz").unlink()
    assert load_encoder(f"skipthought:{folder}@uni").dimension == 6
    with pytest.raises(InputError, match=r"lacks bi_skip\.npz"):
        load_encoder(f"skipthought:{folder}")


def test_damaged_files_are_named(folder):
    np.save(folder / "utable.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InputError, match=r"utable\.npy is not an array of numbers"):
        load_encoder(f"skipthought:{folder}@uni").encode(["a"])
    np.save(folder / "utable.npy", np.zeros((2, 3), np.float32))
    with pytest.raises(InputError, match="has 2 rows for 7 words"):
        load_encoder(f"skipthought:{folder}@uni").encode(["a"])
    np.savez(folder / "uni_skip.npz", other=np.zeros(2))
    with pytest.raises(InputError, match="does not hold the weights of Skip-thought"):
        load_encoder(f"skipthought:{folder}@uni").encode(["a"])
    (folder / "dictionary.txt").write_text("the\n")
    with pytest.raises(InputError, match="has no word 'UNK'"):
        load_encoder(f"skipthought:{folder}@bi").encode(["a"])
