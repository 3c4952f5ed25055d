"""Every probe declares itself, and its setups judge defenses: leakage without one, less behind strong noise."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from tests.unit.probes.test_fingerprint import PROBE, Other
from tests.unit.probes.test_fingerprint import two_encoders as two_encoders
from tests.unit.probes.test_names import PERSONS
from tests.unit.probes.test_patterns import PIN, Spelled
from tests.unit.probes.test_training import LEARNED, OWN, Memorising
from vestige.case.case import Missing
from vestige.case.settings import Settings
from vestige.defend.stages import Stage
from vestige.defenses.catalogue import make_defense
from vestige.probes.plan import choose_probes, list_probes
from vestige.probes.probe import Run, number_texts
from vestige.text.corpus import Corpus
from vestige.types import silent

SETTINGS = Settings(targets=120, pairs=500, shortest=4, rewritten=20, queries=60, keywords=("bacox", "balox"))
ENCODERS = {"patterns": Spelled, "fingerprint": Other}


def named_corpus():
    """Toy sentences with a person in each, and a label."""
    rng = np.random.default_rng(0)
    texts, labels = [], []
    for text in toy_corpus(400).texts:
        words = text.split()
        words.insert(4, f"Mary {rng.choice(PERSONS)}")
        texts.append(" ".join(words))
        labels.append("with" if "bacox" in text.lower() else "without")
    return Corpus("toy", texts, attributes={"kind": labels})


@pytest.mark.parametrize("probe", list_probes(), ids=lambda probe: probe.name)
def test_a_probe_declares_its_question_its_measures_and_its_standards(probe):
    assert probe.question.endswith("?")
    assert probe.measures
    assert all(re.fullmatch(r"[a-z0-9_]+", name) and label for name, label in probe.measures.items())
    assert all(re.match(r"LLM\d\d:2025$|AISVS ", risk) for risk in probe.standards.owasp)
    assert probe.standards.owasp
    assert all(re.fullmatch(r"AML\.T\d{4}(\.\d{3})?", technique) for technique in probe.standards.atlas)


def make_case(name, settings):
    """A case with whatever the probe requires."""
    if name == "membership-training":
        return case_of(OWN, settings, Memorising(LEARNED), trained_on=LEARNED)
    auxiliary = toy_corpus(400, seed=3) if name.endswith("cross-domain") else None
    return case_of(named_corpus(), settings, ENCODERS.get(name, WordSum)(), auxiliary=auxiliary)


@pytest.fixture
def small_patterns(tmp_path, monkeypatch):
    """Settings with a tiny format, and few generated records of it."""
    monkeypatch.setattr("vestige.probes.patterns.RECORDS", 100)
    monkeypatch.setattr("vestige.probes.patterns.SWEEP_EXAMPLES", {"full": 500, "screen": 500})
    (pin := tmp_path / "pin.toml").write_text(PIN, encoding="utf-8")
    return replace(SETTINGS, patterns=(str(pin),))


def judge(probe, case, settings, spec, draws=1):
    """The setups of a probe, the undefended leakage, and the judgement of one defense."""
    setups = probe.open(case, Run(settings))
    assert not isinstance(setups, Missing), setups
    stage = Stage.fit(1, case, setups, silent)
    defense = make_defense(spec).fit(case.targets, rng=np.random.default_rng(0))
    return setups, stage.undefended, stage.judge(defense, draws)


@pytest.mark.usefixtures("two_encoders")
@pytest.mark.parametrize("name", [probe.name for probe in list_probes()])
def test_the_setups_of_a_probe_judge_a_defense(name, small_patterns):
    (probe,) = choose_probes([name])
    probe = PROBE if name == "fingerprint" else probe
    setups, undefended, noisy = judge(probe, make_case(name, small_patterns), small_patterns, "gaussian:1")
    for setup, before, after in zip(setups, undefended.privacy, noisy.privacy, strict=True):
        assert name in (setup.name, setup.name.partition(":")[0])
        assert setup.measure
        assert setup.attack
        assert before.adaptive.low > 0
        assert before.adaptive == before.naive
        assert before.control.value < 0.5 * before.adaptive.value
        assert name == "fingerprint" or after.adaptive.value < 0.7 * before.adaptive.value
        assert (after.naive is None) == (name == "keywords-cross-domain")


@pytest.mark.parametrize("name", ["words", "names", "membership", "membership-training"])
def test_a_rotation_stops_only_the_adversary_who_does_not_know_it(name, small_patterns):
    (probe,) = choose_probes([name])
    _, undefended, rotated = judge(probe, make_case(name, small_patterns), small_patterns, "rotation")
    before, after = undefended.privacy[0], rotated.privacy[0]
    assert after.adaptive.value > 0.8 * before.adaptive.value
    assert after.naive.value < 0.6 * before.adaptive.value


def test_queries_while_attacking_count_and_those_of_the_control_do_not(small_patterns):
    (probe,) = choose_probes(["sentences"])
    case = make_case("sentences", small_patterns)
    setups, undefended, _ = judge(probe, case, small_patterns, "rotation")
    most = SETTINGS.rewritten * setups[0].queries
    words = len({word for text in case.auxiliary["same-domain"].texts for word in text.lower().split()})
    searched = undefended.queries - case.auxiliary["same-domain"].queries
    assert 0.5 * most < searched <= most + 2 * words


def test_the_membership_of_texts_without_an_encoder_judges_no_defense():
    vectors = WordSum().encode(toy_corpus(400).texts)
    (probe,) = choose_probes(["membership"])
    missing = probe.open(case_of(toy_corpus(400), SETTINGS, vectors=vectors), Run(SETTINGS))
    assert isinstance(missing, Missing)
    assert "--encoder" in missing.remedy


def test_a_probe_that_cannot_be_opened_says_what_would_help():
    vectors = WordSum().encode(toy_corpus().texts)
    case = case_of(toy_corpus(), SETTINGS, vectors=vectors)
    for name in ("words-cross-domain", "sentences", "patterns", "membership-training"):
        (probe,) = choose_probes([name])
        missing = probe.open(case, Run(SETTINGS))
        assert isinstance(missing, Missing)
        assert missing.reason
        assert missing.remedy


def test_an_estimate_has_distinct_texts_of_about_the_same_lengths():
    texts = list(number_texts(["one", "two"], 5, "with a name"))
    assert texts == [
        "one with a name 0",
        "two with a name 1",
        "one with a name 2",
        "two with a name 3",
        "one with a name 4",
    ]
