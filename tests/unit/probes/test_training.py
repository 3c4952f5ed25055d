"""The probe `membership-training`: an encoder that memorised some documents, and one that memorised none."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from zlib import crc32

import numpy as np
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.cache import compute_digest
from vestige.case.codec import dumps
from vestige.case.findings import Finding, NotApplicable
from vestige.case.settings import Settings
from vestige.encoders.saved import SavedEncoder
from vestige.encoders.words.word_mean import WordMean
from vestige.probes.probe import Run
from vestige.probes.training import TrainingProbe
from vestige.text.corpus import Corpus
from vestige.text.words import words
from vestige.types import Progress, Vectors, silent

PROBE = TrainingProbe("membership-training", "?")
SETTINGS = Settings(targets=60, pairs=300, shortest=4, queries=5)
LEARNED, OWN = toy_corpus(80, seed=7), toy_corpus(150)


class Memorising(WordSum):
    """Sentences that it was trained on next to each other are closer than their words are."""

    name = identity = "memorising"

    def __init__(self, learned: Corpus) -> None:
        super().__init__()
        sentences = learned.sentences()
        self.place = dict(zip(sentences.texts, sentences.documents, strict=True))

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        rows = super().encode(texts, progress=progress)
        for row, text in enumerate(texts):
            if text in self.place:
                drawn = np.random.default_rng(crc32(self.place[text].encode())).standard_normal(self.dimension)
                rows[row] += 0.7 * drawn / np.linalg.norm(drawn)
        return rows


@pytest.fixture(scope="module")
def case():
    return case_of(OWN, SETTINGS, Memorising(LEARNED), trained_on=LEARNED)


@pytest.fixture(scope="module")
def finding(case) -> Finding:
    found = PROBE.run(case, Run(SETTINGS))
    assert isinstance(found, Finding)
    return found


def test_memorised_documents_are_found_and_the_control_finds_none(finding):
    documents, pairs = finding.measure("documents"), finding.measure("pairs")
    assert finding.leakage.low > 0.2
    assert documents.attack.value > pairs.attack.value > 0.2
    assert documents.prior.low <= 0 <= documents.prior.high
    assert documents.control.low <= 0 <= documents.control.high
    assert abs(documents.control.value) < 0.2 < 0.5 < documents.attack.value
    assert finding.leakage.value == pytest.approx(documents.attack.value - documents.prior.value)
    assert finding.level == "slight"
    assert finding.warnings == ()
    assert "infers it for others with an advantage of" in finding.summary
    assert finding.adversary.queries == 3 * (80 + 150)


def test_charts_show_methods_and_low_false_positive_rates(finding):
    compared, rates = finding.charts
    assert [bar.label for bar in compared.bars] == [
        "documents, learned similarity",
        "documents, fixed similarity",
        "pairs, learned similarity",
        "pairs, fixed similarity",
    ]
    assert compared.bars[1].score.low > 0
    assert rates.bars[0].score.baseline <= 0.01
    assert "135 non-members are too few to measure a false-positive rate of 0.001; give 1000" in rates.reading
    assert "a lower bound, of one run and this attack" in rates.reading


def test_documents_of_several_lengths_have_a_chart():
    lengths = [2 + 6 * (row % 2) for row in range(150)]
    pool = iter(toy_corpus(1000, seed=8).sentences().texts)
    made = [" ".join(next(pool) for _ in range(length)) for length in lengths]
    learned, own = Corpus("learned", made[:70]), Corpus("own", made[70:])
    settings = replace(SETTINGS, targets=30, pairs=200)
    found = PROBE.run(case_of(own, settings, Memorising(learned), trained_on=learned), Run(settings))
    assert isinstance(found, Finding)
    assert [bar.label for bar in found.charts[2].bars] == ["2 to 4 sentences", "5 to 9 sentences"]


@pytest.mark.parametrize("recipe", ["default", "paper"])
def test_an_encoder_that_memorised_nothing_leaks_nothing(recipe, monkeypatch):
    monkeypatch.setattr("vestige.probes.training_methods.SHUFFLES", 3)
    settings = replace(SETTINGS, recipe=recipe)
    found = PROBE.run(case_of(OWN, settings, WordSum(), trained_on=LEARNED), Run(settings))
    assert isinstance(found, Finding)
    assert found.leakage.low <= 0 <= found.leakage.high
    assert found.level in ("none", "unknown")
    assert ("paper recipe" in found.attack) == (recipe == "paper")


@pytest.mark.parametrize(
    ("recipe", "headline"), [("song-pair-membership", "pairs"), ("song-book-membership", "documents")]
)
def test_a_published_attack_by_name_is_scored_on_what_it_attacks(case, recipe, headline, monkeypatch):
    monkeypatch.setattr("vestige.probes.training_methods.SHUFFLES", 3)
    found = PROBE.run(case, Run(replace(SETTINGS, recipe=recipe)))
    assert isinstance(found, Finding)
    assert found.headline == headline
    assert "learned projection, paper recipe" in found.attack
    measure = found.measure(headline)
    assert found.leakage.value == pytest.approx(measure.attack.value - max(measure.prior.value, 0), abs=1e-6)
    assert measure.attack.low > 0


def test_the_published_attack_on_words_needs_an_encoder_that_averages_them(case):
    missing = PROBE.run(case, Run(replace(SETTINGS, recipe="song-word-membership")))
    assert isinstance(missing, NotApplicable)
    assert "not means" in missing.reason


def test_texts_of_another_kind_are_no_leak_and_carry_a_warning():
    other = Corpus("other", [text.replace("x", "z") for text in LEARNED.texts])
    found = PROBE.run(case_of(OWN, SETTINGS, WordSum(), trained_on=other), Run(SETTINGS))
    assert isinstance(found, Finding)
    assert found.measure("documents").attack.low > 0.5
    assert found.measure("documents").prior.low > 0.5
    assert found.leakage.low <= 0
    assert "differ as texts" in found.warnings[0]
    assert any("No bound on epsilon can be given: the two sides differ" in chart.reading for chart in found.charts)


def test_the_same_seed_gives_the_same_bytes_and_training_texts_are_part_of_the_key(case, finding):
    assert dumps(PROBE.run(case, Run(SETTINGS))) == dumps(finding)
    other = case_of(OWN, SETTINGS, Memorising(LEARNED), trained_on=toy_corpus(80, seed=8))
    assert compute_digest(case) != compute_digest(other)


def test_documents_whose_membership_is_known_are_not_scored(case, finding):
    training = case.training
    sides = {}
    for name, *flags in zip(training.sentences.documents, training.members, training.known, strict=True):
        assert sides.setdefault(name, flags) == flags
    known = [member for member, is_known in sides.values() if is_known]
    assert (known.count(True), known.count(False)) == (10, 15)
    assert finding.leakage.n == len(sides) - len(known) == 205


def test_without_training_texts_the_probe_is_not_applicable():
    answer = PROBE.run(case_of(OWN, SETTINGS, WordSum()), Run(SETTINGS))
    assert isinstance(answer, NotApplicable)
    assert "--trained-on" in answer.remedy


def test_an_encoder_that_is_fitted_in_this_run_is_not_applicable():
    result = vestige.audit(
        texts=OWN, encoder="tfidf", settings=replace(SETTINGS, queries=0, probes=("membership-training",))
    )
    answer = next(skipped for skipped in result.not_run if skipped.probe == "membership-training")
    assert "is fitted on all of your texts in this run" in answer.reason
    assert "vestige train" in answer.remedy


def test_without_queries_to_the_encoder_the_probe_is_not_applicable():
    settings = replace(SETTINGS, access="pairs")
    answer = PROBE.run(case_of(OWN, settings, WordSum(), trained_on=LEARNED), Run(settings))
    assert isinstance(answer, NotApplicable)
    assert "--access queries" in answer.remedy


WORDS = [f"w{number}" for number in range(600)]


def texts_of_many_words(documents: int, seed: int) -> Corpus:
    drawn = np.random.default_rng(seed).choice(WORDS, size=(documents, 3, 8))
    made = [" ".join(f"{' '.join(sentence).capitalize()}." for sentence in document) for document in drawn]
    return Corpus(f"many {seed}", made)


def word_vectors(learned: Corpus | None) -> WordMean:
    """Words drawn at random; those that are next to each other in the training texts are a little closer."""
    rows = np.random.default_rng(5).standard_normal((len(WORDS), 40))
    near = np.eye(len(WORDS))
    for text in learned.sentences().texts if learned else ():
        places = [WORDS.index(word) for word in words(text)]
        for left, right in pairwise(places):
            near[left, right] += 0.2
            near[right, left] += 0.2
    made = near @ rows
    return WordMean("word2vec", WORDS, (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32))


def test_means_of_word_vectors_are_attacked_by_their_words():
    learned, own = texts_of_many_words(80, 1), texts_of_many_words(150, 2)
    encoder = SavedEncoder(word_vectors(learned), "saved:mine")
    case = case_of(own, SETTINGS, encoder, trained_on=learned)
    found = PROBE.run(case, Run(SETTINGS))
    assert isinstance(found, Finding)
    documents = found.measure("documents")
    assert "proximity of consecutive words" in found.attack
    assert found.leakage.low > 0.3
    assert documents.control.low < 0 < documents.control.high
    by_method = {bar.label: bar.score for bar in found.charts[0].bars}
    assert by_method["documents, proximity of words"].value == documents.attack.value
    assert documents.attack.low > by_method["documents, learned similarity"].high
    assert found.adversary.queries == len(case.training.sentences) + len(WORDS)
    assert "and of their words" in found.adversary.given[2]


def test_the_published_attack_on_words_finds_what_word_vectors_memorised(monkeypatch):
    monkeypatch.setattr("vestige.probes.training_methods.SHUFFLES", 3)
    learned, own = texts_of_many_words(80, 1), texts_of_many_words(150, 2)
    settings = replace(SETTINGS, recipe="song-word-membership")
    found = PROBE.run(case_of(own, settings, word_vectors(learned), trained_on=learned), Run(settings))
    assert isinstance(found, Finding)
    assert found.leakage.low > 0.3
    assert "proximity of consecutive words, paper recipe" in found.attack


def test_word_vectors_that_memorised_nothing_leak_nothing():
    learned, own = texts_of_many_words(80, 1), texts_of_many_words(150, 2)
    found = PROBE.run(case_of(own, SETTINGS, word_vectors(None), trained_on=learned), Run(SETTINGS))
    assert isinstance(found, Finding)
    assert found.leakage.low <= 0
    assert found.level in ("none", "unknown")
