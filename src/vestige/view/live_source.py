"""What the live page attacks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vestige.case.inputs import DEFAULT_CORPUS, DEFAULT_ENCODER, TextSource
from vestige.case.settings import Settings
from vestige.text.corpus import Corpus
from vestige.types import Encoder


@dataclass(frozen=True)
class LiveSource:
    """What the live page attacks: texts, the encoder, the settings of an audit, and where vectors are cached.

    `library` names the encoders among which the one that made a vector is looked for.
    """

    texts: TextSource | None
    encoder: str | Encoder | None
    settings: Settings
    cache: Path
    library: Sequence[str] = ()

    @property
    def texts_name(self) -> str:
        """What the page calls the texts."""
        if isinstance(self.texts, Corpus):
            return self.texts.name
        return str(self.texts) if isinstance(self.texts, str | Path) else DEFAULT_CORPUS

    @property
    def encoder_name(self) -> str:
        """What the page calls the encoder."""
        return self.encoder if isinstance(self.encoder, str) else self.encoder.name if self.encoder else DEFAULT_ENCODER
