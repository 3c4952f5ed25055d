"""The probe `attributes` on toy texts whose authors have favourite words."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.attacks.attributes import AttributeInference
from vestige.audit.gate import parse_gate
from vestige.case.case import Auxiliary, Knowledge, Truth
from vestige.case.findings import Finding, NotApplicable
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.probes.attributes import AttributesProbe
from vestige.probes.attributes_told import Guesses, Lesson, attacked, dealt_anew, weighed
from vestige.text.corpus import Corpus
from vestige.types import LabelGuesses, silent

PROBE = AttributesProbe("attributes", "?")
SETTINGS = Settings(targets=240, pairs=600, shortest=4, labels=20)
FAVOURITES = {"Ann": "zog", "Bob": "yak", "Cid": "xip"}


@pytest.fixture(scope="module")
def corpus():
    """Bob writes half of the texts; who is left-handed says nothing about the words, nor does the age."""
    rng = np.random.default_rng(0)
    texts = toy_corpus(400).texts
    authors = rng.choice(list(FAVOURITES), size=len(texts), p=[0.25, 0.5, 0.25]).tolist()
    marked = [
        ". ".join(f"{part} {FAVOURITES[author]}" for part in text.removesuffix(".").split(". ")) + "."
        for text, author in zip(texts, authors, strict=True)
    ]
    columns = {
        "left": rng.choice(["yes", "no"], size=len(texts)).tolist(),
        "age": rng.integers(18, 90, size=len(texts)).tolist(),
        "author": authors,
        "language": ["toy"] * len(texts),
    }
    return Corpus("toy", marked, attributes=columns)


@pytest.fixture(scope="module")
def finding(corpus):
    found = PROBE.run(case_of(corpus, SETTINGS, WordSum()), SETTINGS, silent)
    assert isinstance(found, Finding)
    return found


def test_the_attribute_that_is_told_best_is_the_headline(finding):
    top1 = finding.measure("top1")
    assert top1.label.startswith("author: ")
    assert top1.attack.low > 0.9
    assert top1.prior.value == pytest.approx(1 / 3)
    assert top1.control.low <= top1.prior.value <= top1.control.high
    plain = finding.measure("as_they_come")
    assert plain.attack.low > 0.9
    assert 0.4 < plain.prior.value < 0.6
    assert plain.control.low <= plain.prior.value
    assert finding.leakage.value == pytest.approx(top1.attack.value - top1.prior.value, abs=1e-6)
    assert finding.level == "severe"
    assert not finding.warnings
    assert "“author” for at most 20 texts of each of 3 classes tells it" in finding.summary


def test_every_attribute_has_a_bar_the_one_at_greatest_risk_first(finding):
    chart = finding.charts[0]
    assert chart.bars[0].label == "author (3 classes)"
    assert {bar.label for bar in chart.bars} == {"author (3 classes)", "age (5 classes)", "left (2 classes)"}
    assert all(bar.score.low <= bar.score.baseline + 0.05 for bar in chart.bars[1:])
    assert "“age” holds numbers, put into the ranges 18 to " in chart.reading
    assert "Not scored: “language” (it has one class)." in chart.reading


def test_more_labels_tell_no_less_and_the_text_itself_stands_beside(finding):
    bars = finding.charts[1].bars
    assert [bar.label for bar in bars[:3]] == [f"{count} labels a class" for count in (5, 10, 20)]
    assert bars[2].score == finding.charts[0].bars[0].score
    assert bars[2].score.value >= bars[0].score.value - 0.02
    assert "the text itself" in bars[3].label
    assert bars[3].score.low > 0.8


def test_among_fewer_classes_more_is_told(finding):
    two, three = finding.charts[2].bars
    assert (two.label, three.label) == ("2 classes", "3 classes")
    assert (two.score.baseline, three.score) == (0.5, finding.charts[0].bars[0].score)
    assert two.score.value >= three.score.value - 0.02
    assert "one of so many classes, drawn 10 times from the 3" in finding.charts[2].reading


def test_two_classes_are_no_curve(corpus):
    settings = replace(SETTINGS, attributes=("left",))
    found = PROBE.run(case_of(corpus, settings, WordSum()), settings, silent)
    assert not [chart for chart in found.charts if "Among how many" in chart.title]


def test_the_first_guess_among_the_classes_that_were_drawn_by_hand():
    """Of z, x and y with chances 0.5, 0.3 and 0.2 for all: among two, x is told where y is drawn with it, y never.

    Of the three pairs z is told in two of two, x in one of two, y in none of two: with all pairs as often, 1/2.
    """
    told = told_of(["x", "y", "z"] * 20, ["x", "y", "z"] * 20)
    guesses = LabelGuesses(("x", "y", "z"), np.tile([0.3, 0.2, 0.5], (60, 1)))
    told = replace(told, guesses=Guesses(guesses, guesses))
    assert told.narrowed(3, 1, 0).value == told.balanced([guesses], 1, 0).value == pytest.approx(1 / 3)
    found = told.narrowed(2, 300, 0)
    assert (found.value, found.baseline) == (pytest.approx(0.5), 0.5)
    few = told_of(["x", "y", "z"] * 20, ["x", "y", "z"] * 4)
    assert few.narrowed(2, 1, 0) is None


def test_classes_are_masked_unless_asked(corpus, finding):
    assert [bar.label for bar in finding.charts[3].bars] == ["class 1", "class 2", "class 3"]
    assert not [name for name in FAVOURITES if f"'{name}'" in repr(finding)]
    shown = PROBE.run(case_of(corpus, SETTINGS, WordSum()), replace(SETTINGS, show_text=True), silent)
    assert {bar.label for bar in shown.charts[3].bars} == set(FAVOURITES)
    assert all(bar.score.value > 0.8 > 0.1 > bar.score.baseline for bar in shown.charts[3].bars)


def test_vectors_of_nothing_tell_nothing(corpus):
    texts = corpus.sentences(4, 40)
    noise = np.random.default_rng(0).normal(size=(len(texts), 32)).astype(np.float32)
    settings = replace(SETTINGS, attributes=("author",))
    found = PROBE.run(case_of(texts, settings, vectors=noise), settings, silent)
    assert found.leakage.low <= 0
    assert found.level in ("none", "unknown")


def test_texts_that_were_not_cut_here_and_quote_others_carry_a_warning(corpus):
    posts = replace(corpus, texts=[f"> {text}\n{text}" for text in corpus.texts])
    whole = replace(SETTINGS, attributes=("author",), unit="text", targets=60, pairs=200)
    found = {
        name: PROBE.run(case_of(texts, settings, encoder, vectors=vectors), settings, silent).warnings
        for name, texts, settings, encoder, vectors in (
            ("ready-made", posts, replace(whole, unit="sentence"), None, WordSum().encode(posts.texts)),
            ("whole", posts, whole, WordSum(), None),
            ("cut", posts, replace(whole, unit="sentence"), WordSum(), None),
            ("nothing quoted", corpus, whole, WordSum(), None),
        )
    }
    assert {name for name, told in found.items() if told} == {"ready-made", "whole"}
    assert "100% of the texts quote others or are signed" in found["whole"][0]


def test_an_attribute_that_was_named_is_attacked_alone(corpus):
    settings = replace(SETTINGS, attributes=("left",))
    found = PROBE.run(case_of(corpus, settings, WordSum()), settings, silent)
    assert [bar.label for bar in found.charts[0].bars] == ["left (2 classes)"]
    assert found.leakage.low <= 0.02


def test_five_guesses_are_told_where_classes_are_many(corpus):
    """Four desks an author; a limit on the first five of few classes cannot be said to hold."""
    desks = [f"{name} {row % 4}" for row, name in enumerate(corpus.attributes["author"])]
    case = case_of(replace(corpus, attributes={"desk": desks}), SETTINGS, WordSum())
    found = PROBE.run(case, SETTINGS, silent)
    assert found.measure("top1").prior.value == pytest.approx(1 / 12)
    assert found.measure("top5").attack.low > 0.5 > found.measure("top5").prior.value == pytest.approx(5 / 12)
    gate = parse_gate("attributes.top5<0.5", [PROBE])
    assert gate.check([found]).held
    alone = replace(found, measures=found.measures[:1])
    assert not gate.check([alone]).held
    assert "'top5' of 'attributes' says nothing of these data" in gate.check([alone]).explanation


def test_limits_on_attributes_are_understood(finding):
    assert not parse_gate("attributes>0.3", [PROBE]).check([finding]).held


def test_without_labels_the_question_is_not_applicable(corpus):
    plain = PROBE.run(case_of(replace(corpus, attributes={}), SETTINGS, WordSum()), SETTINGS, silent)
    assert isinstance(plain, NotApplicable)
    assert "no column of labels" in plain.reason
    alike = replace(corpus, attributes={"language": ["toy"] * len(corpus)})
    answer = PROBE.run(case_of(alike, SETTINGS, WordSum()), SETTINGS, silent)
    assert "'language': it has one class" in answer.reason
    assert "--attribute" in answer.remedy


def test_a_column_of_one_class_is_refused_where_it_was_named(corpus):
    with pytest.raises(InputError, match="'toy' throughout"):
        case_of(corpus, replace(SETTINGS, attributes=("language",)), WordSum())
    with pytest.raises(InputError, match=r"has no column .author.*give texts that have one with --texts"):
        case_of(None, replace(SETTINGS, attributes=("author",)), vectors=np.eye(40, dtype=np.float32))


def test_the_paper_recipe_is_the_published_one(corpus, monkeypatch):
    made, whole = [], AttributeInference.fit

    def watched(self, *given, **named):
        made.append(self.recipe)
        return whole(self, *given, **named)

    monkeypatch.setattr(AttributeInference, "fit", watched)
    settings = replace(SETTINGS, recipe="paper", attributes=("author",))
    found = PROBE.run(case_of(corpus, settings, WordSum()), settings, silent)
    assert set(made) == {"song"}
    assert "paper recipe" in found.attack
    assert found.leakage.low > 0.2


def test_the_same_seed_gives_the_same_finding(corpus, finding):
    assert PROBE.run(case_of(corpus, SETTINGS, WordSum()), SETTINGS, silent) == finding


def told_of(known, labels, documents=None):
    rows = len(known)
    vectors = np.random.default_rng(0).normal(size=(rows, 4)).astype(np.float32)
    pairs = Auxiliary(vectors, ["t"] * rows, [str(row) for row in range(rows)], "toy", 0, {"a": known})
    truth = Truth(["t"] * len(labels), documents or [str(row) for row in range(len(labels))], {"a": labels})
    return attacked(Knowledge(vectors[: len(labels)], pairs, None), truth, "a", SETTINGS, silent)


def test_targets_without_a_label_and_of_an_unseen_class_are_counted_and_not_scored():
    told = told_of(["x", "y"] * 20 + [None], ["x", "y"] * 6 + [None, "z", "z"])
    assert (told.missing, told.unseen, len(told.truth)) == (1, 2, 12)
    assert told.hits(told.guesses.even, 1).shape == (12,)


@pytest.mark.parametrize(
    ("known", "labels", "reason"),
    [
        (["x"] * 40, ["x"] * 20, "without those of threads under attack, show no two classes"),
        (["x", "y"] + [None] * 38, ["x"] * 20, "without those of threads under attack, show no two classes"),
        (["x", "y"] * 20, ["x"] * 9 + ["z"] * 11, "9 target documents are of 1 classes"),
        (["x", "y"] * 20, ["x"] * 20, "20 target documents are of 1 classes"),
    ],
)
def test_what_cannot_be_scored_is_told(known, labels, reason):
    assert reason in told_of(known, labels)


def test_every_class_counts_the_same_by_hand():
    """Four texts of x, all told, and eight of y, of which two are: (1 + 1/4) / 2; as they come, 6 of 12."""
    told = told_of(["x", "y"] * 20, ["x"] * 4 + ["y"] * 8)
    guesses = LabelGuesses(("x", "y"), np.array([[1.0, 0.0]] * 10 + [[0.0, 1.0]] * 2))
    always_x = replace(guesses, probabilities=np.eye(2)[[0] * 12])
    assert told.balanced([guesses], 1, 0).value == 0.625
    assert told.balanced([guesses, always_x], 1, 0).value == 0.5625
    assert told.hits(guesses, 1).mean() == 0.5
    assert told.chance(1) == told.balanced([always_x], 1, 0).value == 0.5
    assert told.chance(5) == 1
    assert told.fixed().tolist() == [0] * 4 + [1] * 8


def test_labels_are_added_and_never_exchanged():
    pairs = Auxiliary(np.zeros((9, 1), np.float32), ["t"] * 9, list("123456789"), "toy", 0, {"a": [*"xxxxxxyy", None]})
    lesson = Lesson.of(pairs, "a", 0)
    assert lesson.shares == {"x": 0.75, "y": 0.25}
    few, more = (set(lesson.drawn(count)[0].tolist()) for count in (2, 4))
    assert few < more
    assert (len(few), len(more)) == (4, 6)


def test_chances_among_labels_become_chances_among_texts_by_hand():
    """Even chances, labels drawn two to two, classes nine to one in truth: 0.9 to 0.1."""
    guesses = LabelGuesses(("x", "y"), np.array([[0.5, 0.5], [0.1, 0.9]]))
    found = weighed(guesses, ["x", "x", "y", "y"], {"x": 0.9, "y": 0.1}).probabilities
    assert found == pytest.approx(np.array([[0.9, 0.1], [0.5, 0.5]]))


def test_labels_are_dealt_out_anew_by_document():
    documents = [str(row // 5) for row in range(100)]
    labels = ["x" if row < 50 else "y" for row in range(100)]
    found = dealt_anew(labels, documents, np.random.default_rng(0))
    assert all(len(set(found[start : start + 5])) == 1 for start in range(0, 100, 5))
    assert found.count("x") == 50
    assert found != labels


def test_labels_of_a_document_that_holds_several_change_places_within_it():
    documents = ["talk"] * 6 + ["note", "letter", "memo"]
    labels = ["agent", "agent", "agent", "client", "client", "client", "agent", "client", "client"]
    dealt = [dealt_anew(labels, documents, np.random.default_rng(seed)) for seed in range(20)]
    assert all(sorted(each[:6]) == sorted(labels[:6]) for each in dealt)
    assert all(sorted(each[6:]) == sorted(labels[6:]) for each in dealt)
    assert len({tuple(each[:6]) for each in dealt}) > 5
