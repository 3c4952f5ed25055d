import json
import shutil

import numpy as np
import pytest

from tests.onnx_export import export_minilm
from vestige.encoders.load import load_encoder
from vestige.errors import InputError

TEXTS = ["The bank closed my account.", "A fee.", ""]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return export_minilm(tmp_path_factory.mktemp("onnx") / "minilm")


@pytest.fixture
def copy(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "copy")


def test_an_export_gives_what_the_model_gives(folder, minilm):
    assert np.allclose(load_encoder(f"onnx:{folder}").encode(TEXTS), minilm.encode(TEXTS), atol=1e-5)


def test_pooling_and_unit_length_come_from_the_settings_files(copy, minilm):
    (copy / "modules.json").unlink()
    longer = load_encoder(f"onnx:{copy}").encode(TEXTS)
    assert (np.linalg.norm(longer, axis=1) > 1.5).all()
    (copy / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    by_cls = load_encoder(f"onnx:{copy}").encode(TEXTS)
    expected = load_encoder(f"hf:{minilm.folder}@cls").encode(TEXTS)
    assert np.allclose(by_cls, expected, atol=1e-4)


@pytest.mark.parametrize(
    ("settings", "readout"),
    [
        ({"pooling_mode": "cls"}, "cls"),
        ({"pooling_mode": "lasttoken"}, "last"),
        ({"pooling_mode_lasttoken": True}, "last"),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, "mean"),
    ],
)
def test_every_format_of_the_pooling_settings(copy, minilm, settings, readout):
    (copy / "modules.json").unlink()
    (copy / "1_Pooling" / "config.json").write_text(json.dumps(settings))
    found = load_encoder(f"onnx:{copy}").encode(TEXTS)
    assert np.allclose(found, load_encoder(f"hf:{minilm.folder}@{readout}").encode(TEXTS), atol=1e-4)


def test_modules_that_the_export_lacks_are_refused(copy):
    (copy / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode": "weightedmean"}))
    with pytest.raises(InputError, match="pools by 'weightedmean'; expected one of mean, cls, lasttoken"):
        load_encoder(f"onnx:{copy}").encode(TEXTS)
    (copy / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode": "mean"}))
    modules = [*json.loads((copy / "modules.json").read_text()), {"type": "sentence_transformers.models.Dense"}]
    (copy / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(InputError, match="has a module Dense after its pooling"):
        load_encoder(f"onnx:{copy}").encode(TEXTS)


def test_external_weights_are_part_of_the_identity(copy):
    (copy / "model.onnx.data").write_bytes(b"one")
    before = load_encoder(f"onnx:{copy}").identity
    (copy / "model.onnx.data").write_bytes(b"two")
    assert load_encoder(f"onnx:{copy}").identity != before


def test_a_subfolder_as_optimum_writes_it(copy, minilm):
    (copy / "onnx").mkdir()
    (copy / "model.onnx").rename(copy / "onnx" / "model.onnx")
    assert np.allclose(load_encoder(f"onnx:{copy}").encode(TEXTS), minilm.encode(TEXTS), atol=1e-5)


def test_missing_files_are_named(copy):
    with pytest.raises(InputError, match=r"names no folder; expected one with model.onnx and tokenizer.json"):
        load_encoder("onnx:no/such/folder")
    (copy / "tokenizer.json").write_text("{}")
    with pytest.raises(InputError, match=r"tokenizer.json is not a tokenizer"):
        load_encoder(f"onnx:{copy}").encode(TEXTS)
    (copy / "tokenizer.json").unlink()
    with pytest.raises(InputError, match=r"tokenizer.json does not exist; copy the model's tokenizer.json next to"):
        load_encoder(f"onnx:{copy}").encode(TEXTS)


def test_a_file_that_is_no_model(copy):
    (copy / "model.onnx").write_bytes(b"no model")
    with pytest.raises(InputError, match=r"does not load .* expected an ONNX model"):
        load_encoder(f"onnx:{copy}").encode(TEXTS)
