"""model2vec's static models: a table of token vectors, averaged."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from safetensors import SafetensorError

from vestige.encoders.model_folder import ModelFolder, find_model
from vestige.encoders.reloaded import ReloadedWhenSent
from vestige.errors import InputError
from vestige.types import Progress, Vectors, WhiteBox, silent

BLOCK = 4096


class StaticEncoder(ReloadedWhenSent):
    """A static model: encodes tens of thousands of texts per second. Texts are truncated where model2vec does so."""

    def __init__(self, model: ModelFolder) -> None:
        self.model_folder = model

    @property
    def name(self) -> str:
        """The spec without the path of the folder."""
        return self.model_folder.name

    @cached_property
    def identity(self) -> str:
        """A digest of every file that shapes the vectors."""
        return self.model_folder.digest("static fp32")

    @cached_property
    def dimension(self) -> int:
        """Columns of a vector."""
        return int(self._model.dim)

    @cached_property
    def _model(self) -> Any:
        from model2vec import StaticModel

        self.model_folder.refuse_pickles()
        try:
            return StaticModel.from_pretrained(self.model_folder.path, force_download=False)
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
            raise InputError(
                f"{self.model_folder.path} does not load as a static model ({error}); expected a model2vec folder"
            ) from error

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given; memory beyond the result does not grow with the number of texts."""
        advance = progress(f"encoding with {self.name}", len(texts))
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), BLOCK):
            block = list(texts[start : start + BLOCK])
            vectors[start : start + len(block)] = self._model.encode(block, use_multiprocessing=False)
            advance(len(block))
        return vectors

    def white_box(self) -> WhiteBox:
        """The token table, with the token weights folded in."""
        from vestige.encoders.white_box import MeanWhiteBox

        model = self._model
        words = sorted(model.tokenizer.get_vocab(), key=model.tokenizer.get_vocab().__getitem__)
        rows = np.arange(len(words)) if model.token_mapping is None else model.token_mapping
        matrix = model.embedding[rows].astype(np.float32)
        if model.weights is not None:
            matrix *= model.weights[:, None].astype(np.float32)
        return MeanWhiteBox(words, matrix, lambda text: model.tokenize([text])[0], unit_length=model.normalize)


def load_static(argument: str) -> StaticEncoder:
    """Load a static model from a folder, or by its name on the hub."""
    return StaticEncoder(find_model("static", argument, needs=("model.safetensors",)))
