"""What a wrapper around an encoder passes through unchanged."""

from vestige.types import Encoder


class Wrapper:
    """Stands where the encoder within would stand; subclasses say what `encode` adds."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder

    @property
    def name(self) -> str:
        """The name of the encoder within."""
        return self.encoder.name

    @property
    def identity(self) -> str:
        """The identity of the encoder within."""
        return self.encoder.identity

    @property
    def dimension(self) -> int:
        """The dimension of the encoder within."""
        return self.encoder.dimension
