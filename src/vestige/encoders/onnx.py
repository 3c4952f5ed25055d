"""An ONNX export with its tokenizer, run by onnxruntime."""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vestige.encoders.batching import FEWEST_TOKENS, encode_by_length
from vestige.encoders.model_folder import ModelFolder, find_model
from vestige.errors import InputError
from vestige.types import Progress, Vectors, silent

MODELS = ("model.onnx", "onnx/model.onnx")
LONGEST = 512


class OnnxEncoder:
    """A folder with model.onnx and tokenizer.json as an encoder.

    An export that ends in a sentence vector is taken at its word. One that ends in the tokens' states is pooled as
    the folder's 1_Pooling/config.json says, by the mean where it says nothing, and made unit length where modules.json
    has a Normalize.
    """

    def __init__(self, model: ModelFolder, *, batch_size: int = 32) -> None:
        self.model_folder = model
        self.batch_size = batch_size

    @property
    def name(self) -> str:
        """The spec without the path."""
        return self.model_folder.name

    @cached_property
    def identity(self) -> str:
        """A digest of every file that shapes the vectors."""
        return self.model_folder.digest(f"onnx {FEWEST_TOKENS}")

    @cached_property
    def dimension(self) -> int:
        """Columns of a vector, as the export gives them."""
        return int(self.encode(["a"]).shape[1])

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given; the same bits whatever the batch."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        advance = progress(f"encoding with {self.name}", len(texts))
        tokens = self._tokenizer.encode_batch(list(texts))

        def encode_rows(rows: list[int]) -> Vectors:
            return self._forward([tokens[row] for row in rows])

        return encode_by_length([len(row.ids) for row in tokens], self.batch_size, encode_rows, advance)

    def _forward(self, tokens: list[Any]) -> Vectors:
        if not tokens[0].ids:
            return np.zeros((len(tokens), self.dimension), dtype=np.float32)
        given = {
            "input_ids": np.array([row.ids for row in tokens], dtype=np.int64),
            "attention_mask": np.array([row.attention_mask for row in tokens], dtype=np.int64),
            "token_type_ids": np.array([row.type_ids for row in tokens], dtype=np.int64),
        }
        wanted = [value.name for value in self._session.get_inputs()]
        unknown = [name for name in wanted if name not in given]
        if unknown:
            raise InputError(
                f"{self.name} asks for {', '.join(unknown)}; expected an export whose inputs are among "
                f"{', '.join(given)}; export the encoder alone, without a decoder or a cache"
            )
        output = self._session.run([self._output], {name: given[name] for name in wanted})[0]
        return self._finished(np.asarray(output, dtype=np.float32))

    def _finished(self, output: npt.NDArray[np.float32]) -> Vectors:
        if output.ndim == 2:
            return output
        pooled = (
            output[:, 0] if self._settings("1_Pooling/config.json").get("pooling_mode_cls_token") else output.mean(1)
        )
        if not self._unit_length:
            return np.asarray(pooled, dtype=np.float32)
        return np.asarray(pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-12), dtype=np.float32)

    @cached_property
    def _unit_length(self) -> bool:
        modules = self._settings("modules.json")
        return any(str(module.get("type", "")).endswith("Normalize") for module in modules)

    def _settings(self, name: str) -> Any:
        path = self.model_folder.path / name
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    @cached_property
    def _output(self) -> str:
        """The sentence vector where the export has one, else its first output."""
        names = [value.name for value in self._session.get_outputs()]
        return "sentence_embedding" if "sentence_embedding" in names else names[0]

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        path = next(self.model_folder.path / name for name in MODELS if (self.model_folder.path / name).is_file())
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        try:
            return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise InputError(f"{path} does not load ({error}); expected an ONNX model") from error

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        path = self.model_folder.path / "tokenizer.json"
        if not path.is_file():
            raise InputError(f"{path} is not there; put the model's tokenizer.json beside its ONNX export")
        tokenizer = Tokenizer.from_file(str(path))
        tokenizer.no_padding()
        longest = self._settings("sentence_bert_config.json").get("max_seq_length") or LONGEST
        tokenizer.enable_truncation(longest)
        return tokenizer


def load_onnx(argument: str) -> OnnxEncoder:
    """From a folder."""
    if argument and not Path(argument).is_dir():
        raise InputError(f"{argument} is not a folder; expected one with {MODELS[0]} and tokenizer.json")
    return OnnxEncoder(find_model("onnx", argument, needs=MODELS))
