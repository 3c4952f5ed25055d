"""Pairs and documents in the training data: scores by hand, controls, and what is refused."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from tests.conftest import SYLLABLES
from vestige.attacks.membership.neighbours import find_neighbours
from vestige.attacks.membership.pairs import GroupMembership, PairMembership
from vestige.encoders.dual.recipe import DualRecipe
from vestige.errors import InputError, NotFitted
from vestige.text.corpus import Corpus

SETTINGS = [(similarity, recipe) for similarity in ("fixed", "learned") for recipe in ("default", "song")]


def fitted(attack, world, members=None):
    rows = world.taught
    known = world.members[rows] if members is None else members
    names = [world.documents[row] for row in rows]
    return attack.fit(world.vectors[rows], names, known, rng=np.random.default_rng(0))


def scored(attack, world):
    rows = world.attacked
    return attack.infer(world.vectors[rows], [world.documents[row] for row in rows]).scores


PART = 40
"""Documents that are learned, that are not, and that teach the encoder of the control."""


def drawn_texts(rng):
    lexicon = np.array([one + two + more for one in SYLLABLES for two in SYLLABLES for more in ("x", "z", "w")])
    sentences = rng.choice(lexicon, size=(3 * PART, 5, 6))
    return [" ".join(" ".join(words).capitalize() + "." for words in document) for document in sentences]


class World:
    """Documents of five sentences; an encoder that learned a third of them by heart, and one that learned others."""

    def __init__(self):
        corpus = Corpus("toy", drawn_texts(np.random.default_rng(3)))
        recipe = DualRecipe(dimension=32, epochs=20, dropout=0.0, batch=100, warm_up=5, word_start="random")
        learned, unrelated = (
            recipe.fit(corpus.take(part), rng=np.random.default_rng(1))
            for part in (range(PART), range(2 * PART, 3 * PART))
        )
        sentences = corpus.take(range(2 * PART)).sentences()
        self.documents = sentences.documents
        numbers = np.array([int(name) for name in self.documents])
        self.members = numbers < PART
        self.vectors, self.unrelated = learned.encode(sentences.texts), unrelated.encode(sentences.texts)
        taught = numbers % 4 == 0
        self.taught, self.attacked = np.flatnonzero(taught), np.flatnonzero(~taught)

    @property
    def truth_of_pairs(self):
        return self.members[self.attacked][find_neighbours([self.documents[row] for row in self.attacked])]

    @property
    def truth_of_documents(self):
        names = dict.fromkeys(self.documents[row] for row in self.attacked)
        return np.array([int(name) < PART for name in names])


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.mark.parametrize(("similarity", "recipe"), SETTINGS)
def test_what_was_learned_by_heart_is_inferred_and_a_document_better_than_a_pair(world, similarity, recipe):
    settings = {"similarity": similarity, "recipe": recipe}
    pairs = roc_auc_score(world.truth_of_pairs, scored(fitted(PairMembership(**settings), world), world))
    documents = roc_auc_score(world.truth_of_documents, scored(fitted(GroupMembership(**settings), world), world))
    assert pairs > 0.8
    assert documents > max(pairs, 0.95)


@pytest.mark.parametrize("recipe", ["default", "song"])
def test_both_are_blind_where_the_encoder_learned_from_others(world, recipe):
    control = World.__new__(World)
    control.__dict__ = world.__dict__ | {"vectors": world.unrelated}
    blind = scored(fitted(PairMembership(recipe=recipe), control), control)
    assert abs(roc_auc_score(world.truth_of_pairs, blind) - 0.5) < 0.12


def test_ours_is_stronger_than_the_published_one(world):
    ours, theirs = (
        roc_auc_score(world.truth_of_pairs, scored(fitted(PairMembership(recipe=recipe), world), world))
        for recipe in ("default", "song")
    )
    assert ours > theirs


def test_a_reference_that_did_not_learn_them_helps():
    rng = np.random.default_rng(0)
    documents = [str(row // 2) for row in range(1600)]
    topics = np.repeat(rng.standard_normal((800, 8)) * rng.uniform(0, 2, (800, 1)), 2, axis=0)
    reference = (topics + rng.standard_normal((1600, 8))).astype(np.float32)
    members = np.arange(1600) % 4 < 2
    near = np.repeat(rng.standard_normal((800, 8)), 2, axis=0) * members[:, None]
    vectors = (topics + near + rng.standard_normal((1600, 8))).astype(np.float32)
    areas = []
    for beside in (None, reference):
        halves = [{} if beside is None else {"reference": beside[part]} for part in (slice(800), slice(800, None))]
        attack = PairMembership().fit(vectors[:800], documents[:800], members[:800], rng=rng, **halves[0])
        scores = attack.infer(vectors[800:], documents[800:], **halves[1]).scores
        areas.append(roc_auc_score(members[800::2], scores))
    assert areas[1] > areas[0] + 0.02


def test_labels_that_mean_nothing_teach_nothing(world):
    names = list(dict.fromkeys(world.documents[row] for row in world.taught))
    areas = []
    for seed in range(8):
        drawn = dict(zip(names, np.random.default_rng(seed).permutation(len(names)) % 2 == 0, strict=True))
        attack = fitted(PairMembership(), world, [drawn[world.documents[row]] for row in world.taught])
        areas.append(roc_auc_score(world.truth_of_pairs, scored(attack, world)))
    assert abs(np.mean(areas) - 0.5) < 0.15


def test_the_fixed_similarity_of_the_paper_is_the_dot_product_and_a_document_has_the_mean():
    vectors = np.array([[1, 2], [3, 4], [0, 1], [2, 0], [5, 5]], dtype=np.float32)
    documents = ["b", "b", "b", "a", "a"]
    settings = {"similarity": "fixed", "recipe": "song"}
    rng = np.random.default_rng(0)
    assert PairMembership(**settings).fit(vectors, documents, rng=rng).infer(vectors, documents).scores.tolist() == [
        11,
        4,
        10,
    ]
    assert GroupMembership(**settings).fit(vectors, documents, rng=rng).infer(vectors, documents).scores.tolist() == [
        7.5,
        10,
    ]


@pytest.mark.parametrize(("similarity", "recipe"), SETTINGS)
def test_the_same_seed_gives_the_same_scores(world, similarity, recipe):
    one, again = (scored(fitted(PairMembership(similarity=similarity, recipe=recipe), world), world) for _ in range(2))
    assert (one == again).all()


def test_no_targets_give_no_scores(world):
    for kind in (PairMembership, GroupMembership):
        assert fitted(kind(), world).infer(world.vectors[:0], []).scores.shape == (0,)


VECTORS = np.random.default_rng(0).standard_normal((8, 3)).astype(np.float32)


DOCUMENTS = ["a", "a", "b", "b", "c", "c", "d", "d"]


MEMBERS = [True] * 4 + [False] * 4


REFUSED = {
    "one sentence": ((VECTORS[:7], DOCUMENTS[:7], MEMBERS[:7]), "1 of 4 documents, such as 'd', have one sentence"),
    "parted": ((VECTORS[[0, 1, 2, 3, 0, 1]], ["a", "a", "b", "b", "a", "a"], [True] * 6), "1 documents, such as 'a'"),
    "no labels": ((VECTORS, DOCUMENTS, None), "a learned similarity needs labels"),
    "few labels": ((VECTORS, DOCUMENTS, MEMBERS[1:]), "8 sentences but 7 labels"),
    "words as labels": ((VECTORS, DOCUMENTS, ["yes"] * 8), "expected True for members and False"),
    "one class": ((VECTORS, DOCUMENTS, [True] * 8), "0 documents are others"),
    "both sides": ((VECTORS, DOCUMENTS, [True] * 3 + [False] * 5), "1 documents, such as 'b', are members in one"),
    "few documents": ((VECTORS, DOCUMENTS[1:], MEMBERS), "8 vectors but 7 documents"),
    "nothing": ((VECTORS[:0], [], []), "no sentence to learn from"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_learned_from_is_refused(what):
    given, message = REFUSED[what]
    with pytest.raises(InputError, match=message):
        PairMembership().fit(*given, rng=np.random.default_rng(0))


def test_documents_used_in_fit_are_never_scored():
    attack = PairMembership().fit(VECTORS, DOCUMENTS, MEMBERS, rng=np.random.default_rng(0))
    with pytest.raises(InputError, match="1 documents, such as 'b', were used in fit"):
        attack.infer(VECTORS[2:6], ["b", "b", "x", "x"])


def test_a_reference_goes_to_both_or_to_neither_and_only_where_it_is_of_use():
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="both fit and infer"):
        PairMembership().fit(VECTORS, DOCUMENTS, MEMBERS, rng=rng, reference=VECTORS).infer(VECTORS[:2], ["x", "x"])
    with pytest.raises(InputError, match="does not use a reference"):
        PairMembership(recipe="song").fit(VECTORS, DOCUMENTS, MEMBERS, rng=rng, reference=VECTORS)
    with pytest.raises(InputError, match="8 vectors but 7 of the reference"):
        PairMembership().fit(VECTORS, DOCUMENTS, MEMBERS, rng=rng, reference=VECTORS[1:])


def test_settings_order_and_columns_are_checked():
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="'recipe' parameter must be 'default' or 'song'"):
        PairMembership(recipe="pan").fit(VECTORS, DOCUMENTS, MEMBERS, rng=rng)
    with pytest.raises(InputError, match="'similarity' parameter must be 'fixed' or 'learned'"):
        PairMembership(similarity="cosine").fit(VECTORS, DOCUMENTS, MEMBERS, rng=rng)
    with pytest.raises(NotFitted, match=r"GroupMembership\.infer was called before fit"):
        GroupMembership().infer(VECTORS, DOCUMENTS)
    with pytest.raises(InputError, match="2 columns, and fit was given 3"):
        PairMembership().fit(VECTORS, DOCUMENTS, MEMBERS, rng=rng).infer(VECTORS[:2, :2], ["x", "x"])


def test_fewer_sentences_than_directions_are_refused_where_directions_are_learned():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((40, 32)).astype(np.float32)
    documents = [str(row // 4) for row in range(40)]
    members = [row < 20 for row in range(40)]
    with pytest.raises(InputError, match="40 known sentences are too few to learn a similarity of 32 columns"):
        PairMembership().fit(vectors, documents, members, rng=rng)
    PairMembership(recipe="song").fit(vectors, documents, members, rng=rng)
    PairMembership().fit(vectors[:, :20], documents, members, rng=rng)


def test_the_published_training_says_how_it_ended():
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((80, 6)).astype(np.float32)
    documents, members = [str(row // 4) for row in range(80)], [row < 40 for row in range(80)]

    def fit(**settings):
        return PairMembership(**settings).fit(vectors, documents, members, rng=np.random.default_rng(0))

    assert (fit(recipe="song").log_.steps, fit(recipe="song", epochs=3).log_.steps) == (10, 3)
    assert fit().log_ is None
    assert fit(recipe="song", similarity="fixed").log_ is None
    with pytest.raises(InputError, match="'epochs' parameter must be at least 1"):
        fit(recipe="song", epochs=0)
