"""Vectors without texts: probes that require no text run, and the others say what they require."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import vestige
from tests.conftest import WordSum
from vestige.case.case import Missing
from vestige.case.inputs import read_inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.probes.plan import list_probes
from vestige.report.audit_wording import describe_stronger_adversary
from vestige.types import silent

ROWS, DIMENSION = 600, 24
SETTINGS = Settings(targets=120, pairs=400)
SIDES = [("north", "south")[row // 3 % 2] for row in range(ROWS)]


def vectors(lean=1.0):
    """Vectors of two sides, separated by their first column."""
    rows = np.random.default_rng(0).normal(size=(ROWS, DIMENSION)).astype(np.float32)
    rows[:, 0] += np.where(np.array(SIDES) == "north", lean, -lean)
    return rows


def stored(folder, rows, **columns):
    column = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), rows.shape[1])
    pq.write_table(pa.table({"vector": column, **columns}), folder / "v.parquet")
    return folder / "v.parquet"


def case_of(source, settings=SETTINGS):
    return plan_case(read_inputs(source, None, None, None, settings), settings).build(silent)


@pytest.fixture(autouse=True, scope="module")
def no_library():
    """Compare with no installed encoder: loading them all takes a minute."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vestige.preflight.run.list_public_encoders", tuple)
        patch.setattr("vestige.probes.fingerprint.load_encoder", lambda _name: WordSum())
        yield


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    source = stored(tmp_path_factory.mktemp("store"), vectors(), side=SIDES, mood=["calm", "angry", "calm"] * 200)
    return vestige.audit(source, settings=SETTINGS)


def test_membership_and_attributes_run_and_other_probes_say_what_they_require(labelled):
    assert [finding.probe for finding in labelled.findings] == ["attributes", "membership"]
    assert {skipped.probe for skipped in labelled.not_run} == {probe.name for probe in list_probes()} - {
        "attributes",
        "membership",
    }
    assert all(skipped.reason and skipped.remedy for skipped in labelled.not_run)
    words = next(skipped for skipped in labelled.not_run if skipped.probe == "words")
    assert (words.reason, words.remedy) == (
        "the texts behind the vectors are not available, so no guess can be checked",
        "give them with --texts",
    )


def test_a_label_that_separates_vectors_is_inferred_and_another_is_not(labelled, tmp_path):
    finding = labelled.findings[0]
    assert finding.leakage.low > 0.15
    assert finding.measure("top1").label.startswith("side: ")
    assert finding.measure("top1").control.low < 0.5
    assert "the text itself" not in {bar.label for chart in finding.charts for bar in chart.bars}
    noise = vestige.audit(stored(tmp_path, vectors(0), side=SIDES), settings=SETTINGS)
    assert noise.findings[0].leakage.low <= 0


def test_membership_is_inferred_from_the_stored_vectors(labelled):
    finding = labelled.findings[1]
    assert finding.leakage.low > 0.8
    assert finding.measure("advantage").control.value < 0.2
    assert any("the stored vectors of these texts" in given for given in finding.adversary.given)


def test_what_was_not_measured_is_not_called_safe(tmp_path):
    np.save(tmp_path / "v.npy", vectors())
    result = vestige.audit(tmp_path / "v.npy", settings=SETTINGS)
    assert result.verdict.level == "unknown"
    assert result.verdict.headline == "What a stranger could recover of the texts was not measured."
    assert any("give them with --texts" in sentence for sentence in result.verdict.sentences)
    assert (result.subject.texts, result.subject.target_texts) == (0, 120)
    assert "can learn from them to recover words" in describe_stronger_adversary(result.subject)
    assert "An attacker who can query the encoder" in describe_stronger_adversary(result.subject)


def test_no_document_and_no_vector_is_on_both_sides(tmp_path):
    rows = vectors()
    rows[300:420] = rows[:120]
    source = stored(tmp_path, rows, doc_id=[row // 4 for row in range(ROWS)], side=SIDES)
    case = case_of(source)
    truth, pairs = case.vectors_only.truth, case.vectors_only.pairs
    assert case.truth is None
    assert case.auxiliary == {}
    assert not set(truth.documents) & set(pairs.documents)
    assert not {vector.tobytes() for vector in case.targets} & {vector.tobytes() for vector in pairs.vectors}
    assert set(truth.attributes) == {"side"}


def test_an_attribute_may_be_named_and_must_exist(tmp_path):
    source = stored(tmp_path, vectors(), side=SIDES, mood=["calm", "angry"] * 300)
    assert set(case_of(source, Settings(attributes=("mood",))).vectors_only.truth.attributes) == {"mood"}
    with pytest.raises(InputError, match="did you mean 'mood'"):
        case_of(source, Settings(attributes=("moods",)))


def test_few_vectors_are_too_few_to_split():
    case = case_of(vectors()[:90])
    assert isinstance(case.vectors_only, Missing)
    assert "leave 22 to attack and 68 to compare them with" in case.vectors_only.reason
