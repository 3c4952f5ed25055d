import os
import subprocess
import sys

import numpy as np
import pytest

from tests.conftest import toy_corpus
from vestige.encoders.words.word2vec import FastTextRecipe, Word2VecRecipe
from vestige.encoders.words.word_mean import SubwordMean, WordMean, list_ngrams
from vestige.errors import InputError
from vestige.text.corpus import Corpus

pytest.importorskip("gensim")


SMALL = {"dimension": 16, "epochs": 2, "negatives": 5}


RECIPES = [Word2VecRecipe(**SMALL), FastTextRecipe(**SMALL)]


SCRIPT = """
import numpy as np
from vestige.encoders.words.word2vec import FastTextRecipe, Word2VecRecipe
from vestige.text.corpus import Corpus
corpus = Corpus("sums", [" ".join(f"w{(row * 7 + step * step) % 50}" for step in range(30)) for row in range(60)])
for recipe in (Word2VecRecipe, FastTextRecipe):
    print(recipe(dimension=16, epochs=2, negatives=5).fit(corpus, rng=np.random.default_rng(3)).identity)
"""


def fit(recipe, documents=60, seed=3):
    return recipe.fit(toy_corpus(documents), rng=np.random.default_rng(seed))


@pytest.mark.parametrize("recipe", RECIPES, ids=["word2vec", "fasttext"])
def test_the_same_seed_gives_the_same_bytes(recipe):
    assert fit(recipe).identity == fit(recipe).identity
    assert fit(recipe).identity != fit(recipe, seed=4).identity


def test_the_same_seed_gives_the_same_bytes_in_another_process(capsys):
    exec(SCRIPT, {})
    command, environment = [sys.executable, "-c", SCRIPT], {**os.environ, "PYTHONHASHSEED": "77"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == capsys.readouterr().out


@pytest.mark.parametrize("recipe", RECIPES, ids=["word2vec", "fasttext"])
def test_words_that_occur_together_are_neighbours(recipe):
    rng = np.random.default_rng(0)
    scenes = [["kitchen", "oven", "spoon", "soup"], ["garden", "tulip", "spade", "hedge"]]
    corpus = Corpus("scenes", [" ".join(rng.choice(scenes[row % 2], 12)) for row in range(400)])
    fitted = type(recipe)(dimension=16, epochs=8, subsample=0).fit(corpus, rng=rng)
    vectors = fitted.encode(["oven soup", "kitchen spoon", "tulip hedge"])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.3


@pytest.mark.parametrize("recipe", RECIPES, ids=["word2vec", "fasttext"])
def test_progress_counts_epochs(recipe):
    seen = []
    recipe.fit(
        toy_corpus(30),
        rng=np.random.default_rng(0),
        progress=lambda task, total: seen.append((task, total)) or (lambda steps: seen.append(steps)),
    )
    assert seen[0][0].startswith("training ")
    assert seen[0][1] == sum(seen[1:]) == 2


@pytest.mark.parametrize("recipe", RECIPES, ids=["word2vec", "fasttext"])
def test_too_little_text_is_refused(recipe):
    with pytest.raises(InputError, match=r"corpus 'tiny' has 3 different words .* give more"):
        recipe.fit(Corpus("tiny", ["one two three", ""]), rng=np.random.default_rng(0))


def test_state_of_word2vec():
    fitted = fit(RECIPES[0])
    again = WordMean.from_state(fitted.state())
    assert again.identity == fitted.identity
    assert fitted.dimension == 16


def test_fasttext_has_vectors_for_unknown_words():
    fitted = fit(RECIPES[1])
    assert "babaxx" not in fitted.vocabulary
    again = SubwordMean.from_state(fitted.state())
    for encoder in (fitted, again):
        vectors = encoder.encode(["babaxx", "babax", "qqqq"])
        assert vectors[0] @ vectors[1] > 0.5 * np.linalg.norm(vectors[0]) * np.linalg.norm(vectors[1])
        assert not vectors[2].any()
    assert (fitted.encode(["babaxx"]) == again.encode(["babaxx"])).all()


@pytest.mark.parametrize("word", ["a", "as", "banana", "naïve", "łódź's", "aaaa", "1,000.50"])
def test_the_ngrams_are_gensims(word):
    from gensim.models.fasttext_inner import compute_ngrams_bytes

    assert sorted(list_ngrams(word, range(3, 7))) == sorted(
        ngram.decode() for ngram in compute_ngrams_bytes(word, 3, 6)
    )


def test_every_ngram_of_a_known_word_was_trained():
    two, three = (fit(FastTextRecipe(16, negatives=5, epochs=epochs, subsample=0)).state() for epochs in (2, 3))
    assert (two.tensors["ngrams"] != three.tensors["ngrams"]).any(axis=1).all()


def test_importing_needs_no_gensim():
    modules = "vestige.encoders.words.word2vec, vestige.encoders.words.doc2vec"
    check = f"import sys, {modules}; assert 'gensim' not in sys.modules"
    subprocess.run([sys.executable, "-c", check], check=True)
