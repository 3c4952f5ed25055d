"""Fitted decoders on disk: a folder with inverter.json and inverter.safetensors, never a pickle."""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from vestige.attacks.guided.lexicon import Lexicon
from vestige.attacks.prefix.inverter import PrefixDecoder
from vestige.errors import InputError
from vestige.files import write_folder
from vestige.memory import read_file
from vestige.types import Singles, TrainingLog

FORMAT = "vestige-inverter-1"
SETTINGS, TENSORS = "inverter.json", "inverter.safetensors"
NETWORK = "network."


@dataclass(frozen=True)
class SavedInverter:
    """A decoder, and the encoder that it was fitted on: the spec that a user types, and its identity."""

    decoder: PrefixDecoder
    encoder: str
    identity: str


def save_inverter(inverter: SavedInverter, folder: Path) -> None:
    """Write a fitted decoder to a new folder, atomically."""
    from safetensors.numpy import save

    decoder = inverter.decoder
    decoder.check_fitted("save")
    tensors = {f"{NETWORK}{name}": weight.numpy() for name, weight in decoder.network_.state_dict().items()}
    tensors |= {"map": decoder.map_, "offset": decoder.offset_}
    settings = {
        "encoder": inverter.encoder,
        "identity": inverter.identity,
        "words": list(decoder.lexicon_.words),
        "shape": asdict(decoder.network_.shape),
        "edits": decoder.edits,
        "samples": decoder.samples,
        "log": asdict(decoder.log_),
    }
    record = {"format": FORMAT, "settings": settings, "sha256": _compute_digest(settings, tensors)}
    write_folder(
        folder,
        {
            SETTINGS: json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass"),
            TENSORS: save({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}),
        },
    )


def read_digest(folder: Path) -> str:
    """A digest of the settings in a folder, which hold that of the weights; results of the inverter depend on it."""
    try:
        return sha256(read_file(folder / SETTINGS)).hexdigest()
    except OSError as error:
        raise InputError(
            f"{folder} has no {SETTINGS}; expected a folder that `vestige train --inverter` wrote"
        ) from error


def load_inverter(folder: Path) -> SavedInverter:
    """Load the decoder that `vestige train --inverter` wrote to this folder."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    if not (folder / SETTINGS).is_file():
        raise InputError(f"{folder} has no {SETTINGS}; expected a folder that `vestige train --inverter` wrote")
    try:
        saved = json.loads(read_file(folder / SETTINGS).decode("utf-8", "surrogatepass"))
        tensors = load(read_file(folder / TENSORS, 2))
    except (ValueError, RecursionError, OSError, SafetensorError) as error:
        raise InputError(f"{folder} is damaged ({error}); train the inverter again") from error
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise InputError(f"{folder / SETTINGS} is not of format {FORMAT}; train the inverter again with this version")
    settings = saved.get("settings") or {}
    if saved.get("sha256") != _compute_digest(settings, tensors):
        raise InputError(
            f"{folder} was changed after it was written: the digest in {SETTINGS} is of other contents; restore the "
            "folder from a copy, or train the inverter again"
        )
    try:
        return SavedInverter(_rebuild(settings, tensors), settings["encoder"], settings["identity"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise InputError(f"{folder} does not hold a complete inverter ({error}); train it again") from error


def _rebuild(settings: dict[str, Any], tensors: dict[str, Singles]) -> PrefixDecoder:
    import torch

    from vestige.attacks.prefix.network import NetworkShape, PrefixTransformer

    shape, log = NetworkShape(**settings["shape"]), settings["log"]
    decoder = PrefixDecoder(width=shape.width, layers=shape.layers, samples=settings["samples"])
    decoder.lexicon_ = Lexicon(tuple(settings["words"]))
    decoder.map_, decoder.offset_ = tensors["map"], tensors["offset"]
    network = PrefixTransformer(shape)
    network.load_state_dict(
        {name.removeprefix(NETWORK): torch.from_numpy(weight) for name, weight in tensors.items() if NETWORK in name}
    )
    decoder.network_ = network.eval()
    decoder.edits_ = settings["edits"]
    decoder.log_ = TrainingLog(log["rule"], log["converged"], log["steps"], tuple(map(tuple, log["curve"])))
    return decoder


def _compute_digest(settings: dict[str, Any], tensors: dict[str, Singles]) -> str:
    """A digest of the settings and of every tensor."""
    digest = sha256(json.dumps(settings, sort_keys=True).encode("utf-8", "surrogatepass"))
    for name in sorted(tensors):
        tensor = np.ascontiguousarray(tensors[name])
        digest.update(f"\0{name} {tensor.dtype} {tensor.shape}\0".encode())
        digest.update(tensor.tobytes())
    return digest.hexdigest()
