"""Wrappers around an encoder: what they pass through unchanged, and what they share."""

from vestige.types import Advance, Encoder, Progress


class Wrapper:
    """An encoder around another one, with its name, identity and dimension; subclasses define `encode`."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder

    @property
    def name(self) -> str:
        """The name of the wrapped encoder."""
        return self.encoder.name

    @property
    def identity(self) -> str:
        """The identity of the wrapped encoder."""
        return self.encoder.identity

    @property
    def dimension(self) -> int:
        """The dimension of the wrapped encoder."""
        return self.encoder.dimension


def unwrap(encoder: Encoder) -> Encoder:
    """The innermost encoder, without any wrappers."""
    while isinstance(encoder, Wrapper):
        encoder = encoder.encoder
    return encoder


def share_progress_bar(encoder: Encoder, total: int, progress: Progress) -> tuple[Advance, Progress]:
    """One bar of `total` texts for many calls of an encoder, and the progress to pass to each call.

    Training and fitting have bars of their own.
    """
    advance = progress(f"encoding with {encoder.name}", total)

    def progress_of_call(task: str, steps: int) -> Advance:
        return progress(task, steps) if task.startswith(("training", "fitting")) else advance

    return advance, progress_of_call
