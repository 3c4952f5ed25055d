"""Any Hugging Face encoder or decoder, with a chosen pooling and layer: hf:FOLDER@mean:6."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from safetensors import SafetensorError

from vestige.encoders.batching import FEWEST_TOKENS, encode_by_length
from vestige.encoders.model_folder import ModelFolder, find_model
from vestige.encoders.precision import choose_dtype
from vestige.encoders.reloaded import ReloadedWhenSent
from vestige.engine.threads import count_workers, one_core_each
from vestige.errors import InputError
from vestige.nn.device import NamedDevice, check_processor, choose_device
from vestige.types import Precision, Progress, Vectors, WhiteBox, silent

if TYPE_CHECKING:
    from torch import Tensor

    from vestige.encoders.trainable import TrainableHuggingFace

Pooling = Literal["mean", "last", "cls", "max"]

LONGEST = 512


@dataclass(frozen=True, slots=True)
class Readout:
    """How to read a vector from the model: the pooling over tokens, and the layer; None is the last layer."""

    pooling: Pooling = "mean"
    layer: int | None = None

    def __str__(self) -> str:
        return self.pooling if self.layer is None else f"{self.pooling}:{self.layer}"


class HuggingFaceEncoder(ReloadedWhenSent):
    """A model folder as an encoder. Texts are truncated at the model's own limit, or at 512 tokens if it has none.

    A text without tokens, which some tokenizers make of the empty string, has the zero vector. `cut` truncates texts
    earlier, after so many tokens.
    """

    def __init__(
        self,
        model: ModelFolder,
        readout: Readout,
        *,
        precision: Precision = "fp32",
        device: NamedDevice = "cpu",
        batch_size: int = 32,
        cut: int | None = None,
    ) -> None:
        self.model_folder = model
        self.readout = readout
        self.precision = precision
        self.device = device
        self.batch_size = batch_size
        self.cut = cut

    def truncate_at(self, tokens: int) -> "HuggingFaceEncoder":
        """The same encoder, which truncates texts after so many tokens."""
        return self._sharing(cut=tokens)

    def with_readout(self, readout: Readout) -> "HuggingFaceEncoder":
        """The same model with another readout."""
        return self._sharing(readout=readout)

    def _sharing(self, **changed: Any) -> "HuggingFaceEncoder":
        """A copy that shares the model and tokenizer of this one, if these are loaded."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        for name in ("identity", "longest", "_inner", "_cls"):
            vars(other).pop(name, None)
        vars(other).update(changed)
        return other

    @property
    def name(self) -> str:
        """The spec without the path of the folder."""
        return f"{self.model_folder.name}@{self.readout}"

    @cached_property
    def identity(self) -> str:
        """A digest of every file that shapes the vectors, of the readout, the precision and the device."""
        cut = "" if self.cut is None else f" cut {self.cut}"
        device = "" if self.device == "cpu" else f" on {self.device}"
        return self.model_folder.digest(f"hf {self.readout} {self.precision} {LONGEST} {FEWEST_TOKENS}{cut}{device}")

    @cached_property
    def dimension(self) -> int:
        """Columns of a vector."""
        return int(self._model.config.hidden_size)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given; bit-identical for any batching."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        advance = progress(f"encoding with {self.name}", len(texts))
        tokens = self._tokenizer(list(texts), truncation=True, max_length=self.longest)

        def encode_rows(rows: list[int]) -> Vectors:
            return self._forward({name: [values[row] for row in rows] for name, values in tokens.items()})

        lengths = [len(row) for row in tokens["input_ids"]]
        with one_core_each():
            workers = count_workers() if self.device == "cpu" else 1
            return encode_by_length(lengths, self.batch_size, encode_rows, advance, workers=workers)

    def _forward(self, tokens: dict[str, list[list[int]]]) -> Vectors:
        import torch

        if not tokens["input_ids"][0]:
            return np.zeros((len(tokens["input_ids"]), self.dimension), dtype=np.float32)
        place = self._model.device
        inputs = {name: torch.tensor(rows, device=place) for name, rows in tokens.items() if name != "attention_mask"}
        with torch.inference_mode():
            output = self._model(**inputs, output_hidden_states=self._inner is not None)
            states = output.last_hidden_state if self._inner is None else output.hidden_states[self._inner]
            vectors: Vectors = self._pool(states).float().cpu().numpy()
        return vectors

    @property
    def model(self) -> Any:
        """The network."""
        return self._model

    def run_model(self, model: Any, text: str) -> "Tensor":
        """The vector of a text as a copy of the network gives it; gradients flow through it."""
        import torch

        tokens = self._tokenizer([text], truncation=True, max_length=self.longest)
        if not tokens["input_ids"][0]:
            return torch.zeros(1, self.dimension)
        inputs = {name: torch.tensor(rows) for name, rows in tokens.items() if name != "attention_mask"}
        output = model(**inputs, output_hidden_states=self._inner is not None)
        states = output.last_hidden_state if self._inner is None else output.hidden_states[self._inner]
        return self._pool(states).float()

    def copy_trainable(self) -> "TrainableHuggingFace":
        """A copy whose weights can be trained."""
        from vestige.encoders.trainable import TrainableHuggingFace

        check_processor(self.device, "training")
        return TrainableHuggingFace(self)

    def _pool(self, states: "Tensor") -> "Tensor":
        return pool(states, self.readout.pooling, self._cls)

    @cached_property
    def longest(self) -> int:
        """Tokens after which a text is truncated."""
        config = self._model.config
        places = getattr(config, "max_position_embeddings", None) or LONGEST
        table = getattr(getattr(self._model, "embeddings", None), "position_embeddings", None)
        padding = getattr(table, "padding_idx", None)
        places -= 0 if padding is None else padding + 1
        most = min(places if places > 0 else LONGEST, self._tokenizer.model_max_length)
        return int(most if self.cut is None else min(most, self.cut))

    @cached_property
    def _inner(self) -> int | None:
        """The layer to read; None if it is the last."""
        layer, deepest = self.readout.layer, int(self._model.config.num_hidden_layers)
        if layer is not None and layer > deepest:
            raise InputError(
                f"'{self.name}' names layer {layer}; the model has {deepest} layers; write 0, the words, to {deepest}"
            )
        return None if layer == deepest else layer

    @cached_property
    def _cls(self) -> int:
        """The position of the CLS token: the first, or the last as in XLNet."""
        if self.readout.pooling != "cls":
            return 0
        from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

        tokens = self._tokenizer("a", return_special_tokens_mask=True)
        if tokens["special_tokens_mask"][0] and self._model.config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES:
            return 0
        if self._tokenizer.cls_token_id == tokens["input_ids"][-1]:
            return -1
        raise InputError(f"'{self.name}' names the CLS token, and this model has none; write @last or @mean")

    @cached_property
    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        self.model_folder.refuse_pickles()
        return self._load(lambda: AutoTokenizer.from_pretrained(self.model_folder.path, trust_remote_code=False))

    @cached_property
    def _model(self) -> Any:
        from transformers import AutoModel

        place = choose_device(self.device)
        self.model_folder.refuse_pickles()
        model, report = self._load(
            lambda: AutoModel.from_pretrained(
                self.model_folder.path,
                use_safetensors=True,
                dtype=choose_dtype(self.precision),
                trust_remote_code=False,
                output_loading_info=True,
            )
        )
        self.model_folder.refuse_missing(report["missing_keys"])
        whole = model.get_encoder() if model.config.is_encoder_decoder else model
        return whole.eval().to(place)

    def _load(self, load: Any) -> Any:
        from transformers.utils import logging

        logging.disable_progress_bar()
        logging.set_verbosity_error()
        try:
            return load()
        except (OSError, ValueError, TypeError, ImportError, KeyError, RuntimeError, SafetensorError) as error:
            raise InputError(
                f"{self.model_folder.path} does not load as a Hugging Face model ({error}); "
                "expected config.json, a tokenizer and safetensors weights"
            ) from error

    def white_box(self) -> WhiteBox:
        """The transformer, with this encoder's readout."""
        from vestige.encoders.white_box import TransformerWhiteBox

        check_processor(self.device, "a white box")
        return TransformerWhiteBox(
            self._model, self._tokenizer, pool=self._pool, finish=self._pool, longest=self.longest, layer=self._inner
        )


def load_hugging_face(
    argument: str, *, precision: Precision = "fp32", device: NamedDevice = "cpu"
) -> HuggingFaceEncoder:
    """Load NAME_OR_FOLDER[@pooling[:layer]]; by default the mean over the last layer."""
    place, readout = argument, Readout()
    match = None if Path(argument).is_dir() else re.fullmatch(r"(.+)@(\w+)(?::(-?\d+))?", argument)
    if match is not None:
        pooling = check_pooling(match[2], f"hf:{argument}")
        if (match[3] or "").startswith("-"):
            raise InputError(f"'hf:{argument}' names layer {match[3]}; layers are counted from 0")
        place, readout = match[1], Readout(pooling, None if match[3] is None else int(match[3]))
    return HuggingFaceEncoder(find_model("hf", place), readout, precision=precision, device=device)


def check_pooling(name: str, spec: str) -> Pooling:
    """The pooling of this name; raises if there is none."""
    for known in get_args(Pooling):
        if name == known:
            return name  # type: ignore[return-value]
    raise InputError(f"'{spec}' names the pooling '{name}'; expected one of {', '.join(get_args(Pooling))}")


def pool(states: "Tensor", pooling: Pooling, cls: int) -> "Tensor":
    """From (texts, length, width) to (texts, width), for texts of one length with the CLS token at position `cls`."""
    if pooling == "mean":
        return states.mean(dim=1)
    if pooling == "max":
        return states.amax(dim=1)
    return states[:, -1 if pooling == "last" else cls]
