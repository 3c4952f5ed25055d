"""What is inferred from one vector, without a defense and behind one."""

import numpy as np
import pytest

from tests.sample_view import DEFENSE, list_typed
from vestige.text.words import content_words


@pytest.fixture(scope="module")
def text(model):
    return list_typed(model)


def attack(model, text, defense=""):
    attacker = model.find_attacker(defense)
    return attacker.attack(text, model.encode(text, attacker))


def test_words_are_recovered_without_a_defense_and_not_behind_one(model, text):
    plain, defended = attack(model, text), attack(model, text, DEFENSE)
    assert plain.present == defended.present == 8
    assert plain.recovered >= 6
    assert defended.recovered <= 2
    assert plain.guessed <= 2


def test_keywords_are_ranked_and_those_of_the_text_are_always_shown(model):
    found = attack(model, "bacox " + " ".join(["cobax", "codux", "cofex"]))
    assert found.keywords[0].keyword == "bacox"
    assert found.keywords[0].present
    assert found.keywords[0].outcome in ("correct", "missed")


def test_a_label_comes_with_what_one_would_guess(model, text):
    (label,) = attack(model, text).labels
    assert label.attribute == "half"
    assert sum(chance for _, chance in label.ranked) == pytest.approx(1)
    assert (label.common, round(label.share, 1)) == ("early", 0.8)


def test_neighbours_are_the_nearest_stored_vectors_and_are_masked(model, text):
    attacker = model.find_attacker("")
    vector = model.encode(text, attacker)
    nearest = attack(model, text).neighbours
    assert nearest[0].row == int(np.argmax(attacker.case.targets @ vector))
    assert nearest[0].cosine == pytest.approx(float((attacker.case.targets @ vector).max()), abs=1e-5)
    claimed = attacker.stored[nearest[0].row]
    assert all(token.text in claimed for token in nearest[0].text.tokens if token.text is not None)


def test_words_that_a_stored_vector_does_not_reveal_are_masked(model):
    attacker = model.find_attacker("")
    truth = [content_words(text) for text in attacker.truth.texts]
    row = next(row for row, claimed in enumerate(attacker.stored) if truth[row] - claimed)
    tokens = attacker.mask(row).tokens
    assert any(token.text is None and token.state == "missed" for token in tokens)
    assert {token.text for token in tokens if token.text} == truth[row] & attacker.stored[row]


def test_the_sentence_gets_closer_step_by_step(model, text):
    attacker = model.find_attacker("")
    steps = list(attacker.follow(model.encode(text, attacker)))
    cosines = [step.similarity for step in steps]
    assert len(steps) > 1
    assert cosines == sorted(cosines)
    assert cosines[-1] > 0.95
