"""Inverters that are trained once and used in many audits: train one on public text, and open it for an encoder."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vestige.attacks.prefix.inverter import PrefixDecoder
from vestige.attacks.prefix.saved import SavedInverter, load_inverter, read_digest
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.load import load_encoder
from vestige.encoders.white_box import find_white_box
from vestige.text.corpus import Corpus
from vestige.text.split import sample_rows
from vestige.types import Encoder, Progress, Vectors, silent

MOST_ALIGNED = 2000
SHORTEST, LONGEST = 4, 60


@dataclass(frozen=True)
class InverterRequest:
    """What an inverter is trained with: at most `pairs` texts, for so many epochs, or as many as usual."""

    pairs: int = 20_000
    epochs: int | None = None
    seed: int = 0


def train_inverter(
    encoder: Encoder, corpus: Corpus, request: InverterRequest, progress: Progress = silent
) -> SavedInverter:
    """Encode texts of a corpus, train a decoder of their vectors, and name the encoder that it belongs to."""
    rows = sample_rows(range(len(corpus)), request.pairs, stream(request.seed, "inverter texts"))
    texts, documents = [corpus.texts[row] for row in rows], [corpus.documents[row] for row in rows]
    decoder = PrefixDecoder(epochs=request.epochs).fit(
        encoder.encode(texts, progress=progress),
        texts,
        documents=documents,
        rng=stream(request.seed, "inverter"),
        encoder=encoder,
        box=find_white_box(encoder),
        progress=progress,
    )
    return SavedInverter(decoder, encoder.name, encoder.identity)


def identify_inverter(settings: Settings) -> str:
    """A digest of the inverter that the settings name; empty if they name none."""
    return "" if settings.inverter is None else read_digest(Path(settings.inverter))


def open_inverter(
    folder: Path, encoder: Encoder, vectors: Vectors, texts: Sequence[str], progress: Progress = silent
) -> PrefixDecoder:
    """The decoder in a folder, for the vectors of this encoder.

    A decoder of another encoder is aligned: its own encoder is loaded, and encodes some texts of the pairs.
    """
    saved = load_inverter(folder)
    if saved.identity == encoder.identity:
        return saved.decoder
    some = sample_rows(range(len(texts)), MOST_ALIGNED, stream(0, "aligned"))
    own = load_encoder(saved.encoder).encode([texts[row] for row in some], progress=progress)
    return saved.decoder.align(vectors[some], own)
