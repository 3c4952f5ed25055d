"""What the papers state, as they state it. A setting that moves makes every figure beside theirs another one's."""

from dataclasses import replace

import pytest

from vestige.attacks import decoder, soft_words, sparse_coding
from vestige.attacks.attack import list_recipes
from vestige.attacks.decoder import DecoderInverter
from vestige.attacks.decoder_network import BidirectionalDecoder
from vestige.attacks.multilabel import _PUBLISHED as ONE_HALF
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.multiset.recipes import RECIPES
from vestige.attacks.published_scorer import PUBLISHED as CLASSIFIERS
from vestige.attacks.relaxed import RelaxedInverter
from vestige.attacks.sparse import SparseInverter
from vestige.attacks.training_set import HELD_OUT

SONG, RELEASED, CORO, LISTED = (RECIPES[name] for name in ("song", "song-released", "coro", "coro-listed"))
PAN = DecoderInverter(recipe="pan")._network(768, 100)

STATED = {
    "Song 6.2, Eq. 5: temperature": (soft_words.PUBLISHED.temperature, 0.05),
    "Song 6.2, Eq. 5: Adam": (soft_words.PUBLISHED.rate, 0.001),
    "Song 6.2, Eq. 5: what the inverter runs": (
        RelaxedInverter(recipe="paper")._choose_descent(),
        soft_words.PUBLISHED,
    ),
    "Song 6.2, Eq. 7: penalty": (sparse_coding.CodingSettings().penalty, 0.1),
    "Song 6.2, Eq. 7: threshold": (sparse_coding.CodingSettings().threshold, 0.01),
    "Song 6.2, Eq. 7: Adam": (sparse_coding.projected_adam.__kwdefaults__["rate"], 0.001),
    "Song 6.2, Eq. 8: epochs": (CLASSIFIERS.epochs, 30),
    "Song 6.2, Eq. 8: Adam": (CLASSIFIERS.rate, 0.001),
    "Song 6.2, Eq. 8: batch": (CLASSIFIERS.batch, 256),
    "Song 3.2, Eq. 8: claimed above one half": (ONE_HALF.probability(ONE_HALF.threshold), 0.5),
    "Song 6.2, Eq. 9: units": (SONG.units, 300),
    "Song 6.2, Eq. 9: epochs": (SONG.epochs, 30),
    "Song 6.2, Eq. 9: Adam": (SONG.rate, 0.001),
    "Song 6.2, Eq. 9: batch": (SONG.batch, 256),
    "Song 6.2, Eq. 9: no weight decay, dropout or early stop": (
        (SONG.weight_decay, SONG.dropout, SONG.patience),
        (0.0, 0.0, None),
    ),
    "Song 3.2, Algorithm 2: no end token": (SONG.ends, False),
    "Song 3.2, Eq. 9: a word is removed after the loss": (SONG.listed, False),
    "Song, released code: weights start as in Keras": ((SONG.keras_start, RELEASED.keras_start), (True, True)),
    "Corò 4.3.3, PyTorch: weights start as in it": (CORO.keras_start, False),
    "Song 3.2, Algorithm 2: as many steps as the text has words": (SONG.own_length, True),
    "Song, released code, Eq. 5: Z starts uniform within 0.1": (RelaxedInverter(recipe="paper").noise, 0.1),
    "Song, released code, Eq. 9: removed before the loss, a sum over the words left, dropout and shrinkage": (
        replace(RELEASED, listed=False, summed=False, dropout=0.0, shrinkage=0.0),
        SONG,
    ),
    "Song, released code, Eq. 9: dropout and shrinkage": ((RELEASED.dropout, RELEASED.shrinkage), (0.25, 1e-4)),
    "Song 6.2: words of all kinds": (
        [list_recipes()[name][1]["words"] for name in ("song-mlc", "song-msp", "song-msp-released")],
        ["all"] * 3,
    ),
    "Song 3.1: the encoder's own words": (
        [list_recipes()[name][1]["guess"] for name in ("song-sparse", "song-relaxed")],
        ["pieces", "pieces"],
    ),
    "Song 3.1: the whole vocabulary": (
        [kind(recipe="paper").vocabulary_size for kind in (RelaxedInverter, SparseInverter)],
        [None, None],
    ),
    "Song 6.2, Eq. 7: penalty and threshold are tuned": (
        (SparseInverter(recipe="paper").penalty, SparseInverter(recipe="paper").threshold),
        (None, None),
    ),
    "Corò 4.2.2: vocabulary": ((CORO.vocabulary, LISTED.vocabulary), (20_000, 20_000)),
    "Corò 4.2.3, words left to predict at a step: removed after the loss": (CORO.listed, False),
    "Corò 4.2.3, Algorithm 1: a word is removed before the loss, all else alike": (replace(LISTED, listed=False), CORO),
    "Corò 4.3.3: as many steps as the mean text has words": (CORO.own_length, False),
    "Corò 4.3.3: a tenth is held out": (HELD_OUT, 0.1),
    "Corò 4.2.3: content words": ([MultiSetInverter(recipe="coro").words, CORO.ends], ["content", True]),
    "Corò 4.3.3: units": (CORO.units, 512),
    "Corò 4.3.3: epochs": (CORO.epochs, 100),
    "Corò 4.3.3: batch": (CORO.batch, 64),
    "Corò 4.3.3: Adam": (CORO.rate, 0.0004),
    "Corò 4.3.3: weight decay": (CORO.weight_decay, 0.0001),
    "Corò 4.3.3: dropout": (CORO.dropout, 0.2),
    "Corò 4.3.3: patience": (CORO.patience, 10),
    "Corò 4.2.3: stops at the end token": (CORO.ends, True),
    "Pan F: one bidirectional layer": ((PAN.lstm.num_layers, PAN.lstm.bidirectional), (1, True)),
    "Pan F: the vector is the first hidden state": (PAN.lstm.hidden_size, 768),
    "Pan F: full softmax": (type(PAN), BidirectionalDecoder),
    "Pan F, Figure 10: epochs": (decoder._EPOCHS["pan"], 5),
}


@pytest.mark.parametrize(("found", "stated"), STATED.values(), ids=STATED)
def test_the_setting_is_the_papers(found, stated):
    assert found == stated
