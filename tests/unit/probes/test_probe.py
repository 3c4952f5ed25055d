"""Every probe declares itself, and its setups judge defenses: leakage without one, less behind strong noise."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from tests.unit.probes.test_names import PERSONS
from tests.unit.probes.test_patterns import PIN, Spelled
from vestige.case.case import Missing
from vestige.case.settings import Settings
from vestige.defend.stages import Stage
from vestige.defenses.catalogue import make_defense
from vestige.probes.plan import choose_probes, list_probes
from vestige.probes.probe import Run, number_texts
from vestige.text.corpus import Corpus
from vestige.types import silent

SETTINGS = Settings(targets=120, pairs=500, shortest=4, rewritten=20, queries=60, keywords=("bacox", "balox"))
ENCODERS = {"patterns": Spelled}
OTHER_INPUTS = ("words-cross-domain", "keywords-cross-domain", "membership-training", "fingerprint")
"""Probes that need cross-domain text, the training data or several encoders; their own tests open them."""


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


@pytest.mark.parametrize("name", [probe.name for probe in list_probes() if probe.name not in OTHER_INPUTS])
def test_the_setups_of_a_probe_judge_a_defense(name, tmp_path, monkeypatch):
    monkeypatch.setattr("vestige.probes.patterns.RECORDS", 100)
    monkeypatch.setattr("vestige.probes.patterns.SWEEP_EXAMPLES", {"full": 500, "screen": 500})
    (pin := tmp_path / "pin.toml").write_text(PIN, encoding="utf-8")
    settings = replace(SETTINGS, patterns=(str(pin),))
    case = case_of(named_corpus(), settings, ENCODERS.get(name, WordSum)())
    (probe,) = choose_probes([name])
    setups = probe.open(case, Run(settings))
    assert not isinstance(setups, Missing)
    stage = Stage.fit(1, case, setups, silent)
    noise = make_defense("gaussian:1").fit(case.targets, rng=np.random.default_rng(0))
    judgement = stage.judge(noise, 1)
    for setup, undefended, noisy in zip(setups, stage.undefended, judgement.privacy, strict=True):
        assert setup.name.partition(":")[0] == name
        assert setup.measure
        assert setup.attack
        assert undefended.adaptive.low > 0
        assert undefended.adaptive == undefended.naive
        assert undefended.control.value < 0.5 * undefended.adaptive.value
        assert noisy.adaptive.value < 0.7 * undefended.adaptive.value


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
