"""Encoding block by block, each block kept on disk until all are there: what was stopped goes on where it was."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from vestige.encoders.one_bar import one_bar
from vestige.encoders.unfinished import RefusedTexts, Unfinished
from vestige.errors import InputError
from vestige.files import write_whole
from vestige.types import Encoder, Progress, Vectors, silent

SLICE = 512


def encode_blocks(
    encoder: Encoder, blocks: Iterable[list[str]], folder: Path, *, total: int, progress: Progress = silent
) -> Iterator[Vectors]:
    """The vectors of each block, in order; a block that was encoded before comes from `folder`.

    No more than a block is in memory. A block's file is named by the encoder and the texts, so that other texts or
    another encoder never find it. What is in hand when it must stop half way is kept too.
    """
    advance, moved_on = one_bar(encoder, total, progress)
    first = 0
    for number, texts in enumerate(blocks):
        place = folder / f"{number:08d}-{_digest(encoder, texts)}.safetensors"
        known = _recalled(place)
        advance(len(known))
        if len(known) < len(texts):
            try:
                _encode_rest(encoder, texts, known, moved_on)
            except RefusedTexts as error:
                raise error.renumbered(range(first, first + len(texts))) from None
            finally:
                _keep(place, known)
        yield np.stack([known[row] for row in range(len(texts))])
        first += len(texts)


def _encode_rest(encoder: Encoder, texts: list[str], known: dict[int, Vectors], progress: Progress) -> None:
    """Fill in the rows that are not known, slice by slice, shortest texts first; what came before a stop stays."""
    missing = sorted((row for row in range(len(texts)) if row not in known), key=lambda row: (len(texts[row]), row))
    for start in range(0, len(missing), SLICE):
        rows = missing[start : start + SLICE]
        try:
            vectors = encoder.encode([texts[row] for row in rows], progress=progress)
        except Unfinished as error:
            known.update({rows[row]: vector for row, vector in error.answered.items()})
            raise error.renumbered(rows) if isinstance(error, RefusedTexts) else error from None
        known.update(zip(rows, vectors, strict=True))


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
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()[:32]
