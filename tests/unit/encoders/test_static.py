import numpy as np
import pytest

from vestige.encoders.load import load_encoder
from vestige.encoders.white_box import white_box
from vestige.errors import InputError

pytest.importorskip("model2vec")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A static model of three words, of which "red" has half the weight."""
    from model2vec import StaticModel
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, "red": 1, "green": 2}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    matrix = np.array([[0, 0], [4, 0], [0, 2]], dtype=np.float32)
    model = StaticModel(matrix, tokenizer, normalize=False, weights=np.array([1, 0.5, 1], dtype=np.float32))
    path = tmp_path_factory.mktemp("static") / "colours"
    model.save_pretrained(path)
    return path


def test_a_text_is_the_mean_of_its_weighted_tokens(folder):
    encoder = load_encoder(f"static:{folder}")
    assert encoder.name == "static:colours"
    assert encoder.encode(["red", "green", "red green"]).tolist() == [[2, 0], [0, 2], [1, 1]]


def test_the_white_box_has_the_weights_folded_in(folder):
    box = white_box(load_encoder(f"static:{folder}"))
    assert box.word_matrix.tolist() == [[0, 0], [2, 0], [0, 2]]
    with pytest.raises(InputError, match=r"must be 0, the only layer\. Got 1 instead"):
        box.embed(box.word_matrix[None], layer=1)


def test_a_folder_that_is_no_static_model(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(InputError, match="does not load as a static model"):
        load_encoder(f"static:{tmp_path}").encode(["one"])
