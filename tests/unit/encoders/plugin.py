"""Factories as third-party packages declare them in the entry-point group `vestige.encoders`, good and bad."""

from tests.conftest import WordSum
from vestige.types import Encoder, Precision


def load_counter(argument: str, *, precision: Precision = "fp32") -> Encoder:
    """counter:SIZE, a toy encoder.

    More than one line.
    """
    encoder = WordSum()
    encoder.name = f"counter:{argument}"
    encoder.identity = f"counter {argument} {precision}"
    return encoder


def load_any(argument: str, **options: str) -> Encoder:
    """any:ARGUMENT, which takes every option."""
    encoder = WordSum()
    encoder.name, encoder.identity = f"any:{argument}", str(options)
    return encoder


def load_incomplete(argument: str) -> object:
    """An object that is no encoder."""
    return argument


def load_without_argument() -> Encoder:
    """A factory that takes no argument."""
    return WordSum()


def load_undocumented(argument: str) -> Encoder:  # noqa: ARG001
    return WordSum()


NOT_A_FACTORY = "minilm"
