"""MiniLM as an ONNX export, for tests and benchmarks."""

import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from vestige.encoders.sentence_transformer import load_minilm

INPUTS = ["input_ids", "attention_mask", "token_type_ids"]
OUTPUT = "last_hidden_state"


class _States(torch.nn.Module):
    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        states: Tensor = self.model(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        return states


def export_minilm(folder: Path) -> Path:
    """A folder with model.onnx, its tokenizer, and the settings of sentence-transformers."""
    from transformers import AutoModel

    if folder.is_dir():
        return folder
    pytest.importorskip("onnx")
    source = load_minilm().folder
    folder.mkdir(parents=True)
    model = AutoModel.from_pretrained(source, attn_implementation="eager").eval()
    ones = torch.ones(2, 7, dtype=torch.long)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _States(model),
            (ones, ones, ones * 0),
            str(folder / "model.onnx"),
            input_names=INPUTS,
            output_names=[OUTPUT],
            dynamic_axes={name: {0: "texts", 1: "length"} for name in [*INPUTS, OUTPUT]},
            dynamo=False,
        )
    for name in ("tokenizer.json", "modules.json", "sentence_bert_config.json"):
        shutil.copy(source / name, folder / name)
    shutil.copytree(source / "1_Pooling", folder / "1_Pooling")
    return folder
