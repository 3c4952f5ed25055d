"""Texts leave this machine only when the owner has said so, knowing how many and at what price."""

from collections.abc import Iterable

from vestige.encoders.endpoint.encoder import EndpointEncoder
from vestige.encoders.wrapper import Wrapper
from vestige.errors import InputError
from vestige.types import Encoder


def refuse_unasked_sending(encoder: Encoder, blocks: Iterable[list[str]]) -> None:
    """Raise, with an estimate, where encoding these texts would send them to another machine."""
    while isinstance(encoder, Wrapper):
        encoder = encoder.encoder
    if not isinstance(encoder, EndpointEncoder) or not encoder.client.endpoint.leaves:
        return
    estimate = encoder.estimate_blocks(blocks)
    raise InputError(
        f"encoder '{encoder.name}' would send {estimate}; nothing was sent; "
        "run the same command with --send to allow it"
    )
