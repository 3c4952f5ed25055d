"""The probe `membership-training`: an encoder that learned some documents by heart, and one that learned none."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from zlib import crc32

import numpy as np
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.case.cache import digest_of
from vestige.case.case import Training
from vestige.case.codec import dumps
from vestige.case.findings import Finding, NotApplicable
from vestige.case.inputs import read_inputs
from vestige.case.settings import Settings
from vestige.encoders.saved import SavedEncoder
from vestige.encoders.words.word_mean import WordMean
from vestige.errors import InputError
from vestige.probes.training import TrainingProbe
from vestige.probes.training_control import mislabelled
from vestige.probes.training_told import Rows
from vestige.probes.training_ways import FOLDS, Ways, folds
from vestige.probes.training_words import is_mean_of_words, near_words
from vestige.text.corpus import Corpus
from vestige.text.words import words
from vestige.types import Progress, Vectors, silent

PROBE = TrainingProbe("membership-training", "?")
SETTINGS = Settings(targets=60, pairs=300, shortest=4, queries=5)
LEARNED, OWN = toy_corpus(80, seed=7), toy_corpus(150)


class Memorising(WordSum):
    """Sentences that it learned side by side lie nearer to each other than their words do."""

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
    found = PROBE.run(case, SETTINGS, silent)
    assert isinstance(found, Finding)
    return found


def test_what_was_learned_by_heart_is_told_and_a_control_is_not(finding):
    documents, pairs = finding.measure("documents"), finding.measure("pairs")
    assert finding.leakage.low > 0.2
    assert documents.attack.value > pairs.attack.value > 0.2
    assert documents.prior.low <= 0 <= documents.prior.high
    assert documents.control.low <= 0 <= documents.control.high
    assert finding.leakage.value == pytest.approx(documents.attack.value - documents.prior.value)
    assert finding.level == "slight"
    assert finding.warnings == ()
    assert "tells it of others with an advantage of" in finding.summary
    assert finding.adversary.queries == 3 * (80 + 150)


def test_charts_tell_ways_of_comparing_and_low_rates(finding):
    compared, rates = finding.charts
    assert [bar.label for bar in compared.bars] == [
        "documents, learned similarity",
        "documents, fixed similarity",
        "pairs, learned similarity",
        "pairs, fixed similarity",
    ]
    assert compared.bars[1].score.low > 0
    assert rates.bars[0].score.baseline <= 0.01
    assert "135 others cannot tell a false-positive rate of 0.001; give 1000" in rates.reading
    assert "a lower bound, of one run and this attack" in rates.reading


def test_documents_of_several_lengths_are_told_apart():
    lengths = [2 + 6 * (row % 2) for row in range(150)]
    pool = iter(toy_corpus(1000, seed=8).sentences().texts)
    made = [" ".join(next(pool) for _ in range(length)) for length in lengths]
    learned, own = Corpus("learned", made[:70]), Corpus("own", made[70:])
    settings = replace(SETTINGS, targets=30, pairs=200)
    found = PROBE.run(case_of(own, settings, Memorising(learned), trained_on=learned), settings, silent)
    assert isinstance(found, Finding)
    assert [bar.label for bar in found.charts[2].bars] == ["2 to 4 sentences", "5 to 9 sentences"]


@pytest.mark.parametrize("recipe", ["default", "paper"])
def test_an_encoder_that_learned_nothing_leaks_nothing(recipe, monkeypatch):
    monkeypatch.setattr("vestige.probes.training_ways.SHUFFLES", 3)
    settings = replace(SETTINGS, recipe=recipe)
    found = PROBE.run(case_of(OWN, settings, WordSum(), trained_on=LEARNED), settings, silent)
    assert isinstance(found, Finding)
    assert found.leakage.low <= 0 <= found.leakage.high
    assert found.level in ("none", "unknown")
    assert ("paper recipe" in found.attack) == (recipe == "paper")


def test_texts_of_another_kind_are_no_leak_and_carry_a_warning():
    other = Corpus("other", [text.replace("x", "z") for text in LEARNED.texts])
    found = PROBE.run(case_of(OWN, SETTINGS, WordSum(), trained_on=other), SETTINGS, silent)
    assert isinstance(found, Finding)
    assert found.measure("documents").attack.low > 0.5
    assert found.measure("documents").prior.low > 0.5
    assert found.leakage.low <= 0
    assert "differ as texts" in found.warnings[0]
    assert any("No bound on epsilon can be given: the two sides differ" in chart.reading for chart in found.charts)


def test_pieces_of_a_letter_that_was_learned_are_one_document(tmp_path):
    rows = [f"{number // 5},some words of letter {number}" for number in range(50)]
    learned = tmp_path / "learned.csv"
    learned.write_text("\n".join(["letter_id,text", *rows]), encoding="utf-8")
    settings = replace(SETTINGS, document_column="letter_id")
    own = Corpus("own", OWN.texts, OWN.documents)
    inputs = read_inputs(None, own, WordSum(), None, settings, trained_on=learned)
    assert inputs.trained_on is not None
    assert len(set(inputs.trained_on.documents)) == 10


def test_the_same_seed_gives_the_same_bytes_and_what_was_learned_is_part_of_the_question(case, finding):
    assert dumps(PROBE.run(case, SETTINGS, silent)) == dumps(finding)
    other = case_of(OWN, SETTINGS, Memorising(LEARNED), trained_on=toy_corpus(80, seed=8))
    assert digest_of(case) != digest_of(other)


def test_a_document_is_on_one_side_and_those_that_are_known_are_never_scored(case, finding):
    training = case.training
    sides = {}
    for name, *flags in zip(training.sentences.documents, training.members, training.known, strict=True):
        assert sides.setdefault(name, flags) == flags
    known = [member for member, is_known in sides.values() if is_known]
    assert (known.count(True), known.count(False)) == (10, 15)
    assert finding.leakage.n == len(sides) - len(known) == 205


def test_what_was_learned_is_never_among_the_others():
    both = Corpus("both", [*OWN.texts, *LEARNED.texts])
    training = case_of(both, SETTINGS, WordSum(), trained_on=LEARNED).training
    assert isinstance(training, Training)
    learned = set(LEARNED.sentences().texts)
    flags = dict(zip(training.sentences.texts, training.members, strict=True))
    assert all(flags[text] == (text in learned) for text in flags)
    assert sum(not member for member in flags.values()) == 3 * 150


def test_the_control_learns_from_labels_that_say_nothing_and_is_scored_by_the_truth(case):
    training = case.training
    dealt = mislabelled(training, np.random.default_rng(0))
    assert (dealt.members == training.members)[~training.known].all()
    flags = {}
    for name, *each in zip(dealt.sentences.documents, dealt.members, training.members, dealt.known, strict=True):
        assert flags.setdefault(name, each) == each
    called = [(called, truly) for called, truly, known in flags.values() if known]
    assert [called.count(pair) for pair in ((True, True), (False, True))] == [5, 5]
    assert [called.count(pair) for pair in ((True, False), (False, False))] == [8, 7]


def test_the_control_is_high_where_labels_are_left_as_they_are(case, finding, monkeypatch):
    control = finding.measure("documents").control
    assert control.low < 0 < control.high
    assert abs(control.value) < 0.2 < 0.5 < finding.measure("documents").attack.value
    monkeypatch.setattr("vestige.probes.training_ways.mislabelled", lambda training, _rng: training)
    ways = Ways.of(case.encoder, case.training, SETTINGS, silent, by_words=False)
    unshuffled = ways.control(case.training, SETTINGS, silent)
    assert min(each.documents.signed(0).value for each in unshuffled) > 0.5


def test_scores_the_wrong_way_round_are_below_nothing_by_hand():
    members = np.repeat([True, False], 10)
    rows = Rows(np.arange(20.0), [str(row) for row in range(20)], members)
    assert rows.signed(0).value == -1
    assert replace(rows, members=~members).signed(0).value == 1
    assert rows.figures(0).advantage.value == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"trained_on": toy_corpus(19, seed=7)}, "toy gives 19 documents of 2 sentences or more, and toy 150 that"),
        ({"trained_on": OWN}, "toy gives 150 documents of 2 sentences or more, and toy 0 that share nothing"),
        ({"trained_on": LEARNED, "encoder": "tfidf"}, "learns from toy in this run, and not from toy"),
        ({"trained_on": LEARNED, "encoder": None, "texts": None, "vectors": np.eye(5, 3) + 1}, "with --encoder"),
        ({"trained_on": "complains"}, "did you mean 'complaints'"),
    ],
)
def test_what_cannot_be_held_against_anything_is_refused(arguments, message):
    given = {"texts": OWN, "encoder": WordSum(), "settings": SETTINGS, **arguments}
    with pytest.raises(InputError, match=message):
        vestige.audit(**given)


def test_where_it_was_not_said_what_was_learned_the_question_is_not_asked():
    answer = PROBE.run(case_of(OWN, SETTINGS, WordSum()), SETTINGS, silent)
    assert isinstance(answer, NotApplicable)
    assert "--trained-on" in answer.remedy


def test_an_encoder_that_learns_in_this_run_has_learned_everything():
    result = vestige.audit(texts=OWN, encoder="tfidf", settings=replace(SETTINGS, queries=0))
    answer = next(asked for asked in result.not_run if asked.probe == "membership-training")
    assert "learns from all of your texts in this very run" in answer.reason
    assert "vestige train" in answer.remedy


def test_without_leave_to_ask_the_encoder_nothing_is_told():
    settings = replace(SETTINGS, access="pairs")
    answer = PROBE.run(case_of(OWN, settings, WordSum(), trained_on=LEARNED), settings, silent)
    assert isinstance(answer, NotApplicable)
    assert "--access queries" in answer.remedy


WORDS = [f"w{number}" for number in range(600)]


def texts_of_many_words(documents: int, seed: int) -> Corpus:
    drawn = np.random.default_rng(seed).choice(WORDS, size=(documents, 3, 8))
    made = [" ".join(f"{' '.join(sentence).capitalize()}." for sentence in document) for document in drawn]
    return Corpus(f"many {seed}", made)


def word_vectors(learned: Corpus | None) -> WordMean:
    """Words drawn at random; those that stood side by side in what was learned, a little nearer to each other."""
    rows = np.random.default_rng(5).standard_normal((len(WORDS), 40))
    near = np.eye(len(WORDS))
    for text in learned.sentences().texts if learned else ():
        said = [WORDS.index(word) for word in words(text)]
        for left, right in pairwise(said):
            near[left, right] += 0.2
            near[right, left] += 0.2
    made = near @ rows
    return WordMean("word2vec", WORDS, (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32))


def test_word_vectors_are_told_by_their_words():
    learned, own = texts_of_many_words(80, 1), texts_of_many_words(150, 2)
    encoder = SavedEncoder(word_vectors(learned), "saved:mine")
    case = case_of(own, SETTINGS, encoder, trained_on=learned)
    found = PROBE.run(case, SETTINGS, silent)
    assert isinstance(found, Finding)
    documents = found.measure("documents")
    assert "nearness of words" in found.attack
    assert found.leakage.low > 0.3
    assert documents.control.low < 0 < documents.control.high
    by_way = {bar.label: bar.score for bar in found.charts[0].bars}
    assert by_way["documents, nearness of words"].value == documents.attack.value
    assert documents.attack.low > by_way["documents, learned similarity"].high
    assert found.adversary.queries == len(case.training.sentences) + len(WORDS)
    assert "and of their words" in found.adversary.given[2]


def test_word_vectors_that_learned_nothing_leak_nothing():
    learned, own = texts_of_many_words(80, 1), texts_of_many_words(150, 2)
    found = PROBE.run(case_of(own, SETTINGS, word_vectors(None), trained_on=learned), SETTINGS, silent)
    assert isinstance(found, Finding)
    assert found.leakage.low <= 0
    assert found.level in ("none", "unknown")


def test_the_way_is_chosen_on_documents_that_the_stranger_knows_of_alone():
    learned, own = texts_of_many_words(80, 1), texts_of_many_words(150, 2)
    encoder = word_vectors(learned)
    training = case_of(own, SETTINGS, encoder, trained_on=learned).training
    ways = Ways.of(encoder, training, SETTINGS, silent, by_words=True)
    assert ways.taken(training, SETTINGS, silent) == "words"
    hidden = replace(training, members=np.where(training.known, training.members, ~training.members))
    assert ways.taken(hidden, SETTINGS, silent) == "words"
    turned = replace(training, members=~training.members)
    ours, theirs = (ways.near.told(each).documents.scores for each in (training, turned))
    assert theirs == pytest.approx(-ours)
    asked = [
        name
        for fold in folds(training)
        for name in dict.fromkeys(fold.sentences.take(np.flatnonzero(~fold.known)).documents)
    ]
    assert sorted(asked) == sorted(set(np.array(training.sentences.documents)[training.known].tolist()))
    assert len(list(folds(training))) == FOLDS


def test_the_mean_over_the_windows_of_a_document_by_hand():
    """Windows of five of six and seven words: two and three of them, and none of the short sentence."""
    sentences = Corpus("s", ["w1 w2 w3 w4 w5 w6", "w7 w8", "w9 w10 w11 w12 w13 w14 w15"], ["a", "a", "a"])
    near = near_words(word_vectors(None), sentences, SETTINGS, silent)
    assert near.windows.tolist() == [2, 0, 3]
    assert near_words(word_vectors(None), Corpus("s", ["un kn ow n words"]), SETTINGS, silent) is None
    assert not is_mean_of_words(WordSum())
