"""Any Hugging Face encoder or decoder, with the pooling and at the layer one asks for: hf:FOLDER@mean:6."""

import re
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import SafetensorError

from vestige.encoders.batching import FEWEST_TOKENS, encode_by_length
from vestige.encoders.model_folder import ModelFolder, find_model
from vestige.encoders.pooling import Pooling, check_pooling, pool
from vestige.encoders.precision import dtype_of
from vestige.errors import InputError
from vestige.types import Precision, Progress, Vectors, WhiteBox, silent

if TYPE_CHECKING:
    from torch import Tensor

LONGEST = 512


@dataclass(frozen=True, slots=True)
class Readout:
    """Where a vector is read: how the tokens' states become one, and after which block; None for the last."""

    pooling: Pooling = "mean"
    layer: int | None = None

    def __str__(self) -> str:
        return self.pooling if self.layer is None else f"{self.pooling}:{self.layer}"


class HuggingFaceEncoder:
    """A model folder as an encoder. Texts are cut at the length the model was built for, and at 512 where it has none.

    A text without tokens, which some tokenizers make of the empty string, is the zero vector. `cut` is fewer tokens
    than that, where a text is to be cut earlier.
    """

    def __init__(
        self,
        model: ModelFolder,
        readout: Readout,
        *,
        precision: Precision = "fp32",
        batch_size: int = 32,
        cut: int | None = None,
    ) -> None:
        self.model_folder = model
        self.readout = readout
        self.precision = precision
        self.batch_size = batch_size
        self.cut = cut

    def cut_at(self, tokens: int) -> "HuggingFaceEncoder":
        """The same encoder, which cuts texts after so many tokens."""
        return self._sharing(cut=tokens)

    def read_as(self, readout: Readout) -> "HuggingFaceEncoder":
        """The same model, read in another place."""
        return self._sharing(readout=readout)

    def _sharing(self, **changed: Any) -> "HuggingFaceEncoder":
        """A copy that has its model and tokenizer in common with this one, where these are loaded."""
        other = copy(self)
        for name in ("identity", "longest", "_inner", "_cls"):
            vars(other).pop(name, None)
        vars(other).update(changed)
        return other

    @property
    def name(self) -> str:
        """The spec without the path."""
        return f"{self.model_folder.name}@{self.readout}"

    @cached_property
    def identity(self) -> str:
        """A digest of every file that shapes the vectors, of the readout and the precision."""
        cut = "" if self.cut is None else f" cut {self.cut}"
        return self.model_folder.digest(f"hf {self.readout} {self.precision} {LONGEST} {FEWEST_TOKENS}{cut}")

    @cached_property
    def dimension(self) -> int:
        """Columns of a vector."""
        return int(self._model.config.hidden_size)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given; the same bits whatever the batch."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        advance = progress(f"encoding with {self.name}", len(texts))
        tokens = self._tokenizer(list(texts), truncation=True, max_length=self.longest)

        def encode_rows(rows: list[int]) -> Vectors:
            return self._forward({name: [values[row] for row in rows] for name, values in tokens.items()})

        return encode_by_length([len(row) for row in tokens["input_ids"]], self.batch_size, encode_rows, advance)

    def _forward(self, tokens: dict[str, list[list[int]]]) -> Vectors:
        import torch

        if not tokens["input_ids"][0]:
            return np.zeros((len(tokens["input_ids"]), self.dimension), dtype=np.float32)
        given = {name: torch.tensor(rows) for name, rows in tokens.items() if name != "attention_mask"}
        with torch.inference_mode():
            output = self._model(**given, output_hidden_states=self._inner is not None)
            states = output.last_hidden_state if self._inner is None else output.hidden_states[self._inner]
            vectors: Vectors = self._pool(states).float().numpy()
        return vectors

    def _pool(self, states: "Tensor") -> "Tensor":
        return pool(states, self.readout.pooling, self._cls)

    @cached_property
    def longest(self) -> int:
        """Tokens after which a text is cut."""
        config = self._model.config
        places = getattr(config, "max_position_embeddings", None) or LONGEST
        table = getattr(getattr(self._model, "embeddings", None), "position_embeddings", None)
        padding = getattr(table, "padding_idx", None)
        places -= 0 if padding is None else padding + 1
        most = min(places if places > 0 else LONGEST, self._tokenizer.model_max_length)
        return int(most if self.cut is None else min(most, self.cut))

    @cached_property
    def _inner(self) -> int | None:
        """The layer to read where it is not the last."""
        layer, deepest = self.readout.layer, int(self._model.config.num_hidden_layers)
        if layer is not None and layer > deepest:
            raise InputError(f"'{self.name}' asks for layer {layer}; the model has {deepest}, and 0 for its words")
        return None if layer == deepest else layer

    @cached_property
    def _cls(self) -> int:
        """The place of the CLS token: the first, or, as XLNet has it, the last."""
        if self.readout.pooling != "cls":
            return 0
        from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

        tokens = self._tokenizer("a", return_special_tokens_mask=True)
        if tokens["special_tokens_mask"][0] and self._model.config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES:
            return 0
        if self._tokenizer.cls_token_id == tokens["input_ids"][-1]:
            return -1
        raise InputError(f"'{self.name}' asks for the CLS token, and this model has none; write @last or @mean")

    @cached_property
    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        return self._loaded(lambda: AutoTokenizer.from_pretrained(self.model_folder.path, trust_remote_code=False))

    @cached_property
    def _model(self) -> Any:
        from transformers import AutoModel

        self.model_folder.refuse_pickles()
        model, found = self._loaded(
            lambda: AutoModel.from_pretrained(
                self.model_folder.path,
                use_safetensors=True,
                dtype=dtype_of(self.precision),
                trust_remote_code=False,
                output_loading_info=True,
            )
        )
        self.model_folder.refuse_missing(found["missing_keys"])
        return (model.get_encoder() if model.config.is_encoder_decoder else model).eval()

    def _loaded(self, load: Any) -> Any:
        from transformers.utils import logging

        logging.disable_progress_bar()
        logging.set_verbosity_error()
        try:
            return load()
        except (OSError, ValueError, ImportError, KeyError, RuntimeError, SafetensorError) as error:
            raise InputError(
                f"{self.model_folder.path} does not load as a Hugging Face model ({error}); "
                "expected config.json, a tokenizer and safetensors weights"
            ) from error

    def white_box(self) -> WhiteBox:
        """The transformer inside, read where this encoder reads it."""
        from vestige.encoders.transformer_box import TransformerBox

        return TransformerBox(
            self._model, self._tokenizer, pool=self._pool, finish=self._pool, longest=self.longest, layer=self._inner
        )


def load_hugging_face(argument: str, *, precision: Precision = "fp32") -> HuggingFaceEncoder:
    """NAME_OR_FOLDER[@pooling[:layer]]; the mean of the last layer where nothing is said."""
    place, readout = argument, Readout()
    found = None if Path(argument).is_dir() else re.fullmatch(r"(.+)@(\w+)(?::(-?\d+))?", argument)
    if found is not None:
        pooling = check_pooling(found[2], f"hf:{argument}")
        if (found[3] or "").startswith("-"):
            raise InputError(f"'hf:{argument}' asks for layer {found[3]}; layers are counted from 0")
        place, readout = found[1], Readout(pooling, None if found[3] is None else int(found[3]))
    return HuggingFaceEncoder(find_model("hf", place), readout, precision=precision)
