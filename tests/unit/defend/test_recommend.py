"""Recommendations: golden values, by made-up trials."""

import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.conftest import WordSum
from tests.sample_frontier import swept
from tests.unit.defend.test_run import labelled
from tests.unit.defend.trials import leakage, score, trial
from vestige.case.settings import Settings
from vestige.cli.main import app
from vestige.defend.limits import parse_limit
from vestige.defend.recommend import describe_guarantee, list_commands, recommend
from vestige.defend.record import UtilityScore
from vestige.defend.run import defend
from vestige.text.corpus import serialize_corpus

SUBJECT = replace(swept().subject, vectors="store.npy", corpus="mail.csv", encoder="minilm")
LIMITS = [parse_limit("words<0.10"), parse_limit("recall@10>0.9")]


def judged(defense: str, words: float, names: float, recall: float, **more):
    privacy = (leakage(words), leakage(names, probe="names"))
    return trial(defense, words, recall, privacy=privacy, utility=(UtilityScore("recall@10", score(recall)),), **more)


TRIALS = [
    judged("none", 0.5, 0.4, 1.0),
    judged("redact:names+numbers", 0.45, 0.02, 0.95),
    judged("gaussian:50", 0.01, 0.01, 0.3),
    judged("pca:8", 0.4, 0.03, 0.93),
    judged("rounding:1", 0.01, 0.01, 0.99, reason="in round 1: it was"),
]


def recommended(trials, limits, need, adversary):
    """The recommendation for a need and an adversary, of which there is exactly one."""
    found = recommend(trials, limits, "recall@10", SUBJECT)
    (one,) = (each for each in found if (each.need, each.adversary) == (need, adversary))
    return one


INSIDER, THIEF, VENDOR = "an insider with pairs", "a thief without pairs", "a vendor who runs the encoder"


def test_every_need_is_answered_for_every_adversary():
    found = [(each.need, each.adversary) for each in recommend(TRIALS, LIMITS, "recall@10", SUBJECT)]
    needs = ["all words", "names", "the keywords", "a label"]
    assert found == [(need, who) for need in needs for who in (INSIDER, THIEF, VENDOR)]
    assert all(each.advice for each in recommend(TRIALS, LIMITS, "recall@10", SUBJECT))


def test_the_most_useful_defense_that_holds_is_recommended_with_its_commands():
    names = recommended(TRIALS, LIMITS, "names", INSIDER)
    assert names.defense == "redact:names+numbers"
    assert names.limits == "leakage under 0.10, recall@10 over 0.90"
    assert (names.undefended.value, names.leakage.value, names.utility.value) == (0.4, 0.02, 0.95)
    assert names.commands == (
        "vestige redact mail.csv redacted.parquet --kinds names,numbers",
        "vestige encode redacted.parquet --encoder minilm --out vectors.parquet",
    )
    assert names.advice.startswith("It costs 5.0% of recall@10.")


def test_what_holds_against_an_insider_is_recommended_against_a_thief_who_was_not_measured():
    insider, thief = (recommended(TRIALS, LIMITS, "names", who) for who in (INSIDER, THIEF))
    assert (thief.defense, thief.commands) == (None, insider.commands)
    assert thief.advice.endswith("holds against a thief, who has less: redact:names+numbers.")


def test_what_was_not_measured_has_the_command_that_measures_it():
    label = recommended(TRIALS, LIMITS, "a label", INSIDER)
    assert label.advice.startswith("Not measured in this sweep")
    assert label.commands == (
        "vestige defend store.npy --texts mail.csv --encoder minilm --probe attributes --attribute COLUMN",
    )


def test_where_nothing_holds_nothing_is_recommended_and_the_reason_is_given():
    words = recommended(TRIALS, LIMITS, "all words", INSIDER)
    assert (words.defense, words.leakage, words.commands) == (None, None, ())
    assert words.advice.startswith("At that utility, pca:8 leaks least: 0.400. Nothing that was judged at full size")
    for way in ("redact texts", "store no text next to vectors", "restrict who", "delete vectors"):
        assert way in words.advice


def test_a_leakage_below_the_limit_with_a_wide_interval_needs_more_texts():
    wide = trial("pca:8", 0.05, 0.95, half=0.06, utility=(UtilityScore("recall@10", score(0.95)),))
    words = recommended([trial("none", 0.5, 1.0), wide], LIMITS, "all words", INSIDER)
    assert words.defense is None
    assert words.advice.startswith("With pca:8 it is 0.050 (-0.010 to 0.110): below the limit, but not with its whole")


def test_nothing_is_recommended_that_was_dropped_or_not_measured():
    found = recommend(TRIALS, LIMITS, "recall@10", SUBJECT)
    assert not {each.defense for each in found} & {"rounding:1", "gaussian:50"}
    thief = recommended(TRIALS, LIMITS, "all words", THIEF)
    assert thief.advice.startswith("Not measured in this sweep")
    assert thief.commands == (
        "vestige defend store.npy --texts mail.csv --encoder minilm --probe words --defenses rotation,asymmetric "
        "--thief",
    )


def test_a_measured_thief_has_a_recommendation_of_its_own():
    def with_thief(name, value, recall):
        return trial(name, 0.5, recall, privacy=(leakage(0.5), leakage(value, probe="words-thief")))

    trials = [with_thief("none", 0.4, 1.0), with_thief("rotation", 0.01, 0.99)]
    assert recommended(trials, [], "all words", INSIDER).defense is None
    thief = recommended(trials, [], "all words", THIEF)
    assert thief.defense == "rotation"
    assert thief.commands == ("vestige protect store.npy protected.parquet --defense rotation",)
    assert "A key is a delay" in thief.advice


def test_what_another_limit_dropped_is_named_and_not_recommended():
    small = judged("leace@topic", 0.5, 0.02, 0.95, reason="words 0.500 misses words<0.10")
    names = recommended([TRIALS[0], small], LIMITS, "names", INSIDER)
    assert names.defense is None
    assert names.advice.endswith("within these limits: leace@topic. Judge these alone.")
    words = recommended([TRIALS[0], small], LIMITS, "all words", INSIDER)
    assert "leace@topic" not in words.advice, "it did not hide words"


def test_the_number_of_pairs_is_part_of_what_holds_against_an_insider():
    key = replace(trial("asymmetric:384", 0.01, 0.99), pairs=384)
    insider = recommended([trial("none", 0.4, 1.0), key], LIMITS, "all words", INSIDER)
    assert "Measured with 384 pairs: whoever has more may recover more." in insider.advice
    assert "A key is a delay" in insider.advice
    redacted = recommended(TRIALS, LIMITS, "names", INSIDER)
    assert "A key is a delay" not in redacted.advice


def test_against_a_thief_a_defense_without_a_key_must_hold_against_an_insider_too():
    """The thief applies it to its own text, which gives it pairs."""

    def with_thief(name, words, thief):
        return trial(name, 0.5, 0.99, privacy=(leakage(words), leakage(thief, probe="words-thief")))

    undefended = with_thief("none", 0.4, 0.4)
    found = [
        recommended([undefended, with_thief(name, words, 0.01)], LIMITS, "all words", THIEF).defense
        for name, words in (("binary", 0.4), ("binary", 0.02), ("rotation", 0.4))
    ]
    assert found == [None, "binary", "rotation"]


def test_longer_vectors_are_a_cost():
    longer = replace(trial("asymmetric:8", 0.01, 0.99), dimension=128)
    found = recommend([trial("none", 0.4, 1.0), longer], LIMITS, "recall@10", SUBJECT)[0]
    assert found.defense == "asymmetric:8"
    assert "and vectors have 128 columns instead of 64" in found.advice


def test_the_vendor_is_stopped_by_redaction_of_what_it_must_not_read_and_only_if_it_was_tried():
    vendor = recommended(TRIALS, LIMITS, "names", VENDOR)
    assert vendor.commands == ("vestige redact mail.csv redacted.parquet --kinds names,numbers",)
    assert recommended(TRIALS[:1], LIMITS, "names", VENDOR).commands == ()
    assert recommended(TRIALS, LIMITS, "the keywords", VENDOR).commands == (), "no redaction of keywords was tried"
    words = recommended(TRIALS, LIMITS, "all words", VENDOR)
    assert (words.commands, words.defense) == ((), None)
    assert "Redaction does not remove all words: run the encoder yourself" in words.advice


def test_vectors_that_leak_nothing_need_no_defense():
    found = recommend([trial("none", 0.01, 1.0), trial("pca:8", 0.0, 0.95)], LIMITS, "recall@10", SUBJECT)
    assert (found[0].defense, found[0].commands, found[0].guarantee) == ("none", (), "")


@pytest.mark.parametrize(
    ("spec", "begins"),
    [
        ("pca:8", "none"),
        ("redact:names", "none for what the detector misses"),
        ("gaussian:2,delta=1e-6", "(2, 1e-06)-differential privacy of one row"),
        ("gaussian:10000", "none in practice: (10000, 1e-05)-differential privacy"),
        ("laplace:1", "none: how far one word moves a vector was estimated"),
        (
            "laplace:1,sensitivity=3",
            "1-differential privacy of one word, provided that no word moves a vector by more than",
        ),
        ("laplace:64,sensitivity=3", "none in practice: 64-differential privacy of one word"),
        ("dcpe:2", "none of privacy: distances stay comparable on purpose, and only vectors much closer than 0.5 / √"),
        ("metric:5", "5 · d-privacy"),
        ("vmf:500", "none in practice between different texts: 500 · d-privacy"),
        ("leace@topic", "on the vectors that the defense was fitted on, no linear classifier"),
    ],
)
def test_the_guarantee_has_the_values_of_the_settings(spec, begins):
    assert describe_guarantee(spec).startswith(begins)


def test_a_recommended_defense_states_its_own_guarantee():
    noisy = [trial("none", 0.4, 1.0), trial("gaussian:10000", 0.01, 0.95)]
    assert recommended(noisy, LIMITS, "all words", INSIDER).guarantee.startswith("none in practice")


def test_a_defense_that_hides_a_label_is_fitted_by_a_sweep_that_can_be_run_as_it_is():
    def with_label(name, value, recall, hides=None):
        return trial(name, 0.5, recall, privacy=(leakage(value, probe="attributes:topic"),), hides=hides)

    trials = [with_label("none", 0.4, 1.0), with_label("leace@topic", 0.01, 0.95, "topic")]
    (label, *_) = recommend(trials, [], "recall@10", SUBJECT)
    assert (label.need, label.defense) == ("the label topic", "leace@topic")
    assert label.commands == (
        "vestige defend store.npy --texts mail.csv --encoder minilm --probe attributes --limit 'attributes<0.1' "
        "--limit 'recall@10>0.9' --attribute topic --defenses leace@topic --out vestige-defend-leace-topic",
        "vestige protect store.npy protected.parquet --defense vestige-defend-leace-topic/defense",
    )


def test_a_defense_that_hides_keywords_is_fitted_on_those_that_were_named_and_at_the_same_sizes():
    hiding = trial("leace", 0.01, 0.95, hides="keywords")
    settings = Settings(keywords=("loan", "bank"), pairs=400)
    (command, _) = list_commands(hiding, SUBJECT, ("words<0.1", "recall@10>0.9"), settings)
    assert "--probe words --probe keywords --limit 'words<0.1' --limit 'recall@10>0.9'" in command
    assert "--keywords loan,bank --pairs 400 --defenses leace" in command
    assert "--attribute" not in command


def test_the_printed_commands_of_a_hidden_label_work_as_they_are(tmp_path, monkeypatch):
    """Two labels, of which one is hidden; and a folder of an earlier sweep that is in the way."""
    pytest.importorskip("concept_erasure")
    monkeypatch.setattr("vestige.preflight.run.list_public_encoders", tuple)
    texts = labelled()
    second = ["with" if "cofex" in text.lower() else "without" for text in texts.texts]
    both = replace(texts, attributes={**texts.attributes, "second": second})
    monkeypatch.chdir(tmp_path)
    Path("mail.csv").write_bytes(serialize_corpus(both, Path("mail.csv")))
    np.save("store.npy", WordSum().encode(texts.texts))
    Path("vestige-defend/defense").mkdir(parents=True)
    settings = Settings(targets=100, pairs=400, probes=("attributes",))
    given = {"limits": ("attributes<0.25", "recall@10>0.1"), "defenses": "leace@side", "settings": settings}
    found = defend("store.npy", texts="mail.csv", thief=True, **given).result.recommendations
    by_need = {each.need: each for each in found if each.adversary == INSIDER}
    advice, other = by_need["the label side"], by_need["the label second"]
    assert other.defense is None, "the other label is not hidden, and is not to stand in the way"
    assert advice.defense == "leace@side"
    for command in advice.commands:
        ended = CliRunner().invoke(app, shlex.split(command)[1:])
        assert ended.exit_code == 0, ended.output
    assert Path("protected.parquet").exists()


def test_the_detector_of_a_redaction_is_repeated():
    redacted = trial("redact:names,detector=lists,mode=surrogate", 0.01, 0.95)
    assert list_commands(redacted, SUBJECT)[0].endswith("--kinds names --mode surrogate --detector lists")


def test_the_vendor_gets_the_most_useful_redaction_that_hides_it():
    def tried(*more):
        return recommended([TRIALS[0], *more], LIMITS, "names", VENDOR)

    leaks = judged("redact:names,detector=lists", 0.4, 0.3, 0.99)
    dear, cheap = (
        judged("redact:names,mode=mask", 0.4, 0.01, 0.92),
        judged("redact:names,mode=surrogate", 0.4, 0.01, 0.94),
    )
    assert "--mode surrogate" in tried(leaks, dear, cheap).commands[0]
    assert tried(leaks).commands == ()
    assert tried(leaks).advice.endswith("No redaction that was tried keeps within leakage 0.10 and recall@10 0.90.")
