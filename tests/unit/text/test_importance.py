"""Importance of words, by hand."""

from math import log, sqrt

import numpy as np
import pytest
from scipy import sparse

from vestige.errors import InputError, MissingExtra
from vestige.text import importance, tagger
from vestige.text.importance import (
    Importance,
    ImportantWords,
    KeyBertImportance,
    TfidfImportance,
    YakeImportance,
    content_forms,
)
from vestige.text.tagger import find_model, find_nouns_and_verbs, load_parts_of_speech

TEXTS = ["The bank lent money.", "A bank lends; the bank gains.", "Money, money: they're rich in 1999."]
VOCABULARY = ImportantWords(("bank", "money"), tagged=True)


class Toy:
    """Words in capitals are nouns, those that end in -en are verbs."""

    def tags(self, texts):
        for text in texts:
            yield [
                (word.lower(), "NN" if word.isupper() else "VBN" if word.endswith("en") else "JJ")
                for word in text.split()
            ]


def test_forms_are_content_words_without_numbers():
    assert content_forms(TEXTS[2]) == ["money", "money", "rich"]
    assert content_forms("The bank's 2nd loan") == ["bank", "loan"]


def test_a_word_counts_that_is_a_noun_or_a_verb_at_least_half_of_the_time():
    assert find_nouns_and_verbs(Toy(), ["LOAN red given", "loan RED", "red LOAN"]) == {"loan", "given"}


def test_the_vocabulary_has_frequent_words_and_with_a_tagger_only_nouns_and_verbs():
    texts = ["LOAN red given"] * 3 + ["LOAN taken"]
    assert ImportantWords.build(texts, rarest=0.5, tagger=Toy()) == ImportantWords(("loan", "given"), tagged=True)
    assert ImportantWords.build(texts, rarest=0.5) == ImportantWords(("loan", "given", "red"), tagged=False)
    assert ImportantWords.build(texts, rarest=0.25, tagger=Toy()).words == ("loan", "given", "taken")


def test_a_vocabulary_without_words_is_rejected():
    with pytest.raises(InputError, match="no word occurs in 2 of 2 texts"):
        ImportantWords.build(["red", "blue"], rarest=1.0)


def test_the_length_of_a_document_counts_only_words_of_the_vocabulary():
    assert VOCABULARY.long_enough([*TEXTS, "a bank and its money and money"], 3) == [3]
    assert VOCABULARY.long_enough(TEXTS, 2) == [0, 1, 2]


def test_tfidf_by_hand():
    found = TfidfImportance(VOCABULARY, TEXTS).weigh([TEXTS[0], TEXTS[1], "nothing", "bank bank money"])
    rarity = log(4 / 3) + 1
    assert found.words == ("bank", "money")
    assert found.tagged
    expected = [[1 / sqrt(2), 1 / sqrt(2)], [1, 0], [0, 0], [2 / sqrt(5), 1 / sqrt(5)]]
    assert found.weights.toarray() == pytest.approx(np.array(expected))
    learned = TfidfImportance(VOCABULARY, [*TEXTS, "money"]).weigh([TEXTS[0]]).weights.toarray()[0]
    rare, common = log(5 / 3) + 1, log(5 / 4) + 1
    assert learned == pytest.approx(np.array([rare, common]) / sqrt(rare**2 + common**2))
    assert rarity != rare
    plain = TfidfImportance(VOCABULARY, TEXTS, unit=False).weigh(["bank bank money"]).weights.toarray()[0]
    assert plain == pytest.approx(np.array([2 * rarity, rarity]))


def test_weights_have_one_column_per_word_and_are_not_negative():
    with pytest.raises(InputError, match="2 columns of weights but 1 words"):
        Importance(("bank",), sparse.csr_array((3, 2)))
    with pytest.raises(InputError, match="negative"):
        Importance(("bank",), sparse.csr_array(np.array([[-1.0]])))
    some = TfidfImportance(VOCABULARY, TEXTS).weigh(TEXTS)
    assert len(some.take([2, 0])) == 2
    assert some.take([2, 0]).weights.toarray()[0] == pytest.approx([0, 1])


@pytest.mark.parametrize("texts", [TEXTS, TEXTS[:1]])
def test_keybert_is_the_cosine_of_word_and_document(encoder, texts):
    pytest.importorskip("keybert")
    found = KeyBertImportance(VOCABULARY, encoder).weigh(texts).weights.toarray()
    cosines = encoder.encode(texts) @ encoder.encode(VOCABULARY.words).T
    held = TfidfImportance(VOCABULARY, TEXTS).weigh(texts).weights.toarray() > 0
    assert found == pytest.approx(np.where(held, cosines.clip(0), 0), abs=1e-4)


def test_yake_weighs_the_words_of_each_text():
    pytest.importorskip("yake")
    texts = ["Money matters. Money talks, money walks, and a bank in town knows that money counts.", "Nothing."]
    found = YakeImportance(VOCABULARY).weigh(texts).weights.toarray()
    assert found[0, 1] > found[0, 0] > 0
    assert not found[1].any()
    assert found.max() <= 1


@pytest.mark.parametrize("weigher", [KeyBertImportance, YakeImportance])
def test_a_missing_library_is_reported_with_the_command_to_install_it(weigher, monkeypatch):
    monkeypatch.setattr(importance, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"\[importance\]"):
        weigher(VOCABULARY, *([None] if weigher is KeyBertImportance else []))


def test_an_installed_model_recognises_nouns_and_verbs(monkeypatch):
    if find_model() is None:
        pytest.skip("no model of spaCy is installed")
    monkeypatch.setattr(tagger, "find_model", find_model)
    found = find_nouns_and_verbs(load_parts_of_speech.__wrapped__(), ["The happy doctor quickly wrote a long letter."])
    assert found == {"doctor", "wrote", "letter"}
