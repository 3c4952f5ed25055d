"""Encoding block by block, with each block stored on disk: an interrupted run resumes where it stopped."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from vestige.encoders.unfinished import RefusedTexts, Unfinished
from vestige.encoders.wrapper import share_progress_bar
from vestige.errors import InputError
from vestige.files import write_whole
from vestige.types import Encoder, Progress, Vectors, silent

SLICE = 512


def encode_blocks(
    encoder: Encoder, blocks: Iterable[list[str]], folder: Path, *, total: int, progress: Progress = silent
) -> Iterator[Vectors]:
    """The vectors of each block, in order; a block that was encoded before is read from `folder`.

    At most one block is in memory. A block's file is named after the encoder and the texts, so that it never serves
    other texts or another encoder. If encoding stops within a block, the vectors computed so far are stored too.
    """
    advance, block_progress = share_progress_bar(encoder, total, progress)
    first = 0
    for number, texts in enumerate(blocks):
        place = folder / f"{number:08d}-{_digest(encoder, texts)}.safetensors"
        known = _read_block(place)
        advance(len(known))
        if len(known) < len(texts):
            try:
                _encode_rest(encoder, texts, known, block_progress)
            except RefusedTexts as error:
                raise error.renumber(range(first, first + len(texts))) from None
            finally:
                _write_block(place, known)
        yield np.stack([known[row] for row in range(len(texts))])
        first += len(texts)


def _encode_rest(encoder: Encoder, texts: list[str], known: dict[int, Vectors], progress: Progress) -> None:
    """Encode the rows that `known` lacks, slice by slice, shortest texts first; `known` is updated in place."""
    missing = sorted((row for row in range(len(texts)) if row not in known), key=lambda row: (len(texts[row]), row))
    for start in range(0, len(missing), SLICE):
        rows = missing[start : start + SLICE]
        try:
            vectors = encoder.encode([texts[row] for row in rows], progress=progress)
        except Unfinished as error:
            known.update({rows[row]: vector for row, vector in error.answered.items()})
            raise error.renumber(rows) if isinstance(error, RefusedTexts) else error from None
        known.update(zip(rows, vectors, strict=True))


def _write_block(place: Path, known: dict[int, Vectors]) -> None:
    if known:
        rows = np.fromiter(known, dtype=np.int64)
        write_whole(place, save({"rows": rows, "vectors": np.stack(list(known.values()))}))


def _read_block(place: Path) -> dict[int, Vectors]:
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
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()[:32]
