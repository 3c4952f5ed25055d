"""An audit from start to end on a toy encoder that leaks by construction."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from tests.sample_result import finding
from tests.sample_result import result as build_sample
from tests.unit.probes.cases import Recording
from vestige.audit.gate import parse_gate
from vestige.audit.run import AuditState, Watcher
from vestige.case.codec import dumps
from vestige.case.prepare import REPEATED
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.probes.plan import list_probes
from vestige.text.words import content_words

SETTINGS = Settings(targets=120, pairs=600, queries=20, shortest=4)
WORDS = replace(SETTINGS, probes=("words",))
SMALL = Settings(targets=60, pairs=300, shortest=4)


@pytest.fixture(autouse=True, scope="module")
def no_library():
    """Compare with no installed encoder: loading them all takes a minute."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vestige.preflight.run.list_public_encoders", tuple)
        patch.setattr("vestige.probes.fingerprint.load_encoder", lambda _name: WordSum())
        yield


@pytest.fixture(scope="module")
def result():
    return vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=SETTINGS)


def test_a_leaking_encoder_is_found_to_leak(result):
    finding = result.findings[0]
    assert finding.probe == "words"
    assert finding.leakage.low > 0.2
    assert finding.leakage.value == pytest.approx(
        finding.measure("f1").attack.value - finding.measure("f1").prior.value
    )
    assert result.verdict.level in ("substantial", "severe")
    assert finding.warnings == ()


def test_random_vectors_leak_nothing():
    corpus = toy_corpus()
    noise = np.random.default_rng(0).normal(size=(len(corpus), 32)).astype(np.float32)
    quiet = vestige.audit(noise, texts=corpus, settings=WORDS)
    assert quiet.findings[0].leakage.value < 0.02
    assert quiet.verdict.level in ("none", "slight")


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(result):
    again = vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=SETTINGS)
    other = vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=replace(WORDS, seed=1))
    assert dumps(again) == dumps(result)
    assert dumps(other.findings[0]) != dumps(result.findings[0])


class Threaded(Recording):
    """May be called from any thread."""

    any_thread = True


def test_encoding_ahead_changes_no_byte_and_encodes_nothing_twice(result, tmp_path, monkeypatch):
    monkeypatch.setattr("vestige.encoders.ahead.count_cores", lambda: 2)
    encoder = Threaded()
    chosen = replace(SETTINGS, probes=("words", "sentences", "membership"))
    ahead = vestige.audit(texts=toy_corpus(), encoder=encoder, settings=chosen, cache=tmp_path)
    assert [dumps(each) for each in ahead] == [dumps(result[each.probe]) for each in ahead]
    repeated = [text for text, count in Counter(encoder.texts).items() if count > 1]
    assert len(repeated) <= REPEATED + 1  # What shows that an encoder is deterministic, and how many columns it has.


def test_masked_words_are_nowhere_in_the_record(result):
    every_token = [token for each in result.findings for example in each.examples for token in example.tokens]
    shown = {token.text for token in every_token if token.text}
    states = {token.state for token in every_token if token.text}
    assert states == {"hit"}
    assert shown
    unmasked = replace(SETTINGS, probes=("words", "sentences"), show_text=True)
    open_result = vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=unmasked)
    recovered = shown | {bar.label for chart in result.findings[0].charts for bar in chart.bars}
    every = {word for text in toy_corpus().texts for word in content_words(text)}
    assert every - recovered
    assert not [word for word in every - recovered if f'"{word}"' in dumps(result)]
    assert [example.written for each in result.findings for example in each.examples if example.written] == []
    assert all(example.written for example in open_result.findings[1].examples)
    for masked, shown_example in zip(result.findings[0].examples, open_result.findings[0].examples, strict=True):
        assert [token.state for token in masked.tokens] == [token.state for token in shown_example.tokens]
        assert all(token.text for token in shown_example.tokens)


def test_vectors_without_texts_are_not_applicable_and_a_gate_on_them_fails():
    blind = vestige.audit(np.random.default_rng(0).normal(size=(40, 8)), fail_on=["words>0.3"])
    assert blind.verdict.level == "unknown"
    assert len(blind.not_run) == len(list_probes())
    assert not blind.gates[0].held
    assert "not run" in blind.gates[0].explanation


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"texts": "complaints"}, "name the encoder"),
        ({"vectors": np.eye(5, 3) + 1, "encoder": WordSum()}, "vectors have 3 dimensions, but 'word-sum' gives 64"),
        ({"fail_on": ["word>0.3"]}, "did you mean 'words'"),
        ({"fail_on": "words>0.3"}, "expected a list of gates, such as \\['words>0.3'\\]"),
        ({"settings": Settings(keywords=("Chest", "chest"))}, "keyword"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        vestige.audit(**arguments)


def test_the_preflight_runs_before_anything_is_encoded_for_the_case(encoder, monkeypatch):
    def fail(*_args):
        raise AssertionError("the case was built")

    monkeypatch.setattr("vestige.case.prepare.CasePlan.build", fail)
    corpus, other = toy_corpus(), toy_corpus(400, seed=9)
    vectors = np.random.default_rng(0).normal(size=(len(corpus), 64))
    with pytest.raises(InputError, match="'word-sum' does not give these vectors for the texts"):
        vestige.audit(vectors, texts=corpus, encoder=encoder, auxiliary=other)
    with pytest.raises(AssertionError, match="the case was built"):
        vestige.audit(encoder.encode(corpus.texts), texts=corpus, encoder=encoder, auxiliary=other)


def test_an_encoder_is_fitted_on_the_owners_texts(corpus):
    result = vestige.audit(
        texts=corpus,
        encoder="tfidf",
        settings=Settings(shortest=4, targets=60, pairs=400, queries=0, probes=("words",)),
    )
    assert result.subject.encoder == "tfidf"
    assert result.findings[0].leakage.low > 0.3


def test_only_the_chosen_probes_run():
    corpus, encoder = toy_corpus(), WordSum()
    settings = replace(SETTINGS, probes=("membership", "keywords-cross-domain"))
    chosen = vestige.audit(texts=corpus, encoder=encoder, settings=settings)
    assert [finding.probe for finding in chosen.findings] == ["membership"]
    assert [skipped.probe for skipped in chosen.not_run] == ["keywords-cross-domain"]
    with pytest.raises(InputError, match="unknown probe 'member'; did you mean 'membership'"):
        vestige.audit(texts=corpus, encoder=encoder, settings=replace(SETTINGS, probes=("member",)))


def test_a_resumed_audit_fits_and_encodes_nothing_again(tmp_path, monkeypatch):
    settings = replace(SMALL, probes=("words",))
    first = vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=settings, cache=tmp_path)

    def fail(*_args, **_kwargs):
        raise AssertionError("fitted again")

    monkeypatch.setattr("vestige.attacks.multilabel.MultiLabelInverter.fit", fail)
    encoder = WordSum()
    second = vestige.audit(texts=toy_corpus(), encoder=encoder, settings=settings, cache=tmp_path)
    assert dumps(first) == dumps(second)
    assert encoder.calls == []
    with pytest.raises(AssertionError, match="fitted again"):
        vestige.audit(texts=toy_corpus(), encoder=encoder, settings=replace(settings, seed=3), cache=tmp_path)


def test_the_gains_of_the_targets_average_to_the_leakage_and_have_no_text(result):
    recorded = {each.probe: each for each in result.findings if each.per_target is not None}
    assert recorded.keys() >= {"words", "sentences", "budget", "membership"}
    for each in recorded.values():
        gains = each.per_target
        assert np.average(gains.gains, weights=gains.weights) == pytest.approx(each.leakage.value, abs=2e-6), each.probe
        assert len(gains.documents) == len(gains.gains)


def test_a_watcher_sees_every_conclusion_as_soon_as_it_is_reached():
    said, updates = [], []
    chosen = replace(SMALL, probes=("words", "names", "attributes"))
    final = vestige.audit(
        texts=toy_corpus(), encoder=WordSum(), settings=chosen, watcher=Watcher(said.append, updates.append)
    )
    assert [update.pending for update in updates] == [
        ("words", "names", "attributes"),
        ("names", "attributes"),
        ("attributes",),
        (),
    ]
    assert updates[0].findings == ()
    assert updates[-1] == final
    assert [sentence.partition(":")[0] for sentence in said] == ["words", "names", "attributes"]
    assert "queries" in said[0]


def test_a_limit_on_a_probe_that_is_still_to_come_does_not_hold_yet():
    updates = []
    vestige.audit(
        texts=toy_corpus(),
        encoder=WordSum(),
        settings=replace(SMALL, probes=("words",)),
        fail_on=["words>0.99"],
        watcher=Watcher(update=updates.append),
    )
    assert [update.gates[0].held for update in updates] == [False, True]
    assert "has not run yet" in updates[0].gates[0].explanation


def test_a_gate_on_a_probe_that_will_not_run_is_refused_at_once():
    settings = Settings(probes=("words",))
    with pytest.raises(InputError, match=r"'names>0\.1' needs the probe 'names'"):
        vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=settings, fail_on=["names>0.1"])


@pytest.mark.parametrize(("preset", "bound"), [("quick", True), ("standard", False), ("thorough", False)])
def test_a_weaker_attacker_is_called_a_lower_bound(preset, bound):
    gates = tuple(parse_gate(gate, list_probes()) for gate in ("words>0.9", "words>0.1"))
    state = AuditState(Settings.for_preset(preset), gates, (), None, outcomes=[finding()])
    built = state.build_result(build_sample().subject)
    fewer = "2,000 pairs instead of 8,000 and 4,000 words to choose from instead of 8,000"
    assert any(f"Lower bound: the attacker has {fewer}" in said for said in built.verdict.sentences) == bound
    held, failed = built.gates
    assert (held.held, failed.held) == (True, False)
    assert (f"a lower bound, since the attacker has {fewer}" in held.explanation) == bound
    assert "lower bound" not in failed.explanation
