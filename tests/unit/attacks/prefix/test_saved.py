"""A saved decoder writes the same texts; a damaged or changed folder is refused."""

import json

import numpy as np
import pytest

from tests.unit.attacks.prefix.language import OrderedSum, sentences
from vestige.attacks.prefix.inverter import PrefixDecoder
from vestige.attacks.prefix.saved import SavedInverter, load_inverter, save_inverter
from vestige.errors import InputError, NotFitted


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    texts = sentences()[:60]
    vectors = OrderedSum().encode(texts)
    rng = np.random.default_rng(0)
    decoder = PrefixDecoder(width=32, layers=1, epochs=2).fit(vectors, texts, rng=rng, encoder=OrderedSum())
    folder = tmp_path_factory.mktemp("saved") / "inverter"
    save_inverter(SavedInverter(decoder, "ordered-sum", OrderedSum.identity), folder)
    return decoder, folder, vectors


def test_it_writes_and_edits_as_before(saved):
    decoder, folder, vectors = saved
    again = load_inverter(folder)
    assert (again.encoder, again.identity) == ("ordered-sum", OrderedSum.identity)
    assert again.decoder.infer(vectors[:9]) == decoder.infer(vectors[:9])
    assert again.decoder.log_ == decoder.log_
    tokens = [decoder.number(["anna", "likes"])]
    old, new = (each.edit(vectors[:1], vectors[1:2], tokens)[0] for each in (decoder, again.decoder))
    assert np.array_equal(old.replace, new.replace)
    assert np.array_equal(old.insert, new.insert)


def test_what_was_changed_is_refused(saved, tmp_path):
    _, folder, _ = saved
    for part in folder.iterdir():
        (tmp_path / part.name).write_bytes(part.read_bytes())
    record = json.loads((tmp_path / "inverter.json").read_text())
    record["settings"]["words"][0] = "another"
    (tmp_path / "inverter.json").write_text(json.dumps(record))
    with pytest.raises(InputError, match="was changed after it was written"):
        load_inverter(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("inverter.safetensors", b"no tensors", "is damaged"),
        ("inverter.json", b"{", "is damaged"),
        ("inverter.json", b'{"format": "another"}', "is not of format"),
    ],
)
def test_what_cannot_be_read_is_refused(saved, tmp_path, name, content, problem):
    _, folder, _ = saved
    for part in folder.iterdir():
        (tmp_path / part.name).write_bytes(part.read_bytes())
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=problem):
        load_inverter(tmp_path)


def test_a_folder_without_an_inverter_and_an_unfitted_decoder_are_refused(tmp_path):
    with pytest.raises(InputError, match="has no inverter"):
        load_inverter(tmp_path)
    with pytest.raises(NotFitted):
        save_inverter(SavedInverter(PrefixDecoder(), "minilm", "x"), tmp_path / "new")
