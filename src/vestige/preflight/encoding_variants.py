"""Variants of calling an encoder that explain different vectors: another pooling, changed texts, another cut-off."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import get_args

from vestige.encoders.hugging_face import HuggingFaceEncoder, Pooling, Readout
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
POOLING_DESCRIPTIONS: dict[Pooling, str] = {
    "mean": "the mean over all tokens is used",
    "cls": "only the CLS token is used",
    "last": "only the last token is used",
    "max": "the maximum over all tokens is used",
}

MOST_VARIANTS = len(POOLING_DESCRIPTIONS) + 2 * len(PREFIXES) + 2 + len(CUTS)
"""Poolings, prefixes added and removed, two other changes of the texts, and cut-offs; some may not apply."""


@dataclass(frozen=True, slots=True)
class EncodingVariant:
    """One variant. `condition` completes "the encoder gives these vectors if ..."; `remedy` says what to do then."""

    condition: str
    remedy: str
    encode: Callable[[Sequence[str]], Vectors]


def list_variants(encoder: Encoder, texts: Sequence[str]) -> Iterator[EncodingVariant]:
    """The variants that change the vector of any of these texts, the more likely ones first."""
    while isinstance(encoder, Wrapper):
        encoder = encoder.encoder
    if isinstance(encoder, SentenceTransformerEncoder | HuggingFaceEncoder):
        yield from _list_poolings(encoder)
    yield from _list_changed_texts(encoder, texts)
    if isinstance(encoder, SentenceTransformerEncoder | HuggingFaceEncoder):
        yield from _list_cuts(encoder, texts)


def _list_poolings(encoder: SentenceTransformerEncoder | HuggingFaceEncoder) -> Iterator[EncodingVariant]:
    layer = encoder.readout.layer if isinstance(encoder, HuggingFaceEncoder) else None
    model = HuggingFaceEncoder(encoder.model_folder, Readout(), precision=encoder.precision, cut=encoder.longest)
    for pooling in get_args(Pooling):
        # Each variant shares the model that the one before has loaded.
        variant = model.with_readout(Readout(pooling, layer))
        yield EncodingVariant(POOLING_DESCRIPTIONS[pooling], f"name the encoder as hf:FOLDER@{pooling}", variant.encode)
        model = variant


def _list_changed_texts(encoder: Encoder, texts: Sequence[str]) -> Iterator[EncodingVariant]:
    changes: dict[str, Callable[[str], str]] = {}
    for prefix in PREFIXES:
        changes[f"each text is prefixed with {prefix!r}"] = prefix.__add__
        changes[f"the prefix {prefix!r} is removed from each text"] = partial(_remove_prefix, prefix)
    changes["texts are lower-cased"] = str.lower
    changes["line breaks are replaced by spaces"] = _join_lines
    for condition, change in changes.items():
        if any(change(text) != text for text in texts):
            yield EncodingVariant(condition, AS_ENCODED, partial(_encode_changed, encoder, change))


def _encode_changed(encoder: Encoder, change: Callable[[str], str], texts: Sequence[str]) -> Vectors:
    return encoder.encode([change(text) for text in texts])


def _remove_prefix(prefix: str, text: str) -> str:
    return text.removeprefix(prefix)


def _join_lines(text: str) -> str:
    return " ".join(text.split())


def _list_cuts(
    encoder: SentenceTransformerEncoder | HuggingFaceEncoder, texts: Sequence[str]
) -> Iterator[EncodingVariant]:
    longest = max(len(text) for text in texts)
    for cut in CUTS:
        if cut != encoder.longest and min(cut, encoder.longest) * 2 < longest:
            yield EncodingVariant(f"texts are cut after {cut} tokens", AS_ENCODED, encoder.truncate_at(cut).encode)
