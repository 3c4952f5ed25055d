"""What the papers state about the encoders that are trained here, as they state it."""

import pytest

from vestige.attacks.membership import similarity
from vestige.encoders.bag_of_words import HashingRecipe, TfidfRecipe
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.lsa import LsaRecipe
from vestige.encoders.words.doc2vec import Doc2VecRecipe
from vestige.encoders.words.glove import GloVeRecipe
from vestige.encoders.words.word2vec import FastTextRecipe, Word2VecRecipe

LSTM, TRANSFORMER = DualRecipe.paper("lstm"), DualRecipe.paper("transformer")
WORD2VEC, FASTTEXT, GLOVE, DOC2VEC = Word2VecRecipe(), FastTextRecipe(), GloVeRecipe(), Doc2VecRecipe()

STATED = {
    "Song 6.1: dimension of the LSTM": (LSTM.dimension, 1200),
    "Song 6.1: epochs of the LSTM": (LSTM.epochs, 1),
    "Song 6.1: rate of the LSTM, constant": (
        (LSTM.learning_rate, LSTM.warm_up, LSTM.decline),
        (0.0005, 0, "none"),
    ),
    "Song 6.1: dimension of the Transformer": (TRANSFORMER.dimension, 600),
    "Song 6.1: layers of the Transformer": (TRANSFORMER.layers, 3),
    "Song 6.1: epochs of the Transformer": (TRANSFORMER.epochs, 5),
    "Song 6.1: 800 negatives": ([one.batch - one.run for one in (LSTM, TRANSFORMER)], [800, 800]),
    "Song 7: a linear adversary": ({one.adversary.kind for one in (LSTM, TRANSFORMER)}, {"linear"}),
    "Song 7: all of lambda at once, nothing rounded": ((LSTM.adversary.ramp, LSTM.adversary.grid), (0.0, 0.0)),
    "Vaswani 5.3: rate": (
        (TRANSFORMER.learning_rate, TRANSFORMER.warm_up, TRANSFORMER.decline),
        (pytest.approx(600**-0.5 * 4000**-0.5), 4000, "root"),
    ),
    "Vaswani 3.1: layer": (TRANSFORMER.block, "vaswani"),
    "Vaswani 3.2: heads": (TRANSFORMER.heads, 8),
    "Vaswani 3.4: words start at variance 1/d": (
        (TRANSFORMER.word_start, TRANSFORMER.word_scale),
        ("standard", 600**-0.5),
    ),
    "Vaswani 5.4: dropout": (TRANSFORMER.dropout, 0.1),
    "nothing is added: clipping": ([one.clip for one in (LSTM, TRANSFORMER)], [None, None]),
    "nothing is added: a final norm": ([one.normed for one in (LSTM, TRANSFORMER)], [False, False]),
    "nothing is added: word vectors by rarity": ((LSTM.word_start, LSTM.word_scale), ("standard", 1.0)),
    "nothing is added: dropout in the LSTM": (LSTM.dropout, 0.0),
    "nothing is added: short sentences": (
        [one.longest_studied for one in (LSTM, TRANSFORMER)],
        [1000, 1000],
    ),
    "nothing is added: half precision": ({one.precision for one in (LSTM, TRANSFORMER)}, {"fp32"}),
    "Song 6.4: W_m of Equation 10, epochs": (similarity.EPOCHS, 10),
    "Song 6.4: W_m of Equation 10, Adam": (similarity.RATE, 0.001),
    "Song 6.1: dimension of word vectors": ([one.dimension for one in (WORD2VEC, FASTTEXT, GLOVE)], [100] * 3),
    "Song 6.1: negatives of word vectors": ([one.negatives for one in (WORD2VEC, FASTTEXT)], [25, 25]),
    "Song 6.1: rate of word vectors": ([one.learning_rate for one in (WORD2VEC, FASTTEXT)], [0.05, 0.05]),
    "Song 6.1: window of word vectors": ([one.window for one in (WORD2VEC, FASTTEXT)], [5, 5]),
    "Song 6.1: epochs of word vectors": ([one.epochs for one in (WORD2VEC, FASTTEXT)], [5, 5]),
    "Song 6.1: iterations of GloVe": (GLOVE.iterations, 50),
    "Pennington 4.2: GloVe": ((GLOVE.cap, GLOVE.power, GLOVE.learning_rate, GLOVE.window), (100, 0.75, 0.05, 10)),
    "Corò 4.1.2: Doc2Vec": (
        (DOC2VEC.dimension, DOC2VEC.window, DOC2VEC.negatives, DOC2VEC.subsample, DOC2VEC.epochs),
        (300, 15, 5, 1e-5, 20),
    ),
    "Corò 4.1.2: tf-idf": ((TfidfRecipe().features, TfidfRecipe().most_texts), (2**18, 0.5)),
    "Corò 4.1.2: LSA": (LsaRecipe(TfidfRecipe()).dimension, 1000),
    "Corò 4.1.2: hashing": (HashingRecipe().features, 2**18),
}


@pytest.mark.parametrize(("found", "stated"), STATED.values(), ids=STATED)
def test_the_setting_is_the_papers(found, stated):
    assert found == stated
