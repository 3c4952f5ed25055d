import numpy as np

from tests.conftest import WordSum
from tests.unit.attacks.keywords.conftest import KEYWORDS
from vestige.attacks.keywords.ablations import CrossDomainSizes, infer_by_shadow_size
from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.attacks.keywords.inference import KeywordInference
from vestige.text.substitution import build_external_examples


def test_more_shadow_texts_teach_more(world):
    curve = infer_by_shadow_size(
        KeywordInference(substituted=40),
        world.vectors,
        world.texts,
        world.targets,
        sizes=(20, 400),
        keywords=KEYWORDS,
        rng=np.random.default_rng(0),
        encoder=WordSum(),
    )
    few, many = ((size, world.accuracy(guesses)) for size, guesses in curve)
    assert (few[0], many[0]) == (20, 400)
    assert few[1] < many[1] - 0.02


def test_the_sizes_of_the_cross_domain_attack_are_those_given(world, monkeypatch):
    made = build_external_examples(world.texts, KEYWORDS, size=100, rng=np.random.default_rng(0))
    vectors, victims = WordSum().encode(made.texts), world.targets[:50]
    seen = []

    def watched(attack, known, labels, *, victims, **_given):
        seen.append((len(known), len(labels), len(victims), attack.shared))
        return attack

    monkeypatch.setattr(DomainAdversarialKeyword, "fit", watched)
    monkeypatch.setattr(DomainAdversarialKeyword, "infer", lambda _attack, targets: len(targets))
    rng = np.random.default_rng(1)
    sizes = CrossDomainSizes(DomainAdversarialKeyword(), vectors, made.labels, victims, keywords=KEYWORDS, rng=rng)
    curves = [*sizes.by_examples((80,)), *sizes.by_victims((1, 20)), *sizes.by_shared((7,))]
    assert curves == [(80, 50), (1, 50), (20, 50), (7, 50)]
    assert seen == [(80, 80, 50, 25), (400, 400, 1, 25), (400, 400, 20, 25), (400, 400, 50, 7)]
    assert sizes.attack.shared == 25
