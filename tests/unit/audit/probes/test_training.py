"""The probe `membership-training`: an encoder that learned some documents by heart, and one that learned none."""

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from tests.unit.audit.probes.cases import case_of
from vestige.audit.case import Training
from vestige.audit.codec import dumps
from vestige.audit.inputs import read_inputs
from vestige.audit.memory import digest_of
from vestige.audit.probes.training import TrainingProbe
from vestige.audit.probes.training_told import dealt_anew
from vestige.audit.result import Finding, NotApplicable
from vestige.audit.settings import Settings
from vestige.errors import InputError
from vestige.text.corpus import Corpus
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
def test_an_encoder_that_learned_nothing_leaks_nothing(recipe):
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


def test_labels_are_dealt_out_by_document(case):
    dealt = dealt_anew(case.training, np.random.default_rng(0))
    assert dealt.members.sum() == case.training.members.sum()
    assert (dealt.members != case.training.members).any()
    assert dealt.members[dealt.known].sum() == case.training.members[case.training.known].sum()
    flags = {}
    for name, member in zip(dealt.sentences.documents, dealt.members, strict=True):
        assert flags.setdefault(name, member) == member


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
