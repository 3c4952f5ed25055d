import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.attacks.surrogate.world import (
    EXTERNAL,
    POOL,
    SECRET,
    TARGETS,
    WEIGHER,
    Bent,
    Scrambled,
    Stretched,
    fitted,
    ndcg,
    usual,
)
from vestige.attacks.surrogate import word_kernel
from vestige.attacks.surrogate.attack import SurrogateAttack
from vestige.attacks.surrogate.selection import SELECTIONS
from vestige.encoders.metered import Metered
from vestige.errors import BudgetExceeded, InputError, NotFitted
from vestige.text.importance import Importance, ImportantWords, TfidfImportance
from vestige.types import silent


def test_it_reads_what_matters_and_shuffled_answers_read_nothing():
    prior = ndcg(fitted(budget=0))
    assert ndcg(usual()) > prior + 0.6
    assert ndcg(fitted(Scrambled(), budget=150)) < prior + 0.05


def test_directions_that_say_nothing_do_not_hide_the_words(monkeypatch):
    targets = Stretched().encode(SECRET)
    read = ndcg(fitted(Stretched(), targets=targets, budget=150), targets)
    monkeypatch.setattr(word_kernel, "WHITENINGS", (0.0,))
    assert read > ndcg(fitted(Stretched(), targets=targets, budget=150), targets) + 0.1


def test_the_linear_reader_reads_too():
    assert ndcg(fitted(budget=150, objective="ridge")) > ndcg(fitted(budget=0)) + 0.6


def test_guesses_are_ranked_and_the_first_are_claimed():
    guesses = usual().infer(TARGETS[:9])
    assert len(guesses.ranked) == len(guesses.sets) == 9
    for claimed, ranked in zip(guesses.sets, guesses.ranked, strict=True):
        chances = [chance for _, chance in ranked]
        assert chances == sorted(chances, reverse=True)
        assert all(0 <= chance <= 1 for chance in chances)
        assert claimed == {word for word, _ in ranked[:5]}
    assert usual().infer(TARGETS[4:5]).ranked == guesses.ranked[4:5]
    assert usual().infer(TARGETS[:0]).ranked == []


@pytest.mark.parametrize("recipe", ["vestige", "chen"])
def test_the_same_seed_gives_the_same_guesses(recipe):
    one, two = (fitted(budget=40, recipe=recipe, external=EXTERNAL, steps=20).infer(TARGETS[:5]) for _ in range(2))
    assert one == two


@pytest.mark.parametrize("budget", [0, 1, 30])
def test_the_budget_is_spent_and_no_query_more(budget):
    encoder = Metered(WordSum(), budget)
    attack = fitted(encoder, budget=budget)
    assert encoder.spent == budget == len(set(attack.queried_.tolist()))


@pytest.mark.parametrize("budget", [0, 1])
def test_without_pairs_the_guess_is_the_prior(budget):
    weights = WEIGHER.weigh(POOL).weights.mean(axis=0)
    best = {WEIGHER.words[place] for place in np.argsort(-weights)[:5]}
    assert fitted(budget=budget).infer(TARGETS[:3]).sets == [best] * 3
    assert fitted(budget=budget, recipe="chen").infer(TARGETS[:3]).sets == [best] * 3
    assert fitted(budget=budget, adaptation="none").infer(TARGETS[:3]).sets == [best] * 3


def test_a_budget_larger_than_the_pool_is_the_pool():
    encoder = Metered(WordSum(), 1000)
    assert sorted(fitted(encoder, pool=POOL[:25], budget=1000).queried_) == list(range(25))
    assert encoder.spent == 25


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("targets", [1, 2])
def test_one_document_is_enough_to_run(selection, targets):
    weigher = TfidfImportance(ImportantWords.build(POOL[:1]), POOL[:1])
    attack = fitted(pool=POOL[:1], targets=TARGETS[:targets], weigher=weigher, selection=selection)
    guesses = attack.infer(TARGETS[:2])
    assert guesses.sets[0] == guesses.sets[1] <= set(weigher.words)


def test_the_encoder_is_queried_for_nothing_but_the_queried_texts():
    """Some can tell how wide their vectors are only by encoding a word: a query that no budget would count."""

    class Refusing:
        name = identity = "refusing"
        encode = WordSum().encode

        @property
        def dimension(self):
            raise AssertionError("it was queried")

    assert len(fitted(Refusing(), budget=0).infer(TARGETS).sets) == len(TARGETS)
    assert fitted(Refusing(), budget=20).queried_.shape == (20,)


def test_an_encoder_that_did_not_make_the_targets_is_refused():
    with pytest.raises(InputError, match="answers with 64 columns and the targets have 60"):
        fitted(targets=TARGETS[:, :60], budget=20)


def test_as_many_words_are_claimed_as_are_set():
    assert {len(each) for each in fitted(budget=20, claimed=60).infer(TARGETS).sets} == {60}


def test_a_query_too_many_is_never_swallowed():
    with pytest.raises(BudgetExceeded):
        fitted(Metered(WordSum(), 39), budget=40)


class Longer(WordSum):
    def encode(self, texts, *, progress=silent):
        return 64 * super().encode(texts, progress=progress)


def rng():
    return np.random.default_rng(0)


class Wordless:
    words = ()

    def weigh(self, texts):
        return Importance((), np.zeros((len(texts), 0)))


def test_a_vocabulary_without_words_is_refused():
    with pytest.raises(InputError, match="vocabulary is empty"):
        fitted(weigher=Wordless())
    with pytest.raises(InputError, match="none of 300 documents of the pool contains"):
        fitted(weigher=TfidfImportance(ImportantWords(("zebra",), True), ["zebra"]))


def test_bad_settings_and_vectors_are_refused():
    with pytest.raises(InputError, match="'recipe' parameter must be 'vestige' or 'chen'"):
        fitted(recipe="sade")
    with pytest.raises(InputError, match="'selection' parameter"):
        fitted(selection="best")
    with pytest.raises(InputError, match="'budget' parameter must be at least 0"):
        fitted(WordSum(), budget=-1)
    with pytest.raises(InputError, match="63 columns, and fit was given 64"):
        usual().infer(TARGETS[:, 1:])
    with pytest.raises(NotFitted, match="call fit"):
        SurrogateAttack().infer(TARGETS)


@pytest.mark.parametrize("selection", ["random", "most-similar"])
def test_clusters_are_for_selections_that_have_some(selection):
    with pytest.raises(InputError, match="The 'selection' parameter must be 'kmeans' or"):
        fitted(selection=selection, clusters=5)
    with pytest.raises(InputError, match="'clusters' parameter must be at least 1"):
        fitted(clusters=0)


@pytest.mark.parametrize("recipe", ["vestige", "chen"])
def test_the_length_of_the_private_vectors_does_not_matter(recipe):
    settings = {"budget": 40, "recipe": recipe, "external": EXTERNAL, "steps": 20}
    longer = SurrogateAttack(**{name: value for name, value in settings.items() if name != "external"}).fit(
        64 * TARGETS, POOL, encoder=Longer(), surrogate=Bent(), weigher=WEIGHER, external=EXTERNAL, rng=rng()
    )
    assert longer.infer(64 * TARGETS[:9]).sets == fitted(**settings).infer(TARGETS[:9]).sets


def test_the_device_is_checked():
    with pytest.raises(InputError, match="'device' parameter must be"):
        fitted(budget=20, recipe="chen", steps=1, device="tpu")
