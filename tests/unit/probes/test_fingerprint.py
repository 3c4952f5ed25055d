"""The probe `fingerprint` with a library of toy encoders."""

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of, list_unused_queries
from vestige.case import encoder_fingerprint
from vestige.case.findings import Finding, NotApplicable
from vestige.case.settings import Settings
from vestige.probes import fingerprint
from vestige.probes.fingerprint import FingerprintProbe
from vestige.probes.probe import Run
from vestige.text.words import words
from vestige.types import Progress, Vectors, silent

PROBE = FingerprintProbe("fingerprint", "?", ("word-sum", "other"))
SETTINGS = Settings(targets=120, pairs=200, shortest=4, queries=5)


class Other:
    """A toy encoder of as many columns as the other, whose word vectors share a bias."""

    name = identity = "other"
    dimension = WordSum.dimension

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        advance = progress("encoding", len(texts))
        lean = np.linspace(-4, 4, self.dimension)
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in words(text):
                rows[row] += lean + np.random.default_rng(crc32(f"other {word}".encode())).standard_normal(len(lean))
        advance(len(texts))
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture
def two_encoders(monkeypatch):
    made = {"word-sum": WordSum, "other": Other}
    monkeypatch.setattr(fingerprint, "load_encoder", lambda name: made[name]())
    monkeypatch.setattr(encoder_fingerprint, "load_corpus", lambda _name: toy_corpus(400, seed=1))
    monkeypatch.setattr(fingerprint, "is_public", lambda name: name in made)


@pytest.mark.usefixtures("two_encoders")
def test_an_encoder_with_a_bias_is_identified():
    finding = PROBE.run(case_of(toy_corpus(200), SETTINGS, Other()), Run(SETTINGS))
    assert isinstance(finding, Finding)
    accuracy = finding.measure("accuracy")
    assert accuracy.attack.low > 0.9
    assert accuracy.prior.value == pytest.approx(1 / 3)
    assert accuracy.control.value < accuracy.attack.low
    assert finding.level == "slight"
    assert [bar.label for bar in finding.charts[0].bars] == ["word-sum", "other", "none of these"]
    assert "names other as their encoder" in finding.summary
    assert finding.attack.startswith("statistics of the vectors")


@pytest.mark.usefixtures("two_encoders")
def test_the_published_recipe_is_named():
    settings = replace(SETTINGS, recipe="pan-fingerprint")
    finding = PROBE.run(case_of(toy_corpus(200), settings, Other()), Run(settings))
    assert finding.attack.startswith("a network of 200 units")
    assert finding.measure("accuracy").attack.low > 0.9
    assert finding.warnings == ()
    assert any("names an encoder for any vector" in given for given in finding.adversary.given)


@pytest.mark.usefixtures("two_encoders")
def test_an_encoder_without_public_weights_is_in_no_library():
    settings = replace(SETTINGS, access="queries")
    answer = PROBE.run(case_of(toy_corpus(200), settings, Other()), Run(settings))
    assert isinstance(answer, NotApplicable)
    assert "--access weights" in answer.remedy


@pytest.mark.usefixtures("two_encoders")
def test_vectors_that_are_not_recognised_carry_no_warning():
    case = case_of(toy_corpus(200), SETTINGS, Other())
    turned = replace(case, targets=np.ascontiguousarray(case.targets[:, ::-1]))
    finding = PROBE.run(turned, Run(SETTINGS))
    assert finding.measure("accuracy").attack.value < 0.1
    assert not finding.warnings


@pytest.mark.usefixtures("two_encoders")
def test_an_encoder_that_only_its_owner_has_cannot_be_compared_with():
    case = case_of(toy_corpus(200), SETTINGS, Other())
    private = replace(case, subject=replace(case.subject, encoder="saved:mine"))
    answer = PROBE.run(private, Run(SETTINGS))
    assert isinstance(answer, NotApplicable)
    assert "only its owner has" in answer.reason


@pytest.mark.usefixtures("two_encoders")
@pytest.mark.parametrize("with_texts", [True, False])
def test_without_a_name_one_half_of_the_vectors_identifies_the_encoder_of_the_other(with_texts):
    texts = toy_corpus(200).sentences(4, 40)
    case = case_of(texts if with_texts else None, SETTINGS, vectors=Other().encode(texts.texts))
    finding = PROBE.run(case, Run(SETTINGS))
    assert isinstance(finding, Finding)
    accuracy = finding.measure("accuracy")
    assert accuracy.attack.n == len(case.targets) // 2
    assert accuracy.attack.low > 0.9 > accuracy.control.value
    assert "names other as their encoder" in finding.summary
    assert "--encoder" in finding.summary


@pytest.mark.usefixtures("two_encoders")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda vectors: vectors[:, ::-1],
            "of those that are installed (word-sum, other) seems to have made",
        ),
        (lambda vectors: vectors[:, :32], "none that is installed gives vectors of 32 dimensions"),
    ],
)
def test_no_encoder_is_named_that_did_not_make_the_vectors(change, reason):
    texts = toy_corpus(200).sentences(4, 40)
    case = case_of(None, SETTINGS, vectors=np.ascontiguousarray(change(Other().encode(texts.texts))))
    answer = PROBE.run(case, Run(SETTINGS))
    assert isinstance(answer, NotApplicable)
    assert reason in answer.reason
    assert "--encoder" in answer.remedy


@pytest.mark.usefixtures("two_encoders")
def test_a_named_encoder_is_compared_with_vectors_without_texts():
    texts = toy_corpus(200).sentences(4, 40)
    case = case_of(None, SETTINGS, Other(), vectors=Other().encode(texts.texts))
    finding = PROBE.run(case, Run(SETTINGS))
    assert finding.measure("accuracy").attack.n == len(case.targets)
    assert "to the right one" in finding.summary


def test_encoders_of_other_columns_are_candidates_that_cost_no_query(monkeypatch):
    class Wide(Other):
        name = identity = "wide"
        dimension = 96

        def encode(self, texts, *, progress=silent):  # noqa: ARG002
            raise AssertionError("an encoder that cannot have made the vectors was queried")

    made = {"wide": Wide, "other": Other}
    monkeypatch.setattr(fingerprint, "load_encoder", lambda name: made[name]())
    monkeypatch.setattr(encoder_fingerprint, "load_corpus", lambda _name: toy_corpus(400, seed=1))
    monkeypatch.setattr(fingerprint, "is_public", lambda name: name in made)
    probe = FingerprintProbe("fingerprint", "?", ("wide", "other"))
    finding = probe.run(case_of(toy_corpus(200), SETTINGS, Other()), Run(SETTINGS))
    assert finding.measure("accuracy").prior.value == pytest.approx(1 / 3)
    assert finding.adversary.queries == encoder_fingerprint.TEXTS


@pytest.mark.usefixtures("two_encoders")
def test_every_query_that_is_known_beforehand_is_made():
    assert not list_unused_queries(PROBE, SETTINGS, toy_corpus(200))
