import numpy as np
import pytest
import torch

from vestige.attacks.dictionary import Dictionary
from vestige.attacks.soft_words import DEPTH, Descent, Speller, _differentiate, relax


def _mean(soft):
    return soft.mean(dim=1)


def test_the_first_step_is_the_rate_against_the_gradient():
    """By hand: one place, two words on a line, target 1. Adam's first step moves each entry of Z by the rate."""
    words, start = torch.tensor([[1.0], [0.0]]), torch.zeros(1, 1, 2)
    chances = relax(_mean, words, torch.tensor([[1.0]]), start, Descent(0.05, 1, 0.5)).chances
    assert chances[0, 0].tolist() == pytest.approx(
        torch.softmax(torch.tensor([0.05, -0.05]) / 0.5, 0).tolist(), abs=1e-5
    )
    assert (start == 0).all()


def test_every_place_finds_its_word_where_the_encoder_keeps_places_apart():
    words = torch.eye(6)
    embed = lambda soft: soft.flatten(1)  # noqa: E731
    target = words[[4, 0, 2]].reshape(1, -1)
    chances = relax(embed, words, target, torch.zeros(1, 3, 6), Descent(0.1, 60, 0.5)).chances
    assert chances.argmax(dim=2).tolist() == [[4, 0, 2]]


def test_texts_descend_side_by_side_as_they_would_alone():
    words, targets = torch.eye(4).repeat(2, 1, 1), torch.tensor([[0.9, 0.1, 0, 0], [0, 0, 0.5, 0.5]])
    start, descent = torch.randn(2, 2, 4, generator=torch.Generator().manual_seed(0)), Descent(0.1, 20, 0.5)
    together = relax(_mean, words, targets, start, descent).chances
    alone = [relax(_mean, words[[row]], targets[[row]], start[[row]], descent).chances for row in range(2)]
    assert torch.allclose(together, torch.cat(alone), atol=1e-6)


def test_the_gradient_is_that_of_automatic_differentiation():
    generator = torch.Generator().manual_seed(0)
    words, targets = torch.randn(7, 3, generator=generator), torch.randn(2, 3, generator=generator)
    free = torch.randn(2, 4, 7, generator=generator).requires_grad_()
    losses = (_mean(torch.softmax(free / 0.3, dim=-1) @ words).tanh() - targets).square().sum(dim=1)
    losses.sum().backward()
    for shared in (words, words.expand(2, -1, -1)):
        gradient = _differentiate(lambda soft: _mean(soft).tanh(), shared, targets, free.detach(), 0.3)
        assert torch.allclose(gradient, free.grad, atol=1e-6)


def test_a_text_that_has_come_to_rest_leaves_and_the_others_go_on():
    """The first starts at its target, the other has one that no words reach; both end where they would alone."""
    words, targets = torch.eye(4), torch.tensor([[0.25, 0.25, 0.25, 0.25], [0.0, 0, 0.5, 0.9]])
    start, descent = torch.zeros(2, 2, 4), Descent(0.02, 4000, 0.5)
    found = relax(_mean, words, targets, start, descent)
    assert found.convergence.record(2).converged.all()
    alone = [relax(_mean, words, targets[[row]], start[[row]], descent).chances for row in range(2)]
    assert torch.allclose(found.chances, torch.cat(alone), atol=1e-6)


NAMES = Dictionary(("bank", "banker", "the", "river"), ((7,), (7, 3), (5,), (9,)), np.array([True, True, False, True]))


def test_a_word_is_as_likely_as_its_least_likely_piece_and_claimed_where_all_are():
    """By hand: pieces 7, 3 and 5 at two places. The places claim 7 and 5, so that "banker" lacks a piece."""
    ranked, claimed = Speller(NAMES).spell([7, 3, 5], np.array([[0.6, 0.3, 0.1], [0.2, 0.1, 0.7]], np.float32))
    assert [name for name, _ in ranked] == ["bank", "banker"]
    assert [chance for _, chance in ranked] == pytest.approx([0.6, 0.3])
    assert claimed == {"bank"}


def test_no_chance_is_above_one():
    assert Speller(NAMES).spell([7], np.array([[1.0000001]], np.float32)) == ([("bank", 1.0)], frozenset({"bank"}))


def test_only_the_likeliest_names_are_ranked_and_those_that_are_guessed():
    """Nearly all is at the first; the second position guesses the last, which is ranked although it is unlikely."""
    count = DEPTH + 10
    names = Dictionary(tuple(map(str, range(count))), tuple((row,) for row in range(count)), np.ones(count, bool))
    chances = np.linspace(0.5, 0.1, 2 * count, dtype=np.float32).reshape(2, count)
    chances[1, -1] = 0.2
    chances[1, :-1] = 0.0
    chances[0, -1] = 0.0
    ranked, claimed = Speller(names).spell(list(range(count)), chances)
    assert claimed == {"0", str(count - 1)}
    assert len(ranked) == DEPTH + 1
    assert ranked[-1][0] == str(count - 1)
