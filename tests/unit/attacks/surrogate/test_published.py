import pytest

from tests.unit.attacks.surrogate.world import EXTERNAL, Scrambled, fitted, ndcg


def test_the_published_recipe_reads_too_and_shuffled_answers_read_nothing():
    prior = ndcg(fitted(budget=0))
    settings = {"budget": 200, "recipe": "chen", "external": EXTERNAL, "steps": 250}
    assert ndcg(fitted(**settings)) > prior + 0.15
    assert ndcg(fitted(Scrambled(), **settings)) < prior + 0.05


@pytest.mark.parametrize(
    "setting", [{"objective": "mse"}, {"objective": "bce"}, {"domain_weight": 0}, {"adaptation": "none"}]
)
def test_each_part_can_be_changed(setting):
    attack = fitted(budget=30, recipe="chen", external=EXTERNAL, steps=5, **setting)
    assert len(attack.infer(attack.reader_.decoder.hidden.weight.detach().numpy()[:2]).ranked) == 2


def test_without_external_texts_the_pairs_alone_are_learned_from():
    assert fitted(budget=30, recipe="chen", steps=5).queried_.shape == (30,)
