"""Any sentence-transformers model, from a folder or by its name on the hub."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from vestige.encoders.batching import equal_length_batches
from vestige.errors import InputError
from vestige.files import sha256_of
from vestige.types import Progress, Vectors, silent

FEWEST_TOKENS = 64
_DEFINING = (".safetensors", ".json", ".txt", ".model")


class SentenceTransformerEncoder:
    """A model folder as an encoder. Loads its weights when the first text is encoded, safetensors only."""

    def __init__(self, folder: Path, *, name: str, batch_size: int = 32) -> None:
        self.folder = folder
        self.name = name
        self.batch_size = batch_size

    @cached_property
    def identity(self) -> str:
        """A digest of every file that shapes the vectors."""
        files = sorted(path for path in self.folder.rglob("*") if path.suffix in _DEFINING and path.is_file())
        lines = [f"{path.relative_to(self.folder)} {sha256_of(path)}" for path in files]
        return hashlib.sha256("\n".join([f"equal-length fp32 {FEWEST_TOKENS}", *lines]).encode()).hexdigest()

    @cached_property
    def dimension(self) -> int:
        """Columns of a vector, as the model gives them."""
        return int(self.encode([""]).shape[1])

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()
        self._refuse_pickles()
        try:
            return SentenceTransformer(str(self.folder), device="cpu", model_kwargs={"use_safetensors": True})
        except (OSError, ValueError) as error:
            raise InputError(
                f"{self.folder} does not load as a sentence-transformers model ({error}); "
                "expected a folder with modules.json and safetensors weights"
            ) from error

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given; the same bits whatever the batch."""
        advance = progress(f"encoding with {self.name}", len(texts))
        rows: dict[int, Vectors] = {}
        lengths = self._token_counts(texts)
        for batch in equal_length_batches(lengths, self.batch_size):
            encoded = self._encode_batch([texts[row] for row in batch], lengths[batch[0]])
            rows.update(zip(batch, encoded, strict=True))
            advance(len(batch))
        if not rows:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([rows[row] for row in range(len(texts))])

    def _encode_batch(self, texts: list[str], length: int) -> Vectors:
        # A handful of tokens takes another path through the matrix product, with other last bits; so a batch of few is
        # filled up with copies of itself.
        copies = -(-FEWEST_TOKENS // max(len(texts) * length, 1))
        encoded = self._model.encode(
            texts * copies, batch_size=len(texts) * copies, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(encoded[: len(texts)], dtype=np.float32)

    def _refuse_pickles(self) -> None:
        for pickle in sorted(self.folder.rglob("*.bin")):
            if not list(pickle.parent.glob("*.safetensors")):
                raise InputError(f"{pickle} is a pickle and nothing is unpickled; convert it to safetensors beside it")

    def _token_counts(self, texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        model = self._model
        if not callable(model.tokenizer):
            return [len(row.ids) for row in model.tokenizer.encode_batch(list(texts))]
        tokens = model.tokenizer(list(texts), truncation=True, max_length=model.max_seq_length)
        return [len(row) for row in tokens["input_ids"]]


def load_sentence_transformer(argument: str) -> SentenceTransformerEncoder:
    """From a folder, or by a name that the hub's local cache or the hub itself knows."""
    if not argument:
        raise InputError("encoder 'st:' names no model; expected st:FOLDER or st:NAME")
    folder = Path(argument)
    if folder.is_dir() and not any((folder / name).is_file() for name in ("modules.json", "config.json")):
        raise InputError(f"{folder} has no modules.json or config.json; expected the folder of a model")
    if folder.is_dir():
        return SentenceTransformerEncoder(folder, name=f"st:{folder.resolve().name}")
    return SentenceTransformerEncoder(hub_folder(argument), name=f"st:{argument}")


def hub_folder(name: str) -> Path:
    """The local copy of a model on the hub, fetched where the machine may fetch."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.txt", "*.safetensors", "*.model"]))
    except (OSError, ValueError) as error:
        raise InputError(
            f"'{name}' is neither a folder nor a model that can be had from the hub; name a local folder with st:FOLDER"
        ) from error
