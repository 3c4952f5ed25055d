"""The ways in which an encoder may have been used otherwise: what is read of it, and what was done to the texts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import get_args

from vestige.encoders.hugging_face import HuggingFaceEncoder, Readout
from vestige.encoders.pooling import Pooling
from vestige.encoders.sentence_transformer import SentenceTransformerEncoder
from vestige.encoders.wrapper import Wrapper
from vestige.types import Encoder, Vectors

PREFIXES = (
    "query: ",
    "passage: ",
    "search_query: ",
    "search_document: ",
    "clustering: ",
    "classification: ",
    "Represent this sentence for searching relevant passages: ",
    "title: none | text: ",
)
AS_ENCODED = "give the texts as they were encoded with --texts"
CUTS = (32, 64, 128, 256, 512)
SAID: dict[Pooling, str] = {
    "mean": "the mean over all tokens is read",
    "cls": "the CLS token alone is read",
    "last": "the last token alone is read",
    "max": "the maximum over all tokens is read",
}


@dataclass(frozen=True, slots=True)
class Way:
    """One departure: `said` completes "what the encoder makes of them when ...", `remedy` says what to do then."""

    said: str
    remedy: str
    encode: Callable[[Sequence[str]], Vectors]


def ways(encoder: Encoder, texts: Sequence[str]) -> Iterator[Way]:
    """Those that would make a difference to any of these texts, the likelier first."""
    while isinstance(encoder, Wrapper):
        encoder = encoder.encoder
    if isinstance(encoder, SentenceTransformerEncoder | HuggingFaceEncoder):
        yield from _readouts(encoder)
    yield from _rewritten(encoder, texts)
    if isinstance(encoder, SentenceTransformerEncoder | HuggingFaceEncoder):
        yield from _cuts(encoder, texts)


def _readouts(encoder: SentenceTransformerEncoder | HuggingFaceEncoder) -> Iterator[Way]:
    layer = encoder.readout.layer if isinstance(encoder, HuggingFaceEncoder) else None
    model = HuggingFaceEncoder(encoder.model_folder, Readout(), precision=encoder.precision, cut=encoder.longest)
    for pooling in get_args(Pooling):
        # Read one after another, they share the model that the first has loaded.
        reading = model.read_as(Readout(pooling, layer))
        yield Way(SAID[pooling], f"name the encoder as hf:FOLDER@{pooling}", reading.encode)
        model = reading


def _rewritten(encoder: Encoder, texts: Sequence[str]) -> Iterator[Way]:
    changes: dict[str, Callable[[str], str]] = {}
    for prefix in PREFIXES:
        changes[f"each text comes after {prefix!r}"] = prefix.__add__
        changes[f"{prefix!r} is taken off each text"] = partial(_without, prefix)
    changes["texts are lower-cased"] = str.lower
    changes["line breaks are made spaces"] = _in_one_line
    for said, change in changes.items():
        if any(change(text) != text for text in texts):
            yield Way(said, AS_ENCODED, partial(_encoded, encoder, change))


def _encoded(encoder: Encoder, change: Callable[[str], str], texts: Sequence[str]) -> Vectors:
    return encoder.encode([change(text) for text in texts])


def _without(prefix: str, text: str) -> str:
    return text.removeprefix(prefix)


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _cuts(encoder: SentenceTransformerEncoder | HuggingFaceEncoder, texts: Sequence[str]) -> Iterator[Way]:
    longest = max(len(text) for text in texts)
    for cut in CUTS:
        if cut != encoder.longest and min(cut, encoder.longest) * 2 < longest:
            yield Way(f"texts are cut after {cut} tokens", AS_ENCODED, encoder.cut_at(cut).encode)
