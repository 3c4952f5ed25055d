"""Fitted encoders on disk: a folder with encoder.json and encoder.safetensors, never a pickle."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from safetensors import SafetensorError
from safetensors.numpy import load, save

from vestige.encoders.fitted import EncoderState, FittedEncoder
from vestige.encoders.wrapper import Wrapper
from vestige.errors import InputError
from vestige.files import write_folder
from vestige.memory import read_file
from vestige.registry import Entry, Registry
from vestige.types import Progress, Vectors, silent

FORMAT = "vestige-encoder-2"
SETTINGS, TENSORS = "encoder.json", "encoder.safetensors"

KINDS = Registry(
    "saved encoder",
    {
        "tfidf": Entry("vestige.encoders.bag_of_words:Tfidf", "tf-idf"),
        "hashing": Entry("vestige.encoders.bag_of_words:Hashing", "hashed counts"),
        "lsa": Entry("vestige.encoders.lsa:Lsa", "latent semantic analysis"),
        "word2vec": Entry("vestige.encoders.words.word_mean:WordMean", "mean of word2vec vectors"),
        "glove": Entry("vestige.encoders.words.word_mean:WordMean", "mean of GloVe vectors"),
        "fasttext": Entry("vestige.encoders.words.word_mean:SubwordMean", "mean of fastText vectors"),
        "doc2vec": Entry("vestige.encoders.words.doc2vec:Doc2Vec", "paragraph vectors", "gensim", "gensim"),
        "dual": Entry("vestige.encoders.dual.encoder:DualEncoder", "contrastive dual encoder"),
    },
)


def save_encoder(encoder: FittedEncoder, folder: Path) -> None:
    """Write a fitted encoder to a new folder, atomically."""
    state = encoder.state()
    settings = {
        "format": FORMAT,
        "family": encoder.family,
        "settings": state.settings,
        "sha256": _compute_digest(encoder.family, state),
    }
    write_folder(
        folder,
        {
            SETTINGS: json.dumps(settings, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass"),
            TENSORS: save({name: tensor.copy(order="C") for name, tensor in state.tensors.items()}),
        },
    )


class SavedEncoder(Wrapper):
    """A fitted encoder under the name of its folder, so that a report shows where it came from."""

    def __init__(self, encoder: FittedEncoder, name: str) -> None:
        super().__init__(encoder)
        self._name = name

    @property
    def name(self) -> str:
        """The spec without the path of the folder."""
        return self._name

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given."""
        return self.encoder.encode(texts, progress=progress)


def load_saved(argument: str) -> SavedEncoder:
    """Load the encoder that `vestige train` wrote to this folder."""
    folder = Path(argument)
    if not argument or not (folder / SETTINGS).is_file():
        raise InputError(f"'saved:{argument}' has no {SETTINGS}; expected a folder that `vestige train` wrote")
    try:
        saved = json.loads(read_file(folder / SETTINGS).decode("utf-8", "surrogatepass"))
        tensors = load(read_file(folder / TENSORS, 2))
    except (ValueError, RecursionError, OSError, SafetensorError) as error:
        raise InputError(f"{folder} is damaged ({error}); train the encoder again") from error
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise InputError(f"{folder / SETTINGS} is not of format {FORMAT}; train the encoder again with this version")
    family, state = str(saved.get("family")), EncoderState(saved.get("settings") or {}, tensors)
    if saved.get("sha256") != _compute_digest(family, state):
        raise InputError(
            f"{folder} was changed after it was written: the digest in {SETTINGS} is of other contents; restore the "
            "folder from a copy, or train the encoder again"
        )
    try:
        fitted: FittedEncoder = KINDS[family.partition(":")[0]].load().from_state(state)
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise InputError(f"{folder} does not hold a complete encoder ({error}); train it again") from error
    return SavedEncoder(fitted, f"saved:{folder.resolve().name}")


def _compute_digest(family: str, state: EncoderState) -> str:
    """A digest of everything that a vector depends on."""
    return sha256(f"{family}\0{state.digest()}".encode("utf-8", "surrogatepass")).hexdigest()
