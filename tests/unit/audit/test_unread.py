"""Vectors whose texts are not there: what needs no text is asked, and nothing else pretends to be."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import vestige
from vestige.case.case import Missing
from vestige.case.inputs import read_inputs
from vestige.case.prepare import prepare
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.probes.plan import PROBES
from vestige.report.wording import better_equipped
from vestige.types import silent

ROWS, DIMENSION = 600, 24
SETTINGS = Settings(targets=120, pairs=400)
SIDES = [("north", "south")[row // 3 % 2] for row in range(ROWS)]


def vectors(lean=1.0):
    """Vectors of two sides, which lie apart as far as they lean."""
    found = np.random.default_rng(0).normal(size=(ROWS, DIMENSION)).astype(np.float32)
    found[:, 0] += np.where(np.array(SIDES) == "north", lean, -lean)
    return found


def stored(folder, rows, **columns):
    column = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), rows.shape[1])
    pq.write_table(pa.table({"vector": column, **columns}), folder / "v.parquet")
    return folder / "v.parquet"


def case_of(source, settings=SETTINGS):
    return prepare(read_inputs(source, None, None, None, settings), settings, silent)


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    source = stored(tmp_path_factory.mktemp("store"), vectors(), side=SIDES, mood=["calm", "angry", "calm"] * 200)
    return vestige.audit(source, settings=SETTINGS)


def test_membership_and_labels_are_asked_and_the_other_questions_say_what_they_need(labelled):
    assert [finding.probe for finding in labelled.findings] == ["attributes", "membership"]
    assert {asked.probe for asked in labelled.not_run} == {probe.name for probe in PROBES} - {
        "attributes",
        "membership",
    }
    assert all(asked.reason and asked.remedy for asked in labelled.not_run)
    words = next(asked for asked in labelled.not_run if asked.probe == "words")
    assert (words.reason, words.remedy) == (
        "the texts behind the vectors are not there, so no guess can be checked",
        "give them with --texts",
    )


def test_a_label_that_leans_is_told_and_one_that_does_not_is_not(labelled, tmp_path):
    finding = labelled.findings[0]
    assert finding.leakage.low > 0.15
    assert finding.measure("top1").label.startswith("side: ")
    assert finding.measure("top1").control.low < 0.5
    assert "the text itself" not in {bar.label for chart in finding.charts for bar in chart.bars}
    noise = vestige.audit(stored(tmp_path, vectors(0), side=SIDES), settings=SETTINGS)
    assert noise.findings[0].leakage.low <= 0


def test_a_search_by_scores_tells_who_is_there(labelled):
    finding = labelled.findings[1]
    assert finding.leakage.low > 0.8
    assert finding.measure("advantage").control.value < 0.2
    assert any("as they were found" in given for given in finding.adversary.given)


def test_the_verdict_and_the_report_do_not_pass_what_was_not_asked_for_safety(tmp_path):
    np.save(tmp_path / "v.npy", vectors())
    result = vestige.audit(tmp_path / "v.npy", settings=SETTINGS)
    assert result.verdict.level == "unknown"
    assert result.verdict.headline == "What a stranger could read of the texts was not measured."
    assert any("give them with --texts" in sentence for sentence in result.verdict.sentences)
    assert (result.subject.texts, result.subject.target_texts) == (0, 120)
    assert "learns from these to read words" in better_equipped(result.subject)
    assert "One who can ask the encoder" in better_equipped(result.subject)


def test_no_document_and_no_vector_lies_on_both_sides(tmp_path):
    rows = vectors()
    rows[300:420] = rows[:120]
    source = stored(tmp_path, rows, doc_id=[row // 4 for row in range(ROWS)], side=SIDES)
    case = case_of(source)
    truth, pairs = case.unread.truth, case.unread.pairs
    assert case.truth is None
    assert case.auxiliary == {}
    assert not set(truth.documents) & set(pairs.documents)
    assert not {vector.tobytes() for vector in case.targets} & {vector.tobytes() for vector in pairs.vectors}
    assert set(truth.attributes) == {"side"}


def test_an_attribute_may_be_named_and_must_be_there(tmp_path):
    source = stored(tmp_path, vectors(), side=SIDES, mood=["calm", "angry"] * 300)
    assert set(case_of(source, Settings(attributes=("mood",))).unread.truth.attributes) == {"mood"}
    with pytest.raises(InputError, match="did you mean 'mood'"):
        case_of(source, Settings(attributes=("moods",)))


def test_few_vectors_are_too_few_to_part():
    case = case_of(vectors()[:90])
    assert isinstance(case.unread, Missing)
    assert "leave 22 to attack and 68 to hold against them" in case.unread.reason
