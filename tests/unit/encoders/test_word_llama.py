import pytest

from vestige.encoders.load import load_encoder
from vestige.errors import InputError


def test_packaged_weights_that_were_changed_are_refused(monkeypatch):
    from vestige.encoders import word_llama

    monkeypatch.setattr(word_llama, "FILES", dict.fromkeys(word_llama.FILES, "0" * 64))
    with pytest.raises(InputError, match=r"has sha256 .*, expected 0000.* pip install --force-reinstall"):
        load_encoder("wordllama").encode(["one"])
