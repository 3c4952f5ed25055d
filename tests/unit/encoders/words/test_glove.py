import numpy as np
import pytest
import torch

from tests.conftest import toy_corpus
from vestige.encoders.words.glove import GloVeRecipe, WordPairs, count_cooccurrences
from vestige.encoders.words.training import find_frequent_words
from vestige.encoders.words.word_mean import WordMean
from vestige.errors import InputError
from vestige.text.corpus import Corpus

SMALL = GloVeRecipe(dimension=12, iterations=8, batch=512)


def test_cooccurrences_by_hand():
    # a b a c | b a: with window 2, (a,b) 1+1+1, (a,a) 2 * 1/2, (a,c) 1, (b,c) 1/2; ranks a, b, c
    counts = count_cooccurrences(find_frequent_words(Corpus("tiny", ["a b a c", "", "b a"]), 1), 2).toarray()
    assert counts.tolist() == [[1, 3, 1], [3, 0, 0.5], [1, 0.5, 0]]


def pairs_and_factors(seed=0):
    rng = np.random.default_rng(seed)
    places = rng.permutation(70)[:30]
    logs, weights = rng.standard_normal((2, 30)).astype(np.float32)
    pairs = WordPairs.build((places // 10).astype(np.int32), (places % 10).astype(np.int32), logs, weights**2)
    factors = [rng.standard_normal((size, 5)).astype(np.float32) for size in (7, 10)]
    return places, logs, weights**2, pairs, factors


def test_the_gradient_is_that_of_torch():
    places, logs, weights, pairs, factors = pairs_and_factors()
    words, contexts = (torch.tensor(factor, requires_grad=True) for factor in factors)
    errors = (words[places // 10] * contexts[places % 10]).sum(dim=1) - torch.tensor(logs)
    loss = (torch.tensor(weights) * errors**2).sum() / 2
    loss.backward()
    gradient = pairs.gradient(factors[0][pairs.rows], factors[1][pairs.columns])
    assert gradient.loss == pytest.approx(loss.item(), rel=1e-5)
    assert gradient.words == pytest.approx(words.grad.numpy()[pairs.rows], rel=1e-4, abs=1e-5)
    assert gradient.contexts == pytest.approx(contexts.grad.numpy()[pairs.columns], rel=1e-4, abs=1e-5)


def test_the_gradient_agrees_with_finite_differences():
    _, _, _, pairs, factors = pairs_and_factors(1)
    words, contexts = factors[0][pairs.rows], factors[1][pairs.columns]
    gradient = pairs.gradient(words, contexts)
    nudged = [words.copy(), words.copy()]
    nudged[0][2, 3] += 0.01
    nudged[1][2, 3] -= 0.01
    rise = (pairs.gradient(nudged[0], contexts).loss - pairs.gradient(nudged[1], contexts).loss) / 0.02
    assert rise == pytest.approx(gradient.words[2, 3], rel=1e-2)


def test_the_loss_falls_monotonically():
    counts = count_cooccurrences(find_frequent_words(toy_corpus(), 5), 10)
    found = SMALL.factorise(counts, rng=np.random.default_rng(0))
    assert found.losses == sorted(found.losses, reverse=True)
    assert found.losses[-1] < found.losses[0] / 10
    assert found.vectors.shape == (counts.shape[0], 12)


def test_words_that_occur_together_are_neighbours():
    rng = np.random.default_rng(0)
    scenes = [["kitchen", "oven", "spoon", "soup"], ["garden", "tulip", "spade", "hedge"]]
    texts = [" ".join([*rng.choice(scenes[row % 2], 12), "the", "a"]) for row in range(200)]
    fitted = GloVeRecipe(dimension=4, batch=16).fit(Corpus("scenes", texts), rng=rng)
    vectors = fitted.encode(["oven soup", "kitchen spoon", "tulip hedge"])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.3


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads():
    threads = torch.get_num_threads()
    identities = set()
    for number in (1, 2):
        torch.set_num_threads(number)
        identities.add(SMALL.fit(toy_corpus(), rng=np.random.default_rng(3)).identity)
    torch.set_num_threads(threads)
    assert len(identities) == 1
    assert SMALL.fit(toy_corpus(), rng=np.random.default_rng(4)).identity not in identities


def test_progress_and_state():
    seen = []
    fitted = SMALL.fit(
        toy_corpus(40),
        rng=np.random.default_rng(0),
        progress=lambda task, total: seen.append((task, total)) or (lambda steps: seen.append(steps)),
    )
    assert seen == [("training glove", 8)] + [1] * 8
    assert WordMean.from_state(fitted.state()).identity == fitted.identity


@pytest.mark.parametrize("texts", [["one two three"], ["word"] * 9], ids=["rare words", "no pairs"])
def test_too_little_text_is_refused(texts):
    with pytest.raises(InputError, match=r"corpus 'tiny' has .* give more"):
        SMALL.fit(Corpus("tiny", texts), rng=np.random.default_rng(0))
