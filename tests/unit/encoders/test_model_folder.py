import pytest

from vestige.encoders.load import load_encoder
from vestige.encoders.model_folder import ModelFolder, find_model, list_versions, refuse_argument, verify_file
from vestige.errors import InputError


def test_a_name_the_hub_does_not_have():
    with pytest.raises(InputError, match="neither a folder nor a model"):
        load_encoder("st:no/such-model")


def test_the_name_of_a_model_never_shows_its_path(minilm):
    assert load_encoder(f"st:{minilm.folder}").name == "st:model"


def test_a_digest_changes_with_files_and_settings_that_shape_the_vectors(tmp_path):
    folder = ModelFolder(tmp_path, "mine")
    (tmp_path / "config.json").write_text("{}")
    before = folder.digest("fp32")
    (tmp_path / "README.md").write_text("does not shape the vectors")
    assert folder.digest("fp32") == before
    assert folder.digest("bf16") != before
    (tmp_path / "config.json").write_text('{"layers": 2}')
    assert folder.digest("fp32") != before


def test_only_the_pooler_may_be_missing(tmp_path):
    folder = ModelFolder(tmp_path, "mine")
    folder.refuse_missing(["pooler.weight"])
    with pytest.raises(InputError, match=r"lacks 2 of its model's weights, a\.weight among them"):
        folder.refuse_missing(["b.weight", "a.weight", "pooler.bias"])


def test_a_pickle_with_safetensors_next_to_it_is_ignored(tmp_path):
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(InputError, match="is a pickle, and pickles are never loaded"):
        ModelFolder(tmp_path, "mine").refuse_pickles()
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    ModelFolder(tmp_path, "mine").refuse_pickles()


def test_a_folder_needs_one_of_the_files_of_a_model(tmp_path):
    with pytest.raises(InputError, match=r"has no a\.json or b\.json; expected a model folder"):
        find_model("st", str(tmp_path), needs=("a.json", "b.json"))
    (tmp_path / "b.json").write_text("{}")
    assert find_model("st", str(tmp_path), needs=("a.json", "b.json")).name == f"st:{tmp_path.name}"


def test_a_file_is_verified_by_its_content(tmp_path):
    file = tmp_path / "weights"
    file.write_bytes(b"abc")
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert verify_file(file, digest, "demo") == file
    with pytest.raises(InputError, match="has sha256 nothing, expected ba7816bf8f01cfea"):
        verify_file(tmp_path / "missing", digest, "demo")


def test_versions_are_those_of_installed_libraries():
    (numpy,) = list_versions(["numpy", "no-such-library"])
    assert numpy.startswith("numpy ")


def test_an_argument_that_means_nothing_is_refused():
    refuse_argument("use", "")
    with pytest.raises(InputError, match="encoder 'use' takes no argument, got 'use:large'; write 'use'"):
        refuse_argument("use", "large")
