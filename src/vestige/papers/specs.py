"""From the spec of an encoder, named or standing in, to the encoder."""

import os
import re
from pathlib import Path

from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import LEARNED, learner, learns, load_encoder
from vestige.errors import InputError
from vestige.papers.run import Run
from vestige.text.corpus import Corpus
from vestige.types import Encoder

MINILM = "minilm@"


def located(spec: str) -> str:
    """A spec that `load_encoder` knows.

    "minilm@mean" are the states of MiniLM averaged, and not made unit length as "minilm" makes them. Any other model is
    looked for in the folder that VESTIGE_MODELS names, where its name is not a path already.
    """
    if spec.startswith(MINILM):
        from vestige.encoders.minilm import load_minilm

        return f"hf:{load_minilm().folder}{spec.removeprefix('minilm')}"
    family, colon, rest = spec.partition(":")
    name, at, readout = rest.partition("@")
    models = os.environ.get("VESTIGE_MODELS")
    there = colon and models and not Path(name).is_dir() and Path(models, name, "config.json").is_file()
    return f"{family}:{Path(str(models), name)}{at}{readout}" if there else spec


def here_alone(spec: str) -> str:
    """A stand-in is looked for on this machine alone: nobody asked for a download."""
    found = located(spec)
    family, _, rest = found.partition(":")
    name = rest.partition("@")[0]
    if family in ("hf", "static") and not Path(name).is_dir():
        raise InputError(
            f"'{name}' is not here; name the folder that holds it in the environment variable VESTIGE_MODELS, or "
            "another encoder with --encoder"
        )
    return found


def at_layer(spec: str, layer: int) -> str:
    """The spec of the same transformer, its states after a layer averaged over the tokens."""
    model = re.sub(r"@\w+(:\d+)?$", "", spec)
    if model != "minilm" and not model.startswith("hf:"):
        raise InputError(f"'{spec}' has no layers to choose from; name a transformer as in hf:FOLDER")
    return f"{model}@mean:{layer}"


def loaded(run: Run[object], spec: str, study: Corpus | None) -> Encoder:
    """One that learns is given `study` and the seed; vectors of any other are kept where there is a cache."""
    if spec.partition(":")[0].partition("@")[0] in LEARNED:
        return learner(spec, study if learns(spec) else None, seed=run.seed)
    encoder = load_encoder(spec)
    return CachedEncoder(encoder, run.cache) if run.cache is not None else encoder


def shown(spec: str, encoder: Encoder) -> str:
    """The encoder's own name, which has no folder in it."""
    return spec if spec.startswith(MINILM) else encoder.name
