"""Membership of windows of words: values by hand, controls, and what is refused."""

import numpy as np
import pytest

from vestige.attacks.membership.words import NOT_COMPARABLE, WordMembership
from vestige.encoders.words.word2vec import Word2VecRecipe
from vestige.errors import InputError, NotFitted
from vestige.metrics.membership.summary import membership
from vestige.text.corpus import Corpus
from vestige.text.windows import Windows

VECTORS = {"a": [1.0, 0.0], "b": [0.0, 2.0], "c": [3.0, 4.0], "d": [-1.0, 0.0], "e": [0.0, -5.0]}
"""Cosines: a with b 0, with c 0.6, with d -1; c with b 0.8, with d -0.6, with e -0.8."""


def scores(windows, *, vectors=VECTORS, reference=None, **settings):
    return WordMembership(**settings).fit(vectors, reference=reference).infer(windows).scores


def test_the_published_score_is_the_mean_cosine_with_the_word_in_the_middle():
    assert scores([["a", "b", "c", "d", "d"]], recipe="song") == pytest.approx([(0.6 + 0.8 - 0.6 - 0.6) / 4])
    assert scores([["a", "c", "b"], ["b", "a", "d"]], recipe="song") == pytest.approx([(0.6 + 0.8) / 2, (0 - 1) / 2])


def test_unknown_words_are_left_out_of_the_mean():
    windows = [["a", "c", "?"], ["?", "c", "?"], ["a", "?", "b"]]
    assert scores(windows, recipe="song") == pytest.approx([0.6, NOT_COMPARABLE, NOT_COMPARABLE])
    assert scores([*windows, ["a", "c", "b"]])[[1]] == pytest.approx([NOT_COMPARABLE])
    assert scores(windows)[2] != NOT_COMPARABLE


def test_our_score_is_the_mean_cosine_of_all_pairs_weighed_by_rarity():
    """No direction taken away and a mean of zero: cosines stay as they are; rank r weighs log(2 + r) squared."""
    vectors = {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [-1.0, 0.0], "d": [0.0, -1.0]}
    a, b, d = np.log(2) ** 2, np.log(3) ** 2, np.log(5) ** 2
    expected = (a * b * 0 + a * d * 0 + b * d * -1) / (a * b + a * d + b * d)
    assert scores([["a", "b", "d"]], vectors=vectors, directions=0) == pytest.approx([expected])
    assert scores([["b", "?", "d"]], vectors=vectors, directions=0) == pytest.approx([-1.0])


def test_the_mean_and_the_widest_directions_are_taken_away():
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(40, 8)) * [9, 5, 1, 1, 1, 1, 1, 1] + 3
    words = [f"w{row}" for row in range(40)]
    _, _, axes = np.linalg.svd(matrix - matrix.mean(axis=0))
    rest = (matrix - matrix.mean(axis=0)) @ axes[2:].T
    rest /= np.linalg.norm(rest, axis=1, keepdims=True)
    weights = np.log(2 + np.arange(40)) ** 2
    pairs = [(7, 20), (7, 31), (20, 31)]
    expected = np.average([rest[i] @ rest[j] for i, j in pairs], weights=[weights[i] * weights[j] for i, j in pairs])
    assert scores([["w7", "w31", "w20"]], vectors=(words, matrix), directions=2) == pytest.approx([expected], abs=1e-6)


def test_a_reference_takes_away_how_near_the_words_are_anyway():
    """The reference's words lie otherwise and in another order; a word it lacks takes nothing away."""
    vectors = {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [-1.0, 0.0], "d": [0.0, -1.0]}
    reference = {"d": [1.0, 0.0], "b": [1.0, 0.0], "x": [-1.0, 0.0], "y": [-1.0, 0.0]}
    given = {"vectors": vectors, "directions": 0, "trust": 0.5}
    assert scores([["b", "?", "d"]], reference=reference, **given) == pytest.approx([-1 - 0.5 * 1])
    assert scores([["a", "?", "b"]], reference=reference, **given) == pytest.approx([0.0], abs=1e-6)


def test_a_mapping_is_as_good_as_words_and_a_matrix_and_scores_do_not_depend_on_company():
    windows = [["a", "b", "c"], ["c", "d", "e"], ["b", "c", "?"]]
    for settings in ({"recipe": "song"}, {"directions": 1}):
        together = scores(windows, **settings)
        assert (
            scores(windows, vectors=(list(VECTORS), np.array(list(VECTORS.values()))), **settings) == together
        ).all()
        assert (scores(windows[::-1], **settings)[::-1] == together).all()
        assert scores(windows[1:2], **settings) == together[1:2]
    assert WordMembership().fit(VECTORS).infer([]).scores.shape == (0,)


@pytest.mark.parametrize(
    ("windows", "message"),
    [
        ([["a"]], "windows of 1 words have no middle with words around it"),
        ([[]], "windows of 0 words have no middle"),
        ([["a", "b", "c", "d"]], "windows of 4 words have no middle"),
        ([["a", "b", "c"], ["a"] * 5], "windows of 3 to 5 words; give windows of one width"),
        (["a b c"], "the first window is the string 'a b c'; give a list of words"),
        ([["A", "B", "C"], ["?"] * 3], "none of 2 windows has two words to compare that have a vector"),
    ],
)
@pytest.mark.parametrize("recipe", ["default", "song"])
def test_windows_that_cannot_be_compared_are_refused(recipe, windows, message):
    with pytest.raises(InputError, match=message):
        scores(windows, recipe=recipe)


@pytest.mark.parametrize(
    ("vectors", "settings", "message"),
    [
        ({}, {}, "0 word vectors, expected at least 2"),
        ((["a", "b"], np.ones((3, 2))), {}, "2 words but 3 word vectors"),
        ({"a": [1.0, np.nan], "b": [0.0, 1.0]}, {}, "hold NaN or infinity"),
        ({"a": [1.0], "b": [0.0, 1.0]}, {}, "not a table of numbers"),
        (VECTORS, {"recipe": "paper"}, "'recipe' parameter must be 'default' or 'song'"),
        (VECTORS, {"directions": -1}, "'directions' parameter must be at least 0"),
        (VECTORS, {"trust": -0.1}, "'trust' parameter must be at least 0"),
        (VECTORS, {"recipe": "song", "reference": VECTORS}, "does not use reference vectors"),
    ],
)
def test_what_cannot_be_fitted_is_refused(vectors, settings, message):
    with pytest.raises(InputError, match=message):
        scores([["a", "b", "c"]], vectors=vectors, **settings)


def test_infer_before_fit_says_so():
    with pytest.raises(NotFitted, match="fit"):
        WordMembership().infer([["a", "b", "c"]])


@pytest.fixture(scope="module")
def trained():
    """Made-up texts in which any word may follow any other, and word2vec that has learned half of them by heart."""
    rng = np.random.default_rng(0)
    words = [f"w{number}" for number in range(300)]

    def made(name):
        texts = [" ".join(rng.choice(words, size=20)) for _ in range(60)]
        return Corpus(name, texts, [f"{name} {row}" for row in range(60)])

    members, others, public = made("members"), made("others"), made("public")
    recipe = Word2VecRecipe(dimension=40, epochs=30, min_count=1, negatives=5)
    fitted = {part.name: recipe.fit(part, rng=np.random.default_rng(1)) for part in (members, public)}
    windows = [Windows.build(part, words) for part in (members, others)]
    return {name: (each.vocabulary, each.matrix) for name, each in fitted.items()}, *windows


def advantage(attack, members, others):
    return membership(
        attack.infer(members.words).scores,
        attack.infer(others.words).scores,
        member_groups=members.owners,
        other_groups=others.owners,
        rng=np.random.default_rng(0),
    ).advantage


def test_what_was_learned_by_heart_is_inferred_and_what_was_not_learned_is_not(trained):
    vectors, members, others = trained
    paper, ours = WordMembership(recipe="song"), WordMembership()
    assert advantage(paper.fit(vectors["members"]), members, others).low > 0.3
    assert advantage(ours.fit(vectors["members"]), members, others).low > 0.5
    referred = WordMembership().fit(vectors["members"], reference=vectors["public"])
    assert advantage(referred, members, others).low > 0.5
    for untaught in (paper.fit(vectors["public"]), ours.fit(vectors["public"])):
        score = advantage(untaught, members, others)
        assert score.low < 0 < score.high


def test_vectors_of_the_wrong_words_tell_nothing(trained):
    vectors, members, others = trained
    words, matrix = vectors["members"]
    shuffled = np.random.default_rng(3).permutation(matrix)
    score = advantage(WordMembership().fit((words, shuffled)), members, others)
    assert score.low < 0 < score.high
