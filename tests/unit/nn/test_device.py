"""The device that a network is trained on."""

import pytest
import torch

from vestige.errors import InputError
from vestige.nn.device import choose_device


def test_the_processor_is_always_there():
    assert choose_device("cpu") == torch.device("cpu")


@pytest.mark.parametrize(("cuda", "mps", "chosen"), [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")])
def test_auto_takes_the_fastest_that_is_present(monkeypatch, cuda, mps, chosen):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert choose_device("auto") == torch.device(chosen)


def test_what_is_absent_or_unknown_is_refused(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match=r"'cuda', which torch .* does not find"):
        choose_device("cuda")
    with pytest.raises(InputError, match="must be 'auto' or 'cpu' or 'cuda' or 'mps'"):
        choose_device("tpu")
