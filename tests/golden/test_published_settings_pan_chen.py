"""What Pan et al. 2020 and Chen 2023 state, as they state it."""

from inspect import signature

import pytest

from vestige.attacks import word_decoder
from vestige.attacks.fingerprint import verdict
from vestige.attacks.keywords import inference
from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.attacks.keywords.networks import PUBLISHED_EPOCHS, NetworkTraining
from vestige.attacks.patterns import published_networks
from vestige.attacks.surrogate.attack import RECIPES, SurrogateAttack
from vestige.case.settings import Settings
from vestige.defenses import privacy_mapping
from vestige.papers.chen2023.setup import SCALES as CHEN_SCALES
from vestige.papers.pan2020.setup import MODELS
from vestige.papers.pan2020.setup import SCALES as PAN_SCALES
from vestige.papers.pan2020.texts import BODY, CITIES
from vestige.text.substitution import build_external_examples

DANN, MLP, PAN, CHEN = DomainAdversarialKeyword(), NetworkTraining(1), PAN_SCALES["paper"], CHEN_SCALES["paper"]

STATED = {
    "Pan V-B: iterations, batch": ((published_networks.ITERATIONS, published_networks.BATCH), (100_000, 128)),
    "Pan V-B: units": (published_networks.UNITS, {"year": 400, "month": 25, "day": 200}),
    "Pan B: units of the network of positions": (published_networks.POSITION_UNITS, (400, 100)),
    "Pan VI-C: MLP units": (inference.UNITS, 80),
    "Pan VI-C: batch and rate of MLP and DANN": ((MLP.batch, MLP.rate), (64, 1e-3)),
    "Pan VI-C: shared dimensions, lambda": ((DANN.shared, DANN.reversal), (25, 1.0)),
    "Pan VI-D: epochs of DANN": ((DANN.epochs, PUBLISHED_EPOCHS), (50, 50)),
    "Pan VI-B: batches from the union": (MLP.halves, False),
    "Pan VI-C: sentences": (signature(build_external_examples).parameters["size"].default, 2000),
    "Pan VI-C: sentences of an audit": (Settings(recipe="pan-dann").external, 2000),
    "Pan C: PPM units, batch, updates": (
        (privacy_mapping._UNITS, privacy_mapping._BATCH, privacy_mapping._OFTEN),
        (200, 64, 5),
    ),
    "Pan D: units of the fingerprint": (verdict.HIDDEN, 200),
    "Pan H, Table VIII": ((len(CITIES), "Toronto" in CITIES, len(BODY)), (10, True, 10)),
    "Pan, Table I: XLM has 1,024 dimensions": (MODELS["XLM"].endswith("1024@last"), True),
    "Pan: records, texts and pairs": (
        (PAN.records, PAN.fresh, PAN.external, PAN.learned, PAN.tested, PAN.strengths.changed),
        (1000, True, 2000, 2000, 1000, 10_000),
    ),
    "Pan VI-D: ten shadow sentences": (PAN.shadows[0], 10),
    "Chen 5.0.1: rate, batch": ((word_decoder.RATE, word_decoder.BATCH), (1e-4, 32)),
    "Chen 5.0.1: alpha": (SurrogateAttack().domain_weight, 10.0),
    "Chen 5.0.1: queries": (SurrogateAttack().budget, 200),
    "Chen 4: selection, training of the surrogate, objective": (
        RECIPES["chen"],
        ("procrustes", "adversarial", "listnet"),
    ),
    "Chen 5.0.1: pool, queries, external": ((CHEN.pool, CHEN.budget, CHEN.external), (1000, 200, 10_000)),
    "Chen 5.0.1: rare words, short documents": ((CHEN.rarest, CHEN.shortest), (0.003, 15)),
}


@pytest.mark.parametrize(("found", "stated"), STATED.values(), ids=STATED)
def test_the_setting_is_the_papers(found, stated):
    assert found == stated
