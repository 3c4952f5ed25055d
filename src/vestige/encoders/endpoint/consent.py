"""Texts leave this machine only when the owner has said so, knowing how many and at what price."""

from collections.abc import Iterable

from vestige.encoders.endpoint.encoder import EndpointEncoder
from vestige.encoders.wrapper import Wrapper
from vestige.errors import InputError
from vestige.types import Encoder


def is_elsewhere(encoder: Encoder) -> bool:
    """Whether texts given to this encoder go to another machine."""
    return _service(encoder) is not None


def refuse_unasked_sending(encoder: Encoder, blocks: Iterable[list[str]]) -> None:
    """Raise, with an estimate, where encoding these texts would send them to another machine."""
    service = _service(encoder)
    if service is not None:
        raise InputError(
            f"encoder '{service.name}' would send {service.estimate_blocks(blocks)}; nothing was sent; "
            "run the same command with --send to allow it"
        )


def _service(encoder: Encoder) -> EndpointEncoder | None:
    while isinstance(encoder, Wrapper):
        encoder = encoder.encoder
    elsewhere = isinstance(encoder, EndpointEncoder) and encoder.client.endpoint.leaves
    return encoder if isinstance(encoder, EndpointEncoder) and elsewhere else None
