"""Inverters for many audits: trained on a corpus, opened for the same encoder or aligned to another."""

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.attacks.prefix.language import OrderedSum, sentences
from vestige.attacks.prefix.inverter import PrefixDecoder
from vestige.attacks.prefix.saved import save_inverter
from vestige.case import inverter
from vestige.case.inverter import InverterRequest, identify_inverter, open_inverter, train_inverter
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.text.corpus import Corpus


class Turned(OrderedSum):
    """The same encoder with its columns in another order."""

    name, identity = "turned", "turned ordered-sum"

    def encode(self, texts, *, progress=None):  # noqa: ARG002
        return super().encode(texts)[:, ::-1].copy()


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(inverter, "PrefixDecoder", lambda **given: PrefixDecoder(width=32, layers=1, **given))
    trained = train_inverter(OrderedSum(), Corpus("toy", sentences()), InverterRequest(pairs=150, epochs=2))
    monkeypatch.undo()
    folder = tmp_path_factory.mktemp("inverter") / "saved"
    save_inverter(trained, folder)
    return trained, folder


def test_it_learns_from_some_of_the_texts_and_names_its_encoder(saved):
    trained, _ = saved
    assert (trained.encoder, trained.identity) == ("ordered-sum", OrderedSum.identity)
    assert trained.decoder.edits
    assert trained.decoder.log_.steps == 2


def test_for_the_same_encoder_it_is_opened_as_it_is(saved):
    trained, folder = saved
    texts = sentences()[:60]
    vectors = OrderedSum().encode(texts)
    opened = open_inverter(folder, OrderedSum(), vectors, texts)
    assert opened.infer(vectors[:5]) == trained.decoder.infer(vectors[:5])


def test_for_another_encoder_it_is_aligned(saved, monkeypatch):
    trained, folder = saved
    monkeypatch.setattr(inverter, "load_encoder", {"ordered-sum": OrderedSum()}.get)
    texts = sentences()[:200]
    turned = Turned().encode(texts)
    opened = open_inverter(folder, Turned(), turned, texts)
    own = OrderedSum().encode(texts)
    assert np.allclose(opened._transform(turned), trained.decoder._transform(own), atol=0.02)
    assert opened.infer(turned[:8]).texts == trained.decoder.infer(own[:8]).texts


def test_another_inverter_in_the_same_folder_is_another_one(saved, tmp_path):
    trained, folder = saved
    named = Settings(inverter=str(folder))
    assert identify_inverter(Settings()) == ""
    before = identify_inverter(named)
    place = tmp_path / "copy"
    save_inverter(replace(trained, encoder="another"), place)
    assert identify_inverter(Settings(inverter=str(place))) not in ("", before)
    with pytest.raises(InputError, match=r"has no inverter\.json"):
        identify_inverter(Settings(inverter=str(tmp_path / "missing")))
