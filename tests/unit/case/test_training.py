"""Which documents an encoder was trained on, and which not."""

from dataclasses import replace

import numpy as np
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.case import Training
from vestige.case.inputs import read_inputs
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.text.corpus import Corpus

SETTINGS = Settings(targets=60, pairs=300, shortest=4, queries=5)
LEARNED, OWN = toy_corpus(80, seed=7), toy_corpus(150)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"trained_on": toy_corpus(19, seed=7)}, "toy gives 19 documents of 2 sentences or more, and toy 150 that"),
        ({"trained_on": OWN}, "toy gives 150 documents of 2 sentences or more, and toy 0 that share nothing"),
        ({"trained_on": LEARNED, "encoder": "tfidf"}, "is fitted on toy in this run, not on toy"),
        ({"trained_on": LEARNED, "encoder": None, "texts": None, "vectors": np.eye(5, 3) + 1}, "with --encoder"),
        ({"trained_on": "complains"}, "did you mean 'complaints'"),
    ],
)
def test_training_texts_that_cannot_be_compared_are_refused(arguments, message):
    inputs = {"texts": OWN, "encoder": WordSum(), "settings": SETTINGS, **arguments}
    with pytest.raises(InputError, match=message):
        vestige.audit(**inputs)


def test_parts_of_a_training_letter_are_one_document(tmp_path):
    rows = [f"{number // 5},some words of letter {number}" for number in range(50)]
    learned = tmp_path / "learned.csv"
    learned.write_text("\n".join(["letter_id,text", *rows]), encoding="utf-8")
    settings = replace(SETTINGS, document_column="letter_id")
    own = Corpus("own", OWN.texts, OWN.documents)
    inputs = read_inputs(None, own, WordSum(), None, settings, trained_on=learned)
    assert inputs.trained_on is not None
    assert len(set(inputs.trained_on.documents)) == 10


def test_documents_of_the_training_data_are_never_among_the_others():
    both = Corpus("both", [*OWN.texts, *LEARNED.texts])
    training = case_of(both, SETTINGS, WordSum(), trained_on=LEARNED).training
    assert isinstance(training, Training)
    learned = set(LEARNED.sentences().texts)
    flags = dict(zip(training.sentences.texts, training.members, strict=True))
    assert all(flags[text] == (text in learned) for text in flags)
    assert sum(not member for member in flags.values()) == 3 * 150


def test_a_document_is_on_one_side_and_some_are_known():
    training = case_of(OWN, SETTINGS, WordSum(), trained_on=LEARNED).training
    sides = {}
    for name, *flags in zip(training.sentences.documents, training.members, training.known, strict=True):
        assert sides.setdefault(name, flags) == flags
    known = [member for member, is_known in sides.values() if is_known]
    assert (known.count(True), known.count(False)) == (10, 15)
