import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import toy_corpus
from vestige.encoders.fitted import EncoderState
from vestige.encoders.words.doc2vec import Doc2Vec, Doc2VecRecipe, parse_doc2vec
from vestige.errors import InputError
from vestige.text.corpus import Corpus

pytest.importorskip("gensim")

SMALL = Doc2VecRecipe(dimension=20, epochs=4, subsample=1e-2)
TEXTS = ["Babax cofex dumux.", "", "nothing here is known", "babax " * 25_000, "Fegix kalox.", "Babax cofex dumux."]
SCRIPT = """
from hashlib import sha256
import numpy as np
from vestige.encoders.words.doc2vec import Doc2VecRecipe
from vestige.text.corpus import Corpus
texts = [" ".join(f"w{(row * 7 + step * step) % 50}" for step in range(30)) for row in range(60)]
fitted = Doc2VecRecipe(dimension=20, epochs=4, subsample=1e-2).fit(Corpus("sums", texts), rng=np.random.default_rng(3))
print(fitted.identity, sha256(fitted.encode([*texts, "", "unknown"]).tobytes()).hexdigest())
"""


@pytest.fixture(scope="module", params=["dbow", "dm"])
def fitted(request):
    return replace(SMALL, mode=request.param).fit(toy_corpus(60), rng=np.random.default_rng(3))


def test_the_same_bits_alone_in_any_order_and_again(fitted):
    vectors = fitted.encode(TEXTS)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert (fitted.encode(TEXTS) == vectors).all()
    assert (fitted.encode(TEXTS[::-1]) == vectors[::-1]).all()
    assert (np.vstack([fitted.encode([text]) for text in TEXTS]) == vectors).all()
    assert (vectors[0] == vectors[5]).all()
    assert not (vectors[0] == vectors[4]).any()
    assert fitted.encode([]).shape == (0, 20)


def test_the_same_bits_after_a_reload_through_json(fitted):
    state = fitted.state()
    again = Doc2Vec.from_state(EncoderState(json.loads(json.dumps(state.settings)), state.tensors))
    assert again.identity == fitted.identity
    assert (again.encode(TEXTS) == fitted.encode(TEXTS)).all()


def test_encoding_changes_no_state(fitted):
    before = fitted.state().digest()
    fitted.encode(TEXTS)
    assert fitted.state().digest() == before


def test_the_same_bits_in_another_process(capsys):
    exec(SCRIPT, {})
    command, environment = [sys.executable, "-c", SCRIPT], {**os.environ, "PYTHONHASHSEED": "77"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == capsys.readouterr().out


def test_inference_is_gensims(fitted, monkeypatch):
    """With the same initial vector and random numbers, gensim's own `infer_vector` gives the same vector."""
    from gensim.models import doc2vec

    text = ["babax", "cofex", "dumux"]
    rng = fitted._generator(text)
    start = ((rng.random(20) - 0.5) / 20).astype(np.float32)
    monkeypatch.setattr(doc2vec, "pseudorandom_weak_vector", lambda *_size, **_seed: start.copy())
    fitted._model.random = np.random.RandomState(rng.bit_generator)
    assert fitted._model.infer_vector(text) == pytest.approx(fitted.encode([" ".join(text)])[0], rel=1e-6)


@pytest.mark.parametrize("mode", ["dbow", "dm"])
def test_texts_with_words_that_occur_together_are_neighbours(mode):
    """Every other word is "the", so that the words around a word do not tell the scene, and the text has to."""
    rng = np.random.default_rng(0)
    scenes = [["kitchen", "oven", "spoon", "soup"], ["garden", "tulip", "spade", "hedge"]]
    texts = [" the ".join(rng.choice(scenes[row % 2], 12)) for row in range(340)]
    recipe = Doc2VecRecipe(dimension=16, window=1, subsample=0, mode=mode)
    vectors = recipe.fit(Corpus("scenes", texts[:300]), rng=rng).encode(texts[300:])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    alike = vectors @ vectors.T
    same = np.equal.outer(np.arange(40) % 2, np.arange(40) % 2)
    assert alike[same & ~np.eye(40, dtype=bool)].mean() > alike[~same].mean() + 0.05


def test_progress_of_training_and_encoding():
    seen = []

    def progress(task, total):
        seen.append((task, total))
        return seen.append

    fitted = SMALL.fit(toy_corpus(30), rng=np.random.default_rng(0), progress=progress)
    fitted.encode(["a", "b"], progress=progress)
    assert seen == [("training doc2vec", 4), 1, 1, 1, 1, ("encoding with doc2vec", 2), 1, 1]


def test_too_little_text_is_refused():
    with pytest.raises(InputError, match=r"corpus 'tiny' has 3 different words .* give more"):
        SMALL.fit(Corpus("tiny", ["one two three"]), rng=np.random.default_rng(0))


def test_the_variant_is_named_after_the_colon():
    assert [parse_doc2vec(argument).mode for argument in ("", "dbow", "dm")] == ["dbow", "dbow", "dm"]
    with pytest.raises(InputError, match="expected doc2vec, doc2vec:dbow or doc2vec:dm"):
        parse_doc2vec("300")
