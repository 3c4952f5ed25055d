"""A cache of vectors on disk, addressed by content: no text is encoded twice."""

import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from vestige.encoders.batching import receive_batches
from vestige.encoders.unfinished import RefusedTexts, Unfinished
from vestige.encoders.wrapper import Wrapper, share_progress_bar
from vestige.files import make_folder, write_whole
from vestige.types import Encoder, Progress, Vectors, silent

log = logging.getLogger(__name__)

_KEY_BYTES = 32
_BLOCK = 512


class CachedEncoder(Wrapper):
    """An encoder with a cache on disk. Each block of vectors is written atomically as soon as it is encoded.

    If `eager`, each batch of the encoder itself is written, so that a kill loses nothing that was computed.

    `turn` opens the turn of a caller, where several threads share the encoder.
    """

    def __init__(self, encoder: Encoder, folder: Path, *, block: int = _BLOCK, eager: bool = False) -> None:
        super().__init__(encoder)
        self.block, self.eager = block, eager
        self.turn: Callable[[], AbstractContextManager[None]] = nullcontext
        self.folder = folder / hashlib.sha256(encoder.identity.encode()).hexdigest()[:16]

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text; only texts that are not in the cache reach the encoder."""
        with self.turn():
            return self.encode_now(texts, progress)

    def encode_now(self, texts: Sequence[str], progress: Progress = silent) -> Vectors:
        """The same, for a caller that has its turn."""
        keys = [self._key(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        try:
            self._encode_blocks(missing, progress)
        except RefusedTexts as error:
            first = {key: row for row, key in reversed(list(enumerate(keys)))}
            raise error.renumber([first[key] for key in self._order(missing)]) from None
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([self._known[key] for key in keys])

    def list_missing(self, texts: Iterable[str]) -> list[str]:
        """The texts that are not in the cache, each once."""
        return [text for text in dict.fromkeys(texts) if self._key(text) not in self._known]

    def _encode_blocks(self, missing: dict[bytes, str], progress: Progress) -> None:
        if not missing:
            return
        _, block_progress = share_progress_bar(self.encoder, len(missing), progress)
        ordered = self._order(missing)
        for start in range(0, len(ordered), self.block):
            keys = ordered[start : start + self.block]
            try:
                self._encode_block(keys, [missing[key] for key in keys], block_progress)
            except Unfinished as error:
                if error.answered:
                    self._store([keys[row] for row in error.answered], np.stack(list(error.answered.values())))
                if isinstance(error, RefusedTexts):
                    raise error.renumber(range(start, start + len(keys))) from None
                raise

    def _encode_block(self, keys: list[bytes], texts: list[str], progress: Progress) -> None:
        stored: set[int] = set()

        def receive(rows: list[int], vectors: Vectors) -> None:
            self._store([keys[row] for row in rows], vectors)
            stored.update(rows)

        with receive_batches(receive) if self.eager else nullcontext():
            vectors = self.encoder.encode(texts, progress=progress)
        rest = [row for row in range(len(keys)) if row not in stored]
        if rest:
            self._store([keys[row] for row in rest], vectors[rest])

    def _order(self, missing: dict[bytes, str]) -> list[bytes]:
        """Shortest first, so that the texts of a block have similar lengths."""
        return sorted(missing, key=lambda key: (len(missing[key]), key))

    def _store(self, keys: list[bytes], vectors: Vectors) -> None:
        self._write(keys, vectors)
        self._known.update(zip(keys, vectors, strict=True))

    def _write(self, keys: list[bytes], vectors: Vectors) -> None:
        table = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(len(keys), _KEY_BYTES)
        name = hashlib.sha256(table.tobytes()).hexdigest()[:32]
        make_folder(self.folder)
        tensors: dict[str, Any] = {"keys": table, "vectors": np.ascontiguousarray(vectors)}
        write_whole(self.folder / f"{name}.safetensors", save(tensors, {"sha256": _digest(tensors)}))

    @cached_property
    def _known(self) -> dict[bytes, Vectors]:
        known: dict[bytes, Vectors] = {}
        for path in sorted(self.folder.glob("*.safetensors")):
            block = _read_block(path)
            if block is None:
                log.warning("%s is damaged; its texts are encoded again", path)
                continue
            known.update(zip((key.tobytes() for key in block["keys"]), block["vectors"], strict=True))
        return known

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.identity}\0{text}".encode("utf-8", "surrogatepass")).digest()


def list_uncached(encoder: Encoder, texts: Iterable[str]) -> list[str]:
    """The texts that would reach the encoder, each once: all of them, unless it has a cache."""
    return encoder.list_missing(texts) if isinstance(encoder, CachedEncoder) else list(dict.fromkeys(texts))


def _read_block(path: Path) -> dict[str, Vectors] | None:
    """The arrays of a file of the cache; None if they are not what was written."""
    try:
        with safe_open(path, "np") as file:
            block = {name: file.get_tensor(name) for name in ("keys", "vectors")}
            written = (file.metadata() or {}).get("sha256")
    except (SafetensorError, ValueError, TypeError, OSError):
        return None
    return block if written == _digest(block) else None


def _digest(tensors: Mapping[str, Vectors]) -> str:
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].dtype} {tensors[name].shape}\0".encode())
        digest.update(tensors[name].tobytes())
    return digest.hexdigest()


def unwrap_cache(encoder: Encoder | None) -> Encoder | None:
    """The encoder without its cache, for queries that are made once, as in a search or a check of stored vectors."""
    return encoder.encoder if isinstance(encoder, CachedEncoder) else encoder
