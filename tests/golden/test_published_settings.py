"""What the papers state, as they state it. A setting that moves makes every figure beside theirs another one's."""

import pytest

from vestige.attacks import decoder, soft_words, sparse_coding
from vestige.attacks.decoder import DecoderInverter
from vestige.attacks.decoder_network import BidirectionalDecoder
from vestige.attacks.linear_words import PUBLISHED as CLASSIFIERS
from vestige.attacks.multilabel import _PUBLISHED as ONE_HALF
from vestige.attacks.multiset.recipes import RECIPES
from vestige.attacks.relaxed import RelaxedInverter

SONG, CORO = RECIPES["song"], RECIPES["coro"]
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
