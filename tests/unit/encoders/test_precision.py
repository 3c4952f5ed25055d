import pytest
import torch

from vestige.encoders.precision import choose_dtype, has_bf16


@pytest.mark.parametrize(("has", "warned"), [(True, False), (False, True)])
def test_emulated_bf16_is_reported(has, warned, monkeypatch, caplog):
    monkeypatch.setattr("torch.ops.mkldnn._is_mkldnn_bf16_supported", lambda: has)
    assert choose_dtype("bf16") == torch.bfloat16
    assert has_bf16() is has
    assert ("--precision fp32 is faster here" in caplog.text) is warned


def test_fp32_never_warns(monkeypatch, caplog):
    monkeypatch.setattr("torch.ops.mkldnn._is_mkldnn_bf16_supported", lambda: False)
    assert choose_dtype("fp32") == torch.float32
    assert not caplog.text
