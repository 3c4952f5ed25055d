"""Encoding block by block, each block kept on disk until all are there: what was stopped goes on where it was."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from vestige.encoders.unfinished import Unfinished
from vestige.errors import InputError
from vestige.files import write_whole
from vestige.types import Advance, Encoder, Progress, Vectors, silent


def encode_blocks(
    encoder: Encoder, blocks: Iterable[list[str]], folder: Path, *, total: int, progress: Progress = silent
) -> Iterator[Vectors]:
    """The vectors of each block, in order; a block that was encoded before comes from `folder`.

    No more than a block is in memory. A block's file is named by the encoder and the texts, so that other texts or
    another encoder never find it. What an encoder has in hand when it must stop half way is kept too.
    """
    advance = progress(f"encoding with {encoder.name}", total)

    def moved_on(task: str, steps: int) -> Advance:
        """One bar for all blocks; whatever else takes time has its own."""
        return advance if task.startswith("encoding") else progress(task, steps)

    for number, texts in enumerate(blocks):
        place = folder / f"{number:08d}-{_digest(encoder, texts)}.safetensors"
        known = _recalled(place)
        advance(len(known))
        missing = [row for row in range(len(texts)) if row not in known]
        if missing:
            known |= _encoded(encoder, texts, missing, known, place, moved_on)
        yield np.stack([known[row] for row in range(len(texts))])


def _encoded(
    encoder: Encoder, texts: list[str], missing: list[int], known: dict[int, Vectors], place: Path, progress: Progress
) -> dict[int, Vectors]:
    """The vectors of the rows that are missing, written together with the known ones, or as many as there are."""
    try:
        vectors = encoder.encode([texts[row] for row in missing], progress=progress)
    except Unfinished as error:
        _keep(place, known | {missing[row]: vector for row, vector in error.answered.items()})
        raise
    encoded = dict(zip(missing, vectors, strict=True))
    _keep(place, known | encoded)
    return encoded


def _keep(place: Path, known: dict[int, Vectors]) -> None:
    if known:
        rows = np.fromiter(known, dtype=np.int64)
        write_whole(place, save({"rows": rows, "vectors": np.stack(list(known.values()))}))


def _recalled(place: Path) -> dict[int, Vectors]:
    if not place.is_file():
        return {}
    try:
        block = load(place.read_bytes())
    except SafetensorError as error:
        raise InputError(f"{place} is damaged ({error}); delete it, its texts will be encoded again") from error
    return dict(zip(block["rows"].tolist(), block["vectors"], strict=True))


def _digest(encoder: Encoder, texts: list[str]) -> str:
    digest = hashlib.sha256(encoder.identity.encode())
    for text in texts:
        digest.update(b"\0" + text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]
