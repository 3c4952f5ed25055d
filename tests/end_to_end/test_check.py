"""The checks of `vestige check` on vectors of a real encoder: every fault is detected, and clean vectors pass."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.encoders.hugging_face import HuggingFaceEncoder, Readout
from vestige.preflight import VectorSample, check_vectors
from vestige.stores.arrow_columns import as_column
from vestige.stores.load import open_store
from vestige.text.corpora import load_corpus

pytestmark = pytest.mark.encoder
ROWS = 200


class Noise:
    """Another model of the same dimension."""

    name = identity = "noise"
    dimension = 384

    def encode(self, texts, **_):
        return np.stack([np.random.default_rng(len(text)).normal(size=384) for text in texts]).astype(np.float32)


@pytest.fixture(scope="module")
def texts():
    found = load_corpus("complaints").take(range(300)).sentences(6, 14).texts
    return list(dict.fromkeys(found))[:ROWS]


@pytest.fixture(scope="module")
def clean(minilm, texts):
    return minilm.encode(texts)


@pytest.fixture(scope="module")
def model(minilm):
    return HuggingFaceEncoder(minilm.model_folder, Readout("mean"))


def run_checks(vectors, texts, encoder):
    specimen = VectorSample("v.npy", len(vectors), str(vectors.dtype), vectors.astype(np.float32), texts)
    result = check_vectors(specimen, encoder, library=("minilm",))
    return {check.name: check for check in result.checks if check.level in ("warning", "error")}, result


def test_clean_vectors_pass(clean, texts, minilm):
    alarms, result = run_checks(clean, texts, minilm)
    assert alarms == {}
    assert result.named("encoder")[0].evidence["least_cosine"] > 0.9999
    assert result.named("columns")[0].evidence["constant"] == 3, "dimensions 127, 223 and 319 of the model itself"


def test_no_normalisation(model, texts, minilm):
    alarms, _ = run_checks(model.encode(texts), texts, minilm)
    assert list(alarms) == ["normalisation"]
    assert "normalises vectors to unit length, and these are not." in alarms["normalisation"].sentence


def test_cls_in_place_of_the_mean(model, texts, minilm):
    alarms, _ = run_checks(model.with_readout(Readout("cls")).encode(texts), texts, minilm)
    assert alarms["encoder"].level == "error"
    assert (
        "gives exactly these if only the CLS token is used: name the encoder as hf:FOLDER@cls"
        in alarms["encoder"].sentence
    )


def test_a_missing_prefix(minilm, texts):
    alarms, _ = run_checks(minilm.encode([f"passage: {text}" for text in texts]), texts, minilm)
    assert list(alarms) == ["encoder"]
    assert "if each text is prefixed with 'passage: '" in alarms["encoder"].sentence


def test_texts_that_were_cut(minilm, texts):
    long = [" ".join(texts[row : row + 8]) for row in range(0, 40, 4)]
    alarms, _ = run_checks(minilm.truncate_at(64).encode(long), long, minilm)
    assert "if texts are cut after 64 tokens" in alarms["encoder"].sentence


def test_the_wrong_model_of_the_same_dimension(clean, texts):
    alarms, _ = run_checks(clean, texts, Noise())
    assert alarms["encoder"].level == "error"
    assert "but 'minilm' does" in alarms["encoder"].sentence


def test_shuffled_rows(clean, texts, minilm):
    alarms, _ = run_checks(clean[np.random.default_rng(0).permutation(ROWS)], texts, minilm)
    assert list(alarms) == ["order"]


def test_nan_in_one_of_a_hundred(clean, texts, minilm):
    broken = clean.copy()
    broken[[3, 150]] = np.nan
    alarms, _ = run_checks(broken, texts, minilm)
    assert list(alarms) == ["finite"]
    assert "2 of 200 vectors (1.00%)" in alarms["finite"].sentence


def test_one_in_twenty_twice(clean, texts, minilm):
    again = np.r_[0:190, 0:10]
    alarms, _ = run_checks(clean[again], [texts[row] for row in again], minilm)
    assert list(alarms) == ["duplicates"]
    assert alarms["duplicates"].evidence == {"rows": 10, "share": 0.05, "same_text": 10}


def test_half_precision(clean, texts, minilm):
    alarms, result = run_checks(clean.astype(np.float16), texts, minilm)
    assert alarms == {}
    assert "in half precision" in result.named("form")[0].sentence


def test_statistics_identify_the_encoder_without_texts(clean):
    _, result = run_checks(clean, None, None)
    assert "'minilm' made the vectors" in result.named("maker")[0].sentence


def test_a_store_is_checked_in_place(clean, texts, minilm, tmp_path):
    clean = clean.copy()
    clean[7, 0] = np.nan
    pq.write_table(pa.table({"vector": as_column(clean), "text": texts}), tmp_path / "v.parquet")
    with open_store(tmp_path / "v.parquet") as store:
        specimen = VectorSample.from_store(store, ROWS, 0)
    result = check_vectors(specimen, minilm, library=())
    assert json.loads(json.dumps(result.named("finite")[0].evidence)) == {"rows": 1, "share": 1 / ROWS}
    assert result.checks[0].name == "plaintext"
    assert result.named("encoder")[0].level == "ok"
