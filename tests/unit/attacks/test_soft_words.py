import numpy as np
import pytest
import torch

from vestige.attacks.dictionary import Dictionary
from vestige.attacks.soft_words import Descent, Speller, relax


def _mean(soft):
    return soft.mean(dim=1)


def test_the_first_step_is_the_rate_against_the_gradient():
    """By hand: one place, two words on a line, target 1. Adam's first step moves each entry of Z by the rate."""
    words, start = torch.tensor([[1.0], [0.0]]), torch.zeros(1, 1, 2)
    chances = relax(_mean, words, torch.tensor([[1.0]]), start, Descent(0.05, 1, 0.5))
    assert chances[0, 0].tolist() == pytest.approx(
        torch.softmax(torch.tensor([0.05, -0.05]) / 0.5, 0).tolist(), abs=1e-5
    )
    assert (start == 0).all()


def test_every_place_finds_its_word_where_the_encoder_keeps_places_apart():
    words = torch.eye(6)
    embed = lambda soft: soft.flatten(1)  # noqa: E731
    target = words[[4, 0, 2]].reshape(1, -1)
    chances = relax(embed, words, target, torch.zeros(1, 3, 6), Descent(0.1, 60, 0.5))
    assert chances.argmax(dim=2).tolist() == [[4, 0, 2]]


def test_texts_descend_side_by_side_as_they_would_alone():
    words, targets = torch.eye(4).repeat(2, 1, 1), torch.tensor([[0.9, 0.1, 0, 0], [0, 0, 0.5, 0.5]])
    start, descent = torch.randn(2, 2, 4, generator=torch.Generator().manual_seed(0)), Descent(0.1, 20, 0.5)
    together = relax(_mean, words, targets, start, descent)
    alone = [relax(_mean, words[[row]], targets[[row]], start[[row]], descent) for row in range(2)]
    assert torch.allclose(together, torch.cat(alone), atol=1e-6)


NAMES = Dictionary(("bank", "banker", "the", "river"), ((7,), (7, 3), (5,), (9,)), np.array([True, True, False, True]))


def test_a_word_is_as_likely_as_its_least_likely_piece_and_claimed_where_all_are():
    """By hand: pieces 7, 3 and 5 at two places. The places claim 7 and 5, so that "banker" lacks a piece."""
    ranked, claimed = Speller(NAMES).spell([7, 3, 5], np.array([[0.6, 0.3, 0.1], [0.2, 0.1, 0.7]], np.float32))
    assert [name for name, _ in ranked] == ["bank", "banker"]
    assert [chance for _, chance in ranked] == pytest.approx([0.6, 0.3])
    assert claimed == {"bank"}


def test_no_chance_is_above_one():
    assert Speller(NAMES).spell([7], np.array([[1.0000001]], np.float32)) == ([("bank", 1.0)], frozenset({"bank"}))
