"""The probe `attributes` on toy texts whose authors have favourite words."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.attacks.attributes.inference import AttributeInference
from vestige.audit.gate import parse_gate
from vestige.case.findings import Finding, NotApplicable
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.probes.attributes import AttributesProbe
from vestige.probes.probe import Run
from vestige.text.corpus import Corpus

PROBE = AttributesProbe("attributes", "?")
SETTINGS = Settings(targets=240, pairs=600, shortest=4, labels=20)
FAVOURITES = {"Ann": "zog", "Bob": "yak", "Cid": "xip"}


@pytest.fixture(scope="module")
def corpus():
    """Bob writes half of the texts; left-handedness and age are independent of the words."""
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
    found = PROBE.run(case_of(corpus, SETTINGS, WordSum()), Run(SETTINGS))
    assert isinstance(found, Finding)
    return found


def test_the_attribute_at_greatest_risk_is_the_headline(finding):
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
    assert "“author” for at most 20 texts of each of 3 classes infers it" in finding.summary


def test_every_attribute_has_a_bar_the_one_at_greatest_risk_first(finding):
    chart = finding.charts[0]
    assert chart.bars[0].label == "author (3 classes)"
    assert {bar.label for bar in chart.bars} == {"author (3 classes)", "age (5 classes)", "left (2 classes)"}
    assert all(bar.score.low <= bar.score.baseline + 0.05 for bar in chart.bars[1:])
    assert "“age” contains numbers, grouped into the ranges 18 to " in chart.reading
    assert "Not scored: “language” (it has one class)." in chart.reading


def test_more_labels_infer_no_less_and_the_text_itself_is_the_last_bar(finding):
    bars = finding.charts[1].bars
    assert [bar.label for bar in bars[:3]] == [f"{count} labels per class" for count in (5, 10, 20)]
    assert bars[2].score == finding.charts[0].bars[0].score
    assert bars[2].score.value >= bars[0].score.value - 0.02
    assert "the text itself" in bars[3].label
    assert bars[3].score.low > 0.8


def test_among_fewer_classes_accuracy_is_higher(finding):
    two, three = finding.charts[2].bars
    assert (two.label, three.label) == ("2 classes", "3 classes")
    assert (two.score.baseline, three.score) == (0.5, finding.charts[0].bars[0].score)
    assert two.score.value >= three.score.value - 0.02
    assert "one of so many classes, drawn 10 times from the 3" in finding.charts[2].reading


def test_two_classes_give_no_chart_by_classes(corpus):
    settings = replace(SETTINGS, attributes=("left",))
    found = PROBE.run(case_of(corpus, settings, WordSum()), Run(settings))
    assert not [chart for chart in found.charts if "Among how many" in chart.title]


def test_classes_are_masked_unless_text_is_shown(corpus, finding):
    assert [bar.label for bar in finding.charts[3].bars] == ["class 1", "class 2", "class 3"]
    assert not [name for name in FAVOURITES if f"'{name}'" in repr(finding)]
    shown = PROBE.run(case_of(corpus, SETTINGS, WordSum()), Run(replace(SETTINGS, show_text=True)))
    assert {bar.label for bar in shown.charts[3].bars} == set(FAVOURITES)
    assert all(bar.score.value > 0.8 > 0.1 > bar.score.baseline for bar in shown.charts[3].bars)


def test_random_vectors_reveal_nothing(corpus):
    texts = corpus.sentences(4, 40)
    noise = np.random.default_rng(0).normal(size=(len(texts), 32)).astype(np.float32)
    settings = replace(SETTINGS, attributes=("author",))
    found = PROBE.run(case_of(texts, settings, vectors=noise), Run(settings))
    assert found.leakage.low <= 0
    assert found.level in ("none", "unknown")


def test_texts_that_were_not_cut_here_and_quote_others_carry_a_warning(corpus):
    posts = replace(corpus, texts=[f"> {text}\n{text}" for text in corpus.texts])
    whole = replace(SETTINGS, attributes=("author",), unit="text", targets=60, pairs=200)
    found = {
        name: PROBE.run(case_of(texts, settings, encoder, vectors=vectors), Run(settings)).warnings
        for name, texts, settings, encoder, vectors in (
            ("ready-made", posts, replace(whole, unit="sentence"), None, WordSum().encode(posts.texts)),
            ("whole", posts, whole, WordSum(), None),
            ("cut", posts, replace(whole, unit="sentence"), WordSum(), None),
            ("nothing quoted", corpus, whole, WordSum(), None),
        )
    }
    assert {name for name, warnings in found.items() if warnings} == {"ready-made", "whole"}
    assert "100% of the texts quote others or are signed" in found["whole"][0]


def test_an_attribute_that_was_named_is_attacked_alone(corpus):
    settings = replace(SETTINGS, attributes=("left",))
    found = PROBE.run(case_of(corpus, settings, WordSum()), Run(settings))
    assert [bar.label for bar in found.charts[0].bars] == ["left (2 classes)"]
    assert found.leakage.low <= 0.02


def test_five_guesses_are_scored_if_classes_are_many(corpus):
    """Four desks per author; a limit on the first five of few classes does not pass."""
    desks = [f"{name} {row % 4}" for row, name in enumerate(corpus.attributes["author"])]
    case = case_of(replace(corpus, attributes={"desk": desks}), SETTINGS, WordSum())
    found = PROBE.run(case, Run(SETTINGS))
    assert found.measure("top1").prior.value == pytest.approx(1 / 12)
    assert found.measure("top5").attack.low > 0.5 > found.measure("top5").prior.value == pytest.approx(5 / 12)
    gate = parse_gate("attributes.top5<0.5", [PROBE])
    assert gate.check([found]).held
    alone = replace(found, measures=found.measures[:1])
    assert not gate.check([alone]).held
    assert "'top5' of 'attributes' does not apply to these data" in gate.check([alone]).explanation


def test_a_limit_on_attributes_is_checked(finding):
    assert not parse_gate("attributes>0.3", [PROBE]).check([finding]).held


def test_without_labels_the_probe_is_not_applicable(corpus):
    plain = PROBE.run(case_of(replace(corpus, attributes={}), SETTINGS, WordSum()), Run(SETTINGS))
    assert isinstance(plain, NotApplicable)
    assert "no column of labels" in plain.reason
    alike = replace(corpus, attributes={"language": ["toy"] * len(corpus)})
    answer = PROBE.run(case_of(alike, SETTINGS, WordSum()), Run(SETTINGS))
    assert "'language': it has one class" in answer.reason
    assert "--attribute" in answer.remedy


def test_a_column_of_one_class_is_refused_if_it_was_named(corpus):
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
    found = PROBE.run(case_of(corpus, settings, WordSum()), Run(settings))
    assert set(made) == {"song"}
    assert "paper recipe" in found.attack
    assert found.leakage.low > 0.2


def test_the_same_seed_gives_the_same_finding(corpus, finding):
    assert PROBE.run(case_of(corpus, SETTINGS, WordSum()), Run(SETTINGS)) == finding
