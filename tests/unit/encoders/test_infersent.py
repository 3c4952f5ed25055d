"""InferSent with tiny random weights, against an LSTM in numpy."""

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from tests.tiny_recurrent import VOCABULARY, tiny_infersent
from vestige.encoders.infersent import WordVectorFile
from vestige.encoders.load import load_encoder
from vestige.encoders.treebank import treebank_words
from vestige.errors import InputError

TEXTS = ["The bank closed my account.", "my my bank", ""]


def sigmoid(values):
    return 1 / (1 + np.exp(-values))


def lstm_states(weights, ending, words):
    """One state per word: gates in the order input, forget, cell, output."""
    units = weights[f"enc_lstm.weight_hh_l0{ending}"].shape[1]
    state, cell, states = np.zeros(units), np.zeros(units), []
    for word in words:
        gates = (
            weights[f"enc_lstm.weight_ih_l0{ending}"] @ word
            + weights[f"enc_lstm.bias_ih_l0{ending}"]
            + weights[f"enc_lstm.weight_hh_l0{ending}"] @ state
            + weights[f"enc_lstm.bias_hh_l0{ending}"]
        )
        into, forget, new, out = np.split(gates, 4)
        cell = sigmoid(forget) * cell + sigmoid(into) * np.tanh(new)
        state = sigmoid(out) * np.tanh(cell)
        states.append(state)
    return np.array(states)


def expected_vector(folder, text):
    table = {
        line.split()[0]: np.array(line.split()[1:], dtype=float)
        for line in (folder / "vectors.txt").read_text().splitlines()
    }
    words = np.array([table[word] for word in ["<s>", *treebank_words(text), "</s>"] if word in table])
    weights = load_file(folder / "infersent.safetensors")
    forward = lstm_states(weights, "", words)
    backward = lstm_states(weights, "_reverse", words[::-1])[::-1]
    return np.hstack([forward, backward]).max(axis=0)


@pytest.fixture
def folder(tmp_path):
    return tiny_infersent(tmp_path / "infer")


def test_vectors_are_the_maximum_of_both_directions(folder):
    encoder = load_encoder(f"infersent:{folder}")
    assert encoder.name == "infersent:infer"
    assert encoder.dimension == 10
    assert encoder.encode(TEXTS) == pytest.approx(np.array([expected_vector(folder, text) for text in TEXTS]), abs=1e-6)


def test_the_second_version_has_other_boundaries(folder):
    first, second = (load_encoder(f"infersent:{folder}{version}") for version in ("", "@2"))
    assert first.identity != second.identity
    assert (second.encode(["xyzzy"]) == 0).all(), "neither <p> nor any word has a vector"


def test_fasttext_begins_with_a_line_that_names_no_word(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("2 3\nthe 1 2 3\nthe 9 9 9\nbank 4 5 6\n")
    words = WordVectorFile(path)
    assert "2" not in words
    assert words.vectors(["bank", "the"], 3).tolist() == [[4, 5, 6], [1, 2, 3]]


@pytest.mark.parametrize("spec", ["infersent:", "infersent:nowhere"])
def test_a_folder_without_the_files_says_how_to_convert_them(spec):
    with pytest.raises(InputError, match=r"lacks infersent\.safetensors and vectors\.txt.*weights_only=True"):
        load_encoder(spec)


def test_what_does_not_fit_is_named(folder):
    with pytest.raises(InputError, match="names no version"):
        load_encoder(f"infersent:{folder}@3")
    (folder / "vectors.txt").write_text("".join(f"{word} 1 2\n" for word in VOCABULARY))
    with pytest.raises(InputError, match="has 2 numbers for 'the', the weights expect 3"):
        load_encoder(f"infersent:{folder}").encode(["the bank"])
    save_file({"other": np.zeros(2, np.float32)}, folder / "infersent.safetensors")
    with pytest.raises(InputError, match="does not hold the weights of InferSent"):
        load_encoder(f"infersent:{folder}").encode(["the bank"])
