"""Opening an encoder: what a white-box adversary holds, where there is something to hold."""

from vestige.encoders.wrapper import Wrapper
from vestige.errors import InputError
from vestige.types import Encoder, WhiteBox

OPEN = "minilm, st:, hf:, static:, wordllama, word2vec, fasttext, glove, glove-6b, dual:"


def white_box(encoder: Encoder) -> WhiteBox:
    """The inside of an encoder: its words, word matrix, layers, and a differentiable path through them."""
    while isinstance(encoder, Wrapper):
        encoder = encoder.encoder
    opened = getattr(encoder, "white_box", None)
    if opened is None:
        raise InputError(
            f"encoder '{encoder.name}' is a black box: texts go in, vectors come out, and nothing more can be seen; "
            f"a white-box attack needs one of {OPEN}"
        )
    box: WhiteBox = opened()
    return box


def opened(encoder: Encoder) -> WhiteBox | None:
    """The inside of an encoder, or None where there is nothing to see."""
    try:
        return white_box(encoder)
    except InputError:
        return None
