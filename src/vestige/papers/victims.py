"""The encoders under attack: the models of a paper, their stand-ins on this machine, and their vectors.

A table calls `load_victims`. An encoder that the user named takes the place of the stand-in.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_type_hints

from vestige.encoders.bag_of_words import BagOfWords
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.dual.encoder import UNKNOWN
from vestige.encoders.endpoint.encoder import is_remote, refuse_on_cluster, refuse_unconfirmed_sending
from vestige.encoders.fitted import LearnedEncoder
from vestige.encoders.load import is_learned, load_encoder, load_learned, needs_corpus
from vestige.encoders.white_box import OPEN, white_box
from vestige.errors import InputError, VestigeError
from vestige.papers.run import PaperRun
from vestige.text.corpus import Corpus
from vestige.types import Encoder, Progress, Vectors, WhiteBox, silent

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MINILM = "minilm@"

Needs = Literal["vectors", "white box", "layers"]
"""What a table needs of an encoder: its vectors, its weights, or the choice of a layer."""


class Victim:
    """An encoder under the name that the paper gives its model; `here` is its name on this machine."""

    def __init__(self, model: str, encoder: Encoder, here: str, progress: Progress = silent) -> None:
        self.model = model
        self.encoder = encoder
        self.here = here
        self.progress = progress
        self._encoded: dict[int, tuple[Corpus, Vectors]] = {}

    @cached_property
    def box(self) -> WhiteBox:
        """The weights of the encoder, for white-box attacks."""
        return white_box(self.encoder)

    def vectors(self, corpus: Corpus) -> Vectors:
        """One vector per text; the same corpus is encoded once."""
        if id(corpus) not in self._encoded:
            self._encoded[id(corpus)] = corpus, self.encoder.encode(corpus.texts, progress=self.progress)
        return self._encoded[id(corpus)][1]

    def table(self, corpus: Corpus) -> "Vectors | csr_array":
        """The vectors of a corpus as a sparse table if the encoder counts words, else as they are."""
        encoder = self.encoder.fit(self.progress) if isinstance(self.encoder, LearnedEncoder) else self.encoder
        return encoder.sparse(corpus.texts) if isinstance(encoder, BagOfWords) else self.vectors(corpus)

    def pieces(self, text: str) -> frozenset[str]:
        """The target of a white-box attack: the encoder's own words in the text, stop words and pieces included.

        All words that the encoder does not know share one row, which names no word and is dropped.
        """
        return frozenset(self.box.words[place] for place in self.box.word_ids(text)) - {UNKNOWN}

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How many words the encoder reads of each text; some attacks know it."""
        return [len(self.box.word_ids(text)) for text in texts]


@dataclass(frozen=True, slots=True)
class MissingModel:
    """A model without a stand-in on this machine, and the reason."""

    model: str
    here: str
    reason: str


Victims = Mapping[str, Victim | MissingModel]
"""The encoders under attack by the paper's names of the models."""


def load_victims(
    run: PaperRun[object], stand_ins: Mapping[str, str], texts: Sequence[Corpus], study: Corpus | None = None
) -> dict[str, Victim | MissingModel]:
    """The encoders that a table attacks with vectors of these texts.

    An encoder that is trained here learns from `study` when its first vector is needed. Raises, with an estimate, if an
    encoder would send the texts to another machine and the user has not allowed it.
    """
    loaded = {model: load_victim(run, model, spec, study) for model, spec in stand_ins.items()}
    for target in loaded.values():
        if isinstance(target, Victim) and not run.send:
            refuse_unconfirmed_sending(target.encoder, [corpus.texts for corpus in texts])
    return loaded


def load_victim(run: PaperRun[object], model: str, stand_in: str, study: Corpus | None = None) -> Victim | MissingModel:
    """The encoder that the user named for the model, else the stand-in.

    A stand-in that is not available is a `MissingModel`; a named encoder that is not available raises.
    """
    spec = run.encoders.get(model, stand_in)
    try:
        encoder = _load(run, locate_spec(spec) if model in run.encoders else _locate_stand_in(spec), study)
    except VestigeError as error:
        if model in run.encoders:
            raise
        return MissingModel(model, stand_in, str(error))
    return Victim(model, encoder, _display_name(spec, encoder), run.progress)


def check_named(run: PaperRun[object], needs: Needs) -> dict[str, str]:
    """Load the encoders that the user named and check that the table can use them; their names for the report.

    This comes before anything is trained. A remote encoder is queried only if sending is allowed; one that is trained
    here has no text yet.
    """
    return {model: _check(run, spec, needs) for model, spec in run.encoders.items()}


def _check(run: PaperRun[object], spec: str, needs: Needs) -> str:
    if needs == "layers":
        spec_at_layer(spec, 0)
    encoder = _load(run, locate_spec(spec), Corpus("", []))
    if isinstance(encoder, LearnedEncoder):
        makes = get_type_hints(encoder.recipe.fit)["return"]
        if needs == "white box" and not hasattr(makes, "white_box"):
            raise InputError(f"encoder '{spec}' is a black box; this table needs a white box: one of {OPEN}")
        return encoder.name
    if needs != "vectors":
        white_box(encoder)
    if run.send or not is_remote(encoder):
        encoder.encode(["word"])
    return _display_name(spec, encoder)


def _load(run: PaperRun[object], spec: str, study: Corpus | None) -> Encoder:
    """Load an encoder; one that is trained here gets `study` and the seed, any other the cache of the run."""
    if is_learned(spec):
        return load_learned(spec, study if needs_corpus(spec) else None, seed=run.seed)
    encoder = load_encoder(spec)
    refuse_on_cluster(encoder, run.engine)
    return CachedEncoder(encoder, run.cache) if run.cache is not None else encoder


def _display_name(spec: str, encoder: Encoder) -> str:
    """The encoder's own name, which contains no folder."""
    return spec if spec.startswith(MINILM) else encoder.name


def locate_spec(spec: str) -> str:
    """The spec as `load_encoder` reads it.

    "minilm@mean" are the mean states of MiniLM, without the unit length of "minilm". Any other model that is not a path
    is looked up in the folder that VESTIGE_MODELS names.
    """
    if spec.startswith(MINILM):
        from vestige.encoders.sentence_transformer import load_minilm

        return f"hf:{load_minilm().folder}{spec.removeprefix('minilm')}"
    family, colon, rest = spec.partition(":")
    name, at, readout = rest.partition("@")
    models = os.environ.get("VESTIGE_MODELS")
    stored = colon and models and not Path(name).is_dir() and _is_model(family, Path(models, name))
    return f"{family}:{Path(str(models), name)}{at}{readout}" if stored else spec


def _is_model(family: str, folder: Path) -> bool:
    """Whether a folder holds a model; those of Hugging Face have a configuration."""
    return folder.is_dir() if family in ("skipthought", "infersent") else (folder / "config.json").is_file()


def _locate_stand_in(spec: str) -> str:
    """The spec of a stand-in, which must be on this machine: the user requested no download."""
    located = locate_spec(spec)
    family, _, rest = located.partition(":")
    name = rest.partition("@")[0]
    if family in ("hf", "static", "skipthought", "infersent") and not Path(name).is_dir():
        raise InputError(
            f"model '{name}' is not available; set the environment variable VESTIGE_MODELS to the folder that contains "
            "it, or name another encoder with --encoder"
        )
    return located


def spec_at_layer(spec: str, layer: int) -> str:
    """The spec of the same transformer with the states after this layer, averaged over the tokens."""
    model = re.sub(r"@\w+(:\d+)?$", "", spec)
    if model != "minilm" and not model.startswith("hf:"):
        raise InputError(f"'{spec}' has no layers to choose from; name a transformer as in hf:FOLDER")
    return f"{model}@mean:{layer}"
