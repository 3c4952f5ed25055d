"""The probe `patterns` on an encoder that preserves every character of a text."""

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.findings import Finding, NotApplicable
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.probes import patterns
from vestige.probes.patterns import PatternsProbe
from vestige.probes.probe import Run
from vestige.types import Progress, Vectors, silent

PROBE = PatternsProbe("patterns", "?")
PIN = """
summary = "a number of two digits"
template = "pin {number}"
secret = ["number"]
[fields]
number = { alphabet = "0123456789", length = 2 }
"""


class Spelled:
    """A toy encoder: the sum of one fixed random vector for each character at its place."""

    name = identity = "spelled"
    dimension = 96

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        advance = progress("encoding", len(texts))
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for place, letter in enumerate(text[:12]):
                rows[row] += np.random.default_rng(crc32(f"{place}{letter}".encode())).standard_normal(self.dimension)
        advance(len(texts))
        return rows


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    path = tmp_path_factory.mktemp("patterns") / "pin.toml"
    path.write_text(PIN, encoding="utf-8")
    return Settings(targets=40, pairs=200, shortest=4, patterns=(str(path),))


def test_an_encoder_that_preserves_every_character_reveals_the_secret(settings, monkeypatch):
    monkeypatch.setattr(patterns, "MADE_UP", 1000)
    finding = PROBE.run(case_of(toy_corpus(200), settings, Spelled()), Run(settings))
    assert isinstance(finding, Finding)
    fields, whole = finding.measures
    assert fields.attack.low > 0.9
    assert fields.prior.value == pytest.approx(0.1)
    assert whole.prior.value == pytest.approx(0.01)
    assert fields.control.value < 0.2
    assert finding.level == "severe"
    assert [bar.label for bar in finding.charts[0].bars][:2] == ["number[1]", "number[2]"]
    assert finding.adversary.queries > 0


def test_a_format_with_few_values_is_mentioned(settings, monkeypatch):
    monkeypatch.setattr(patterns, "MADE_UP", 1000)
    finding = PROBE.run(case_of(toy_corpus(200), settings, Spelled()), Run(settings))
    assert "so few values" in finding.charts[0].reading


def test_without_a_pattern_there_is_nothing_to_attack(settings):
    none = replace(settings, patterns=())
    answer = PROBE.run(case_of(toy_corpus(200), none, WordSum()), Run(none))
    assert isinstance(answer, NotApplicable)
    assert "--pattern" in answer.remedy


def test_without_an_encoder_records_have_no_vectors(settings):
    texts = toy_corpus(200).sentences(4, 40)
    answer = PROBE.run(case_of(texts, settings, vectors=WordSum().encode(texts.texts)), Run(settings))
    assert isinstance(answer, NotApplicable)
    assert "encoder" in answer.reason


def test_an_unknown_pattern_is_named(settings):
    wrong = replace(settings, patterns=("citizen",))
    with pytest.raises(InputError, match="citizen-id"):
        PROBE.run(case_of(toy_corpus(200), wrong, WordSum()), Run(wrong))


def test_the_published_recipe_is_named_and_says_that_it_was_cut_off(settings, monkeypatch):
    monkeypatch.setattr(patterns, "MADE_UP", 300)
    monkeypatch.setattr("vestige.attacks.patterns.published_networks.ITERATIONS", 200)
    published = replace(settings, recipe="pan-patterns")
    finding = PROBE.run(case_of(toy_corpus(200), published, Spelled()), Run(published))
    assert "a network per field, paper recipe" in finding.attack
    assert any("cut off after 200 steps" in warning for warning in finding.warnings)
    assert (
        "all fields from one network" in PROBE.run(case_of(toy_corpus(200), settings, Spelled()), Run(settings)).attack
    )
