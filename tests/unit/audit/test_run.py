"""An audit from start to end on a toy encoder that leaks by construction."""

from dataclasses import replace

import numpy as np
import pytest

import vestige
from tests.conftest import SYLLABLES, WordSum, toy_corpus
from vestige.audit.gate import parse_gate
from vestige.audit.verdict import judge
from vestige.case.cache import digest_of
from vestige.case.codec import dumps
from vestige.case.findings import Measure
from vestige.case.level import doubts, level_of, not_told_apart
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.probes.plan import PROBES
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.text.words import content_words
from vestige.types import Score

SETTINGS = Settings(targets=120, pairs=600, queries=20, shortest=4)


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


def test_the_control_scores_as_the_prior(result):
    measure = result.findings[0].measure("f1")
    assert measure.prior.low - 0.02 <= measure.control.value <= measure.prior.high


def test_vectors_of_nothing_leak_nothing():
    corpus = toy_corpus()
    noise = np.random.default_rng(0).normal(size=(len(corpus), 32)).astype(np.float32)
    quiet = vestige.audit(noise, texts=corpus, settings=SETTINGS)
    assert quiet.findings[0].leakage.value < 0.02
    assert quiet.verdict.level in ("none", "slight")


def test_every_score_has_an_interval_a_baseline_and_n(result):
    for measure in result.findings[0].measures:
        for score in (measure.attack, measure.prior, measure.control):
            assert score.low <= score.value <= score.high
            assert score.n == 120
            assert score.baseline == pytest.approx(measure.prior.value)


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(result):
    again = vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=SETTINGS)
    other = vestige.audit(
        texts=toy_corpus(), encoder=WordSum(), settings=Settings(seed=1, targets=120, pairs=600, queries=20, shortest=4)
    )
    assert dumps(again) == dumps(result)
    assert dumps(other.findings) != dumps(result.findings)


def test_masked_words_are_nowhere_in_the_record(result):
    every_token = [token for found in result.findings for example in found.examples for token in example.tokens]
    shown = {token.text for token in every_token if token.text}
    states = {token.state for token in every_token if token.text}
    assert states == {"hit"}
    assert shown
    open_result = vestige.audit(
        texts=toy_corpus(),
        encoder=WordSum(),
        settings=Settings(targets=120, pairs=600, queries=20, shortest=4, show_text=True),
    )
    read = shown | {bar.label for chart in result.findings[0].charts for bar in chart.bars}
    every = {word for text in toy_corpus().texts for word in content_words(text)}
    assert every - read
    assert not [word for word in every - read if f'"{word}"' in dumps(result)]
    assert [example.written for found in result.findings for example in found.examples if example.written] == []
    assert all(example.written for example in open_result.findings[1].examples)
    for masked, shown_example in zip(result.findings[0].examples, open_result.findings[0].examples, strict=True):
        assert [token.state for token in masked.tokens] == [token.state for token in shown_example.tokens]
        assert all(token.text for token in shown_example.tokens)


def test_words_never_met_are_never_read():
    own = [f"{text[:-1]} unique{row}." for row, text in enumerate(toy_corpus().sentences(4, 40).texts)]
    met = vestige.audit(
        texts=Corpus("own", own), encoder=WordSum(), settings=Settings(targets=120, pairs=600, queries=20, unit="text")
    )
    bands = {bar.label: bar.score for bar in met.findings[0].charts[0].bars}
    assert bands["not in the stranger's vocabulary"].value == 0
    assert bands["not in the stranger's vocabulary"].n == 120
    assert bands["100 most frequent"].value > 0.3


def test_an_audit_of_little_text_leaves_out_bars_without_enough_documents():
    corpus = toy_corpus(400, seed=2).sentences(4, 40)
    marked = [f"{text} raretail" if row % 60 == 0 else text for row, text in enumerate(corpus.texts)]
    few = Corpus("few", marked, [str(row // 30) for row in range(len(marked))])
    small = vestige.audit(
        texts=few, encoder=WordSum(), settings=Settings(targets=40, pairs=900, queries=0, unit="text", shortest=4)
    )
    bands = small.findings[0].charts[0].bars
    assert small.findings[0].leakage.n == 40
    assert len(bands) > 0
    assert all(bar.score.n >= 10 for bar in bands)


def test_findings_come_from_the_cache_the_second_time(tmp_path, result, monkeypatch):
    first = vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=SETTINGS, cache=tmp_path)

    def fail(*_args, **_kwargs):
        raise AssertionError("fitted again")

    monkeypatch.setattr("vestige.attacks.multilabel.MultiLabelInverter.fit", fail)
    encoder = WordSum()
    second = vestige.audit(texts=toy_corpus(), encoder=encoder, settings=SETTINGS, cache=tmp_path)
    assert dumps(first) == dumps(second) == dumps(result)
    assert encoder.calls == []
    with pytest.raises(AssertionError, match="fitted again"):
        vestige.audit(
            texts=toy_corpus(),
            encoder=encoder,
            settings=Settings(seed=3, targets=120, pairs=600, queries=20, shortest=4),
            cache=tmp_path,
        )


def test_an_adversary_from_elsewhere_reads_less(result):
    halves = [
        " ".join(word for word in text.split() if word.lower().startswith(SYLLABLES[::2]))
        for text in toy_corpus(600, seed=9).texts
    ]
    foreign = Corpus("elsewhere", halves)
    both = vestige.audit(texts=toy_corpus(), encoder=WordSum(), auxiliary=foreign, settings=SETTINGS)
    assert [finding.probe for finding in both.findings] == [
        "words",
        "words-cross-domain",
        "sentences",
        "budget",
        "membership",
    ]
    assert both.findings[1].leakage.low > 0
    assert both.findings[1].leakage.value < both.findings[0].leakage.value - 0.05
    assert "words-cross-domain" not in {asked.probe for asked in both.not_run}
    assert result.not_run[0].probe == "words-cross-domain"


def test_vectors_without_texts_are_not_applicable_and_a_gate_on_them_fails():
    blind = vestige.audit(np.random.default_rng(0).normal(size=(40, 8)), fail_on=["words>0.3"])
    assert blind.verdict.level == "unknown"
    assert len(blind.not_run) == len(PROBES)
    assert not blind.gates[0].held
    assert "not run" in blind.gates[0].explanation


def test_gates(result):
    value = result.findings[0].leakage.value
    gates = [f"words>{value + 0.1:.2f}", f"words>{value - 0.1:.2f}", "words.recall>=0.01"]
    judged = vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=SETTINGS, fail_on=gates)
    assert [gate.held for gate in judged.gates] == [True, False, False]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"texts": "complaints"}, "name the encoder"),
        ({"vectors": np.eye(5, 3) + 1, "texts": ["a"] * 4}, "vectors has 5 rows but texts has 4 texts"),
        ({"vectors": np.eye(5, 3) + 1, "encoder": WordSum()}, "vectors have 3 dimensions, and 'word-sum' gives 64"),
        ({"vectors": np.eye(5, 3) + 1, "auxiliary": ["a"]}, "auxiliary text needs vectors"),
        ({"fail_on": ["word>0.3"]}, "did you mean 'words'"),
        ({"fail_on": ["words.recal>0.3"]}, "names no measure; did you mean 'recall'"),
        ({"fail_on": ["words=0.3"]}, "cannot be read; expected a form such as"),
        ({"texts": "complaints", "encoder": "minlm"}, "did you mean 'minilm'"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(InputError, match=message):
        vestige.audit(**arguments)


def test_the_wrong_encoder_is_found_out(encoder):
    corpus = toy_corpus()
    vectors = np.random.default_rng(0).normal(size=(len(corpus), 64))
    with pytest.raises(InputError, match="are not what 'word-sum' makes of the texts"):
        vestige.audit(vectors, texts=corpus, encoder=encoder)


@pytest.mark.parametrize("bad", [{"targets": 5}, {"pairs": 1}, {"seed": -1}, {"unit": "page"}, {"longest": 2}])
def test_bad_settings(bad):
    with pytest.raises(InputError, match=f"'{next(iter(bad))}' parameter must be"):
        Settings(**bad)


def test_examples_show_hits_in_the_order_of_the_text():
    result = vestige.audit(
        texts=toy_corpus(),
        encoder=WordSum(),
        settings=Settings(targets=120, pairs=600, queries=20, shortest=4, show_text=True),
    )
    for example in result.findings[0].examples:
        text = " ".join(token.text for token in example.tokens)
        hits = {token.text for token in example.tokens if token.state == "hit"}
        assert hits <= content_words(text)
        assert example.wrong >= 0


def test_a_control_above_guessing_is_no_clean_bill(result):
    spoilt = replace(result.findings[0], warnings=("do not rely on this",))
    verdict = judge([spoilt], [])
    assert verdict.level == "unknown"
    assert verdict.sentences[0] == "do not rely on this"
    assert not parse_gate("words>0.99", PROBES).check([spoilt]).held


def test_a_gate_may_look_at_an_end_of_the_interval(result):
    finding = result.findings[0]
    low, high = finding.leakage.low, finding.leakage.high
    middle = (low + finding.leakage.value) / 2
    assert parse_gate(f"words.low>{middle:.6f}", PROBES).check([finding]).held
    assert not parse_gate(f"words>{middle:.6f}", PROBES).check([finding]).held
    assert not parse_gate(f"words.high>{(high + finding.leakage.value) / 2:.6f}", PROBES).check([finding]).held
    f1 = finding.measure("f1").attack
    assert not parse_gate(f"words.f1.low>{f1.low - 0.001:.6f}", PROBES).check([finding]).held
    assert parse_gate(f"words.f1.low>{f1.low + 0.001:.6f}", PROBES).check([finding]).held


def test_labels_alone_are_not_called_text(result):
    words = replace(result.findings[0], level="severe")
    labels = replace(words, probe="attributes")
    assert "labelled with" in judge([labels, replace(words, level="slight")], []).headline
    assert "read much of the text" in judge([labels, words], []).headline


@pytest.mark.parametrize("presence", [("membership",), ("membership-training", "fingerprint")])
def test_that_a_text_is_there_is_not_called_text_and_hides_no_open_question(result, presence):
    quiet = replace(result.findings[0], level="none")
    there = [replace(quiet, probe=name, level="slight") for name in presence]
    assert "not what a text says" in judge([quiet, *there], []).headline
    assert "a little of the text" in judge([replace(quiet, level="slight"), *there], []).headline
    assert judge([replace(quiet, level="unknown"), *there], []).level == "unknown"
    assert judge([replace(quiet, level="severe"), *there], []).level == "severe"


def test_a_control_above_the_prior_gives_a_warning(monkeypatch):
    """Without the shuffle the control is the attack itself, and must be found out."""
    monkeypatch.setattr("vestige.probes.words._shuffled", lambda vectors, _seed: vectors)
    finding = vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=SETTINGS).findings[0]
    assert "do not rely" in finding.warnings[0]


@pytest.mark.parametrize("probe", ["membership", "membership-training"])
def test_limits_on_membership_are_read(probe):
    named = next(each for each in PROBES if each.name == probe)
    assert parse_gate(f"{probe}>0.5", PROBES).measure is None
    assert [parse_gate(f"{probe}.{measure}>=0.2", PROBES).measure for measure in named.measures] == [*named.measures]
    with pytest.raises(InputError, match="names no measure"):
        parse_gate(f"{probe}.recall>0.5", PROBES)


def test_a_damaged_finding_is_named(tmp_path):
    vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=SETTINGS, cache=tmp_path)
    (place,) = (tmp_path / "findings").glob("words-*.json")
    place.write_text("{")
    with pytest.raises(InputError, match=f"{place.name} is damaged .* delete it"):
        vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=SETTINGS, cache=tmp_path)


def test_text_that_was_shown_is_not_kept(tmp_path):
    shown = Settings(targets=120, pairs=600, queries=20, shortest=4, show_text=True)
    vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=shown, cache=tmp_path)
    assert not list(tmp_path.rglob("*.json"))


@pytest.mark.parametrize(
    ("leakage", "level"),
    [
        (Score(0.30, 0.29, 0.31, 9), "severe"),
        (Score(0.2999, 0.29, 0.31, 9), "substantial"),
        (Score(0.10, 0.09, 0.11, 9), "substantial"),
        (Score(0.0999, 0.09, 0.11, 9), "slight"),
        (Score(0.02, 0.0, 0.0999, 9), "none"),
        (Score(0.05, 0.0, 0.10, 9), "unknown"),
        (Score(0.5, -0.1, 0.9, 9), "unknown"),
    ],
)
def test_levels_at_their_limits(leakage, level):
    assert level_of(leakage) == level


def test_what_cannot_be_told_apart_is_not_called_safe():
    assert not_told_apart("A stranger", Score(0.01, -0.02, 0.04, 9)).startswith("A stranger learns no more")
    assert not_told_apart("A stranger", Score(0.2, -0.1, 0.5, 9)).endswith("may be anything up to 0.50.")


def test_a_broken_probe_beside_a_quiet_one_is_no_clean_bill(result):
    grave = result.findings[0]
    quiet, broken = replace(grave, level="none"), replace(grave, warnings=("odd",))
    assert judge([quiet, broken], []).level == "unknown"
    assert judge([grave, broken], []).level == grave.level


def test_an_attack_that_did_not_learn_is_no_clean_bill(result):
    low, prior = Score(0.03, 0.02, 0.04, 99), Score(0.07, 0.06, 0.08, 99)
    assert "it did not learn" in doubts(Measure("f1", "F1", low, prior, low))[0]
    assert doubts(result.findings[0].measure("f1")) == ()


def test_the_paper_recipe_is_run_as_asked(result):
    as_published = Settings(targets=120, pairs=600, queries=20, shortest=4, recipe="paper")
    published = vestige.audit(texts=toy_corpus(), encoder=WordSum(), settings=as_published)
    assert "paper recipe" in published.findings[0].attack
    assert published.findings[0].leakage.value < result.findings[0].leakage.value


def test_counts_too_wide_for_memory_are_refused_before_they_are_made(corpus):
    with pytest.raises(InputError, match=r"gives 4,000,000 columns, and an audit of .* needs about .* GB"):
        vestige.audit(texts=corpus, encoder="hashing:4000000", settings=Settings(shortest=4))


def test_an_encoder_learns_from_the_owners_texts(corpus):
    result = vestige.audit(
        texts=corpus, encoder="tfidf", settings=Settings(shortest=4, targets=60, pairs=400, queries=0)
    )
    assert result.subject.encoder == "tfidf"
    assert result.findings[0].leakage.low > 0.3


def test_an_edited_pattern_is_another_question(tmp_path):
    path = tmp_path / "pin.toml"
    described = 'template = "pin {number}"\nsecret = ["number"]\n[fields]\nnumber.range = [0, %d]\n'
    digests = []
    for most in (9, 99):
        path.write_text(described % most, encoding="utf-8")
        digests.append(digest_of([load_pattern(str(path))]))
    assert digests[0] != digests[1]


@pytest.mark.parametrize("keywords", [("Chest", "chest"), ("...",)])
def test_keywords_that_cannot_be_looked_for_are_told_at_once(corpus, keywords):
    encoder = WordSum()
    with pytest.raises(InputError, match="keyword"):
        vestige.audit(texts=corpus, encoder=encoder, settings=replace(SETTINGS, keywords=keywords))
    assert not encoder.calls


def test_a_control_that_is_not_clearly_above_a_known_prior_is_no_doubt():
    attack, coin = Score(0.9, 0.8, 1.0, 99), Score(0.5, 0.5, 0.5, 99)
    assert doubts(Measure("accuracy", "Accuracy", attack, coin, Score(0.51, 0.47, 0.55, 99))) == ()
    assert "control" in doubts(Measure("accuracy", "Accuracy", attack, coin, Score(0.56, 0.52, 0.6, 99)))[0]


def test_questions_may_be_chosen_and_come_in_their_own_order():
    corpus, encoder = toy_corpus(), WordSum()
    settings = replace(SETTINGS, probes=("membership", "keywords-cross-domain"))
    told = vestige.audit(texts=corpus, encoder=encoder, settings=settings)
    assert [finding.probe for finding in told.findings] == ["membership"]
    assert [asked.probe for asked in told.not_run] == ["keywords-cross-domain"]
    with pytest.raises(InputError, match="there is no probe 'member'; did you mean 'membership'"):
        vestige.audit(texts=corpus, encoder=encoder, settings=replace(SETTINGS, probes=("member",)))
