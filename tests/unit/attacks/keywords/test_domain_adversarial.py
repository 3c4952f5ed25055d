import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.attacks.keywords.conftest import KEYWORDS
from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword, domain_centres
from vestige.errors import InputError, NotFitted
from vestige.text.substitution import build_external_examples


@pytest.fixture(scope="module")
def external(world):
    made = build_external_examples(world.texts, KEYWORDS, size=200, rng=np.random.default_rng(0))
    return 8 * WordSum().encode(made.texts), made.labels, made.counted


def fitted(external, victims, *, labels=None, seed=0, counted=None, **settings):
    return DomainAdversarialKeyword(**{"epochs": 6, **settings}).fit(
        external[0],
        external[1] if labels is None else labels,
        keywords=KEYWORDS,
        victims=victims,
        rng=np.random.default_rng(seed),
        counted=counted,
    )


@pytest.mark.parametrize("adapt", [True, False])
def test_keywords_are_inferred_from_cross_domain_texts(adapt, external, world):
    victims = 8 * world.targets
    attack = fitted(external, victims, adapt=adapt, epochs=15)
    assert world.accuracy(attack.infer(victims)) > 0.8


def test_the_published_negatives_teach_too(external, world):
    victims = 8 * world.targets
    attack = fitted(external, victims, counted=external[2], epochs=30)
    assert world.accuracy(attack.infer(victims)) > 0.7
    # 400 examples per keyword are seven batches of 64.
    assert attack.log_.rule.startswith("30 epochs of 7 updates; long enough with the 50 of 63")
    assert not attack.log_.converged


def test_shuffled_labels_teach_nothing(external, world):
    shuffled = np.random.default_rng(1).permutation(external[1])
    attack = fitted(external, 8 * world.targets, labels=shuffled)
    assert 0.4 < world.accuracy(attack.infer(8 * world.targets)) < 0.6


def test_the_shared_layer_learns_the_keyword_and_unlearns_the_domain():
    """Line 8 of Algorithm 1, mended: gradient of the keyword loss less lambda times that of the domain loss."""
    import torch
    from torch.nn.functional import cross_entropy

    from vestige.attacks.keywords.networks import Networks, adversarial_losses

    torch.manual_seed(0)
    networks, inputs, mixed = Networks(1, 6, 4), torch.randn(1, 8, 6), torch.randn(1, 8, 6)
    truth = torch.tensor([0] * 4 + [1] * 4)
    sum(adversarial_losses(networks, (inputs, truth[None]), (mixed, truth[None]), 0.3)).backward()
    found = [parameter.grad.clone() for parameter in (networks.hidden.weight, networks.domain.weight)]
    expected = []
    for losses in ("keyword", "domain"):
        networks.zero_grad()
        given = inputs if losses == "keyword" else mixed
        head = networks.keyword if losses == "keyword" else networks.domain
        cross_entropy(head(networks.hidden(given).sigmoid())[0], truth).backward()
        expected.append(networks.hidden.weight.grad.clone())
    assert torch.allclose(found[0], expected[0] - 0.3 * expected[1], atol=1e-6)
    assert torch.allclose(found[1], networks.domain.weight.grad, atol=1e-6)


def test_infer_is_the_mean_over_epochs(external, world):
    attack = fitted(external, world.targets, epochs=3)
    each = attack.by_epoch(world.targets[:9])
    assert len(each) == 3
    assert not np.allclose(each[0].probabilities, each[2].probabilities)
    mean = np.mean([guesses.probabilities for guesses in each], axis=0)
    assert np.allclose(attack.infer(world.targets[:9]).probabilities, mean)


def test_victims_with_another_mean_are_inferred_when_centred(external, world):
    victims = 8 * world.targets + 2
    rough, centred = (fitted(external, victims, adapt=False, epochs=15, centred=each) for each in (False, True))
    assert world.accuracy(centred.infer(victims)) > world.accuracy(rough.infer(victims)) + 0.1


def test_the_centre_of_few_victims_leans_on_the_other_domain():
    """Five victims at 1, leaning on twenty at 0: 5 / 25."""
    home, away = domain_centres(np.zeros((9, 2), np.float32), np.ones((5, 2), np.float32))
    assert home.tolist() == [0, 0]
    assert away == pytest.approx(0.2)


def test_one_victim_is_enough_to_run(external, world):
    attack = fitted(external, world.targets[:1], epochs=1)
    assert attack.infer(world.targets[:1]).probabilities.shape == (1, 3)


def test_a_network_learns_the_same_whatever_stands_beside_it(external):
    """The products are batched, the networks are not mixed: no gradient of one keyword reaches another's network."""
    import torch

    from vestige.attacks.keywords.networks import Networks

    networks = Networks(3, 64, 5)
    logits = networks(torch.from_numpy(external[0][:7]).expand(3, 7, 64))[1]
    logits[1].sum().backward()
    assert networks.hidden.weight.grad[1].abs().sum() > 0
    assert networks.hidden.weight.grad[[0, 2]].abs().sum() == 0


def test_the_same_seed_gives_the_same_guesses(external, world):
    first, second = (fitted(external, world.targets, epochs=2, seed=4).infer(world.targets[:9]) for _ in range(2))
    assert (first.probabilities == second.probabilities).all()
    alone = fitted(external, world.targets, epochs=2, seed=4).infer(world.targets[3:4])
    assert (alone.probabilities == first.probabilities[3:4]).all()


def test_what_cannot_be_is_refused(external, world):
    with pytest.raises(NotFitted, match="before fit"):
        DomainAdversarialKeyword().infer(world.targets)
    with pytest.raises(InputError, match="no victims"):
        fitted(external, world.targets[:0])
    with pytest.raises(InputError, match="63 columns"):
        fitted(external, world.targets[:, 1:])
    with pytest.raises(InputError, match=r"labels have shape \(800, 2\) for 800 vectors and 3 keywords"):
        fitted(external, world.targets, labels=external[1][:, :2])
    with pytest.raises(InputError, match="none of the 800 texts contains the keyword 'Bagix'"):
        fitted(external, world.targets, labels=np.zeros_like(external[1]))
    with pytest.raises(InputError, match="'epochs' parameter"):
        fitted(external, world.targets, epochs=0)


def test_the_device_is_checked(external, world):
    with pytest.raises(InputError, match="'device' parameter must be"):
        fitted(external, world.targets, device="tpu")
