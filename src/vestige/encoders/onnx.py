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
from vestige.encoders.reloaded import ReloadedWhenSent
from vestige.errors import InputError
from vestige.types import Progress, Vectors, silent

MODELS = ("model.onnx", "onnx/model.onnx")
OUTPUTS = ("sentence_embedding", "last_hidden_state", "token_embeddings")
POOLINGS = ("mean", "cls", "lasttoken")
LONGEST = 512


class OnnxEncoder(ReloadedWhenSent):
    """A folder with model.onnx and tokenizer.json as an encoder.

    If the export has a sentence vector as output, that is the embedding. Otherwise the tokens' states are pooled as
    1_Pooling/config.json says, by the mean if it says nothing, and scaled to unit length if modules.json has a
    Normalize module; any other module is refused.
    """

    def __init__(self, model: ModelFolder, *, batch_size: int = 32) -> None:
        self.model_folder = model
        self.batch_size = batch_size

    @property
    def name(self) -> str:
        """The spec without the path of the folder."""
        return self.model_folder.name

    @cached_property
    def identity(self) -> str:
        """A digest of every file that shapes the vectors."""
        return self.model_folder.digest(f"onnx {FEWEST_TOKENS}")

    @cached_property
    def dimension(self) -> int:
        """Columns of a vector, as the export returns them."""
        return int(self.encode(["a"]).shape[1])

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given; bit-identical for any batching."""
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
        available = {
            "input_ids": np.array([row.ids for row in tokens], dtype=np.int64),
            "attention_mask": np.array([row.attention_mask for row in tokens], dtype=np.int64),
            "token_type_ids": np.array([row.type_ids for row in tokens], dtype=np.int64),
        }
        required = [value.name for value in self._session.get_inputs()]
        unknown = [name for name in required if name not in available]
        if unknown:
            raise InputError(
                f"{self.name} requires the input {', '.join(unknown)}; expected an export whose inputs are among "
                f"{', '.join(available)}; export the encoder alone, without a decoder or a cache"
            )
        try:
            output = self._session.run([self._output], {name: available[name] for name in required})[0]
        except Exception as error:  # onnxruntime's errors have no base class of their own
            raise InputError(f"{self.name} does not run ({error}); export it with int64 inputs of any shape") from error
        return self._finish(np.asarray(output, dtype=np.float32))

    def _finish(self, output: npt.NDArray[np.float32]) -> Vectors:
        if output.ndim == 2:
            return output
        pooled = {"mean": output.mean(1), "cls": output[:, 0], "lasttoken": output[:, -1]}[self._pooling]
        if not self._unit_length:
            return np.asarray(pooled, dtype=np.float32)
        return np.asarray(pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-12), dtype=np.float32)

    @cached_property
    def _pooling(self) -> str:
        """As sentence-transformers writes it: one word, or, before its version 5, one switch per pooling."""
        settings = self._settings("1_Pooling/config.json")
        switched = [
            name.removeprefix("pooling_mode_") for name, on in settings.items() if "_mode_" in name and on is True
        ]
        named = settings.get("pooling_mode") or "+".join(switched) or "mean"
        known = {"mean_tokens": "mean", "cls_token": "cls"}.get(named, named)
        if known not in POOLINGS:
            raise InputError(f"{self.name} pools by '{known}'; expected one of {', '.join(POOLINGS)}")
        return known

    @cached_property
    def _unit_length(self) -> bool:
        kinds = [str(module.get("type", "")).rpartition(".")[2] for module in self._settings("modules.json")]
        unknown = [kind for kind in kinds if kind not in ("Transformer", "Pooling", "Normalize")]
        if unknown:
            raise InputError(
                f"{self.name} has a module {unknown[0]} after its pooling, which is not part of the export; "
                "export the model with a sentence_embedding output"
            )
        return "Normalize" in kinds

    def _settings(self, name: str) -> Any:
        path = self.model_folder.path / name
        try:
            return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        except ValueError as error:
            raise InputError(f"{path} is not JSON ({error}); copy it from the model again") from error

    @cached_property
    def _output(self) -> str:
        """The sentence vector if the export has one, else the tokens' states, else the first output."""
        names = [value.name for value in self._session.get_outputs()]
        return next((name for name in OUTPUTS if name in names), names[0])

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        path = next(self.model_folder.path / name for name in MODELS if (self.model_folder.path / name).is_file())
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        try:
            return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's errors have no base class of their own
            raise InputError(f"{path} does not load ({error}); expected an ONNX model") from error

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        path = self.model_folder.path / "tokenizer.json"
        if not path.is_file():
            raise InputError(f"{path} does not exist; copy the model's tokenizer.json next to its ONNX export")
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the tokenizers library raises nothing narrower
            raise InputError(f"{path} is not a tokenizer ({error}); copy it from the model again") from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._longest)
        return tokenizer

    @cached_property
    def _longest(self) -> int:
        """Tokens after which a text is truncated, by the model's own settings."""
        own = self._settings("sentence_bert_config.json").get("max_seq_length")
        return int(own or min(self._settings("tokenizer_config.json").get("model_max_length") or LONGEST, LONGEST))


def load_onnx(argument: str) -> OnnxEncoder:
    """Load an export from a folder."""
    if not Path(argument or "nothing").is_dir():
        raise InputError(f"'onnx:{argument}' names no folder; expected one with {MODELS[0]} and tokenizer.json")
    return OnnxEncoder(find_model("onnx", argument, needs=MODELS))
