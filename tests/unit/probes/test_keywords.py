"""The probe `keywords` on toy texts whose encoder leaks by construction."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.attacks.keywords.inference import KeywordInference
from vestige.case.findings import Finding, NotApplicable
from vestige.case.prepare import REPEATED
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.probes import keywords_choice
from vestige.probes.keywords import KeywordsProbe
from vestige.probes.probe import Run
from vestige.text.corpus import Corpus
from vestige.text.words import words
from vestige.types import KeywordGuesses

PROBE = KeywordsProbe("keywords", "?", "same-domain")
CROSS_DOMAIN = KeywordsProbe("keywords-cross-domain", "?", "cross-domain")
SETTINGS = Settings(targets=300, pairs=600, shortest=4, keywords=("bacox", "badux", "bafex", "never"))


@pytest.fixture(scope="module", autouse=True)
def _no_tagger():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keywords_choice, "load_tagger", lambda: None)
        yield


@pytest.fixture(scope="module")
def corpus():
    return toy_corpus(400)


@pytest.fixture(scope="module")
def finding(corpus):
    found = PROBE.run(case_of(corpus, SETTINGS, WordSum()), Run(SETTINGS))
    assert isinstance(found, Finding)
    return found


def test_a_leaking_encoder_reveals_keywords(finding):
    accuracy = finding.measure("accuracy")
    assert accuracy.attack.low > 0.8
    assert accuracy.prior.value == 0.5
    assert accuracy.control.low < 0.5 < accuracy.control.high
    assert finding.leakage.value == pytest.approx(accuracy.attack.value - 0.5)
    assert finding.level == "severe"
    assert not finding.warnings


def test_the_likeliest_keyword_is_mostly_in_the_text(finding):
    likeliest = finding.measure("likeliest")
    assert likeliest.attack.low > likeliest.prior.high
    assert likeliest.control.value < likeliest.attack.low


def test_every_scored_keyword_has_a_bar_the_one_at_greatest_risk_first(finding):
    bars = finding.charts[0].bars
    assert {bar.label for bar in bars} == {"bacox", "badux", "bafex"}
    assert [bar.score.value for bar in bars] == sorted((bar.score.value for bar in bars), reverse=True)
    assert "Not scored: too few target documents contain or lack “never”: 10" in finding.charts[0].reading


def test_queries_are_counted(corpus):
    encoder = WordSum()
    case = case_of(corpus, SETTINGS, encoder)
    before = sum(encoder.calls)
    finding = PROBE.run(case, Run(SETTINGS))
    queries = finding.adversary.queries - case.auxiliary["same-domain"].queries
    assert queries == 1200
    assert queries - 20 < sum(encoder.calls) - before <= queries + REPEATED  # Repeats are not computed.


def test_examples_are_masked_unless_text_is_shown(corpus, finding):
    revealed = {word for example in finding.examples for token in example.tokens if (word := token.text)}
    assert revealed <= {"bacox", "badux", "bafex"}
    shown = PROBE.run(case_of(corpus, SETTINGS, WordSum()), Run(replace(SETTINGS, show_text=True)))
    assert all(token.text for token in shown.examples[0].tokens)


def test_random_vectors_reveal_nothing(corpus):
    texts = corpus.sentences(4, 40)
    noise = np.random.default_rng(0).normal(size=(len(texts), 32)).astype(np.float32)
    finding = PROBE.run(case_of(texts, SETTINGS, vectors=noise), Run(SETTINGS))
    assert finding.leakage.low <= 0
    assert finding.level in ("none", "unknown")


def test_an_adversary_with_cross_domain_text_infers_keywords_too(corpus):
    settings = replace(SETTINGS, pairs=300)
    foreign = toy_corpus(300, seed=7)
    case = case_of(corpus, settings, WordSum(), auxiliary=foreign)
    finding = CROSS_DOMAIN.run(case, Run(settings))
    assert finding.measure("accuracy").attack.low > 0.7
    assert finding.adversary.queries > case.auxiliary["cross-domain"].queries
    assert "only unrelated text" in finding.summary


@pytest.mark.parametrize("encoder", [None, WordSum()])
def test_without_cross_domain_text_or_queries_the_probe_is_not_applicable(corpus, encoder):
    texts = corpus.sentences(4, 40)
    settings = replace(SETTINGS, access="pairs")
    case = case_of(texts, settings, encoder, vectors=WordSum().encode(texts.texts))
    assert isinstance(CROSS_DOMAIN.run(case, Run(settings)), NotApplicable)


def test_keywords_that_cannot_be_scored_are_not_applicable(corpus):
    settings = replace(SETTINGS, keywords=("never", "in these texts"))
    answer = PROBE.run(case_of(corpus, settings, WordSum()), Run(settings))
    assert isinstance(answer, NotApplicable)
    assert "none of 2 keywords can be scored: too few" in answer.reason
    assert "“never” and “in these texts”" in answer.reason
    answer = PROBE.run(case_of(corpus, settings, WordSum()), Run(replace(settings, keywords=())))
    assert isinstance(answer, NotApplicable)
    assert "no common sensitive word" in answer.reason


def known_to(corpus, settings, change):
    """A case without an encoder, in which the adversary's own texts were changed."""
    texts = corpus.sentences(4, 40)
    case = case_of(texts, settings, vectors=WordSum().encode(texts.texts))
    pairs = case.auxiliary["same-domain"]
    return replace(case, auxiliary={"same-domain": replace(pairs, texts=[change(text) for text in pairs.texts])})


@pytest.mark.parametrize("change", [lambda text: text.replace("bacox", "other"), lambda text: f"{text} bacox"])
def test_keywords_that_cannot_be_learned_are_separated_from_rare_ones(corpus, change):
    case = known_to(corpus, SETTINGS, lambda text: change(text.lower()))
    finding = PROBE.run(case, Run(SETTINGS))
    assert {bar.label for bar in finding.charts[0].bars} == {"badux", "bafex"}
    rare, unlearned = finding.charts[0].reading.split("; ")[-2:]
    assert "contain or lack “never”" in rare
    assert "cannot learn “bacox”: none or all of its own texts contain it, and it has no encoder to query" in unlearned
    alone = PROBE.run(case, Run(replace(SETTINGS, keywords=("bacox",))))
    assert "cannot learn “bacox”" in alone.reason
    assert "target documents" not in alone.reason
    assert alone.remedy == "name the encoder with --encoder"


def test_cross_domain_texts_that_all_contain_a_keyword_are_not_applicable(corpus):
    foreign = toy_corpus(100, seed=7).sentences(4, 40)
    foreign = Corpus("foreign", [f"bacox {text}" for text in foreign.texts])
    settings = replace(SETTINGS, pairs=200)
    answer = CROSS_DOMAIN.run(case_of(corpus, settings, WordSum(), auxiliary=foreign), Run(settings))
    assert isinstance(answer, NotApplicable)
    assert "lack the keyword 'bacox'; expected at least 20" in answer.reason
    assert "drop the keyword" in answer.remedy


def test_the_paper_recipe_is_the_published_one(corpus, monkeypatch):
    made = []
    for attack in (KeywordInference, DomainAdversarialKeyword):
        whole = attack.fit

        def watched(self, *given, whole=whole, **named):
            made.append(vars(self) | {"counted": named.get("counted")})
            return whole(self, *given, **named)

        monkeypatch.setattr(attack, "fit", watched)
    settings = replace(SETTINGS, pairs=200, recipe="paper", keywords=("bacox",))
    case = case_of(corpus, settings, WordSum(), auxiliary=toy_corpus(100, seed=7))
    same, cross = (probe.run(case, Run(settings)) for probe in (PROBE, CROSS_DOMAIN))
    assert made[0]["recipe"] == "svm"
    assert not made[1]["centred"]
    assert made[1]["counted"] is not None
    assert same.adversary.queries - case.auxiliary["same-domain"].queries == len(case.auxiliary["same-domain"].texts)
    assert "support vector machine per keyword, paper recipe" in same.attack
    assert "networks, paper recipe" in cross.attack


@pytest.mark.parametrize(("probe", "value"), [(PROBE, 1), (CROSS_DOMAIN, 0)])
def test_only_similar_text_shows_how_frequent_a_keyword_is(probe, value):
    """Odds of 3 : 2 and 4 : 1: the second is likelier, unless 9 of 10 texts contain the first, 1 of 10 the second."""
    guesses = KeywordGuesses(("common", "rare"), np.tile([0.6, 0.8], (20, 1)))
    scorer = Scorer([str(row) for row in range(20)], 0)
    found = probe._likeliest((guesses, guesses), np.log([9, 1 / 9]), np.tile([True, False], (20, 1)), scorer)
    assert found.attack.value == found.control.value == value
    assert found.prior.value == 1


class Fake:
    """Finds the words of a list."""

    def __init__(self, **labels):
        self.labels = labels

    def entities(self, texts):
        return [[(word, self.labels[word]) for word in words(text) if word in self.labels] for text in texts]


def test_places_and_organisations_that_a_tagger_finds_are_keywords_under_a_mask(corpus, monkeypatch):
    settings = replace(SETTINGS, keywords=())
    monkeypatch.setattr(keywords_choice, "load_tagger", lambda: Fake(bacox="GPE", badux="ORG", bafex="PERSON"))
    finding = PROBE.run(case_of(corpus, settings, WordSum()), Run(settings))
    assert {bar.label for bar in finding.charts[0].bars} == {"place 1", "organisation 1"}
    assert "--show-text" in finding.charts[0].reading
    assert not any(token.text for example in finding.examples for token in example.tokens)
    assert "bacox" not in repr(finding)
    shown = PROBE.run(case_of(corpus, settings, WordSum()), Run(replace(settings, show_text=True)))
    assert {bar.label for bar in shown.charts[0].bars} == {"bacox", "badux"}


def test_the_published_decoder_is_a_recipe_of_the_probe(corpus, monkeypatch):
    monkeypatch.setattr("vestige.attacks.decoder._EPOCHS", {"default": 6, "pan": 1})
    settings = replace(SETTINGS, pairs=200, recipe="pan-decoder", keywords=("bacox",))
    found = PROBE.run(case_of(corpus, settings, WordSum()), Run(settings))
    assert "an LSTM decoder writes, paper recipe" in found.attack
    assert found.adversary.queries == found.adversary.pairs == 200
    assert any("cut off after 1 steps" in warning for warning in found.warnings)
    assert "pan-decoder" in PROBE.list_recipes()
