"""InferSent (Conneau et al. 2017) from the weights that its authors published, converted to safetensors.

The folder holds `infersent.safetensors` and the word vectors as text, `vectors.txt`: one word per line with its
numbers, as GloVe (version 1) and fastText (version 2) publish them. The published weights are a pickle, which is never
loaded here; `CONVERT` is the command that turns it into safetensors.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from safetensors import SafetensorError

from vestige.encoders.full_batches import encode_full_batches
from vestige.encoders.model_folder import list_versions
from vestige.encoders.reloaded import ReloadedWhenSent
from vestige.encoders.treebank import treebank_words
from vestige.errors import InputError
from vestige.files import sha256_of
from vestige.types import Progress, Singles, Vectors, silent

if TYPE_CHECKING:
    from torch import nn

WEIGHTS, VECTORS, PREFIX = "infersent.safetensors", "vectors.txt", "enc_lstm."
BOUNDARIES = {"1": ("<s>", "</s>"), "2": ("<p>", "</p>")}
CONVERT = (
    'python -c "import torch, safetensors.torch as s; '
    "s.save_file(torch.load('infersent1.pkl', weights_only=True), 'infersent.safetensors')\""
)


class WordVectorFile(ReloadedWhenSent):
    """Word vectors as text, with an index of where each word's line begins; a repeated word keeps its first line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __contains__(self, word: str) -> bool:
        return word in self._starts

    def vectors(self, words: Sequence[str], width: int) -> Singles:
        """One row per word."""
        rows = np.empty((len(words), width), dtype=np.float32)
        with self.path.open("rb") as file:
            for at, word in enumerate(words):
                file.seek(self._starts[word])
                rows[at] = self._parse(word, file.readline(), width)
        return rows

    def _parse(self, word: str, line: bytes, width: int) -> Singles:
        numbers = line.split()[1:]
        if len(numbers) != width:
            raise InputError(
                f"{self.path} has {len(numbers)} numbers for '{word}', the weights expect {width}; "
                "give the word vectors that the weights were trained with"
            )
        return np.array(numbers, dtype=np.float32)

    @cached_property
    def _starts(self) -> dict[str, int]:
        starts: dict[str, int] = {}
        for start, line in self._lines():
            starts.setdefault(line.split(b" ", 1)[0].decode("utf-8", "replace"), start)
        return starts

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        start = 0
        with self.path.open("rb") as file:
            for line in file:
                # fastText begins with a line of two numbers: how many words and columns follow.
                if start or len(line.split()) > 2:
                    yield start, line
                start += len(line)


class InferSentEncoder(ReloadedWhenSent):
    """The maximum over the words of the states of a bidirectional LSTM; 4,096 dimensions as published.

    Words are split as the Treebank does, between a word that marks the beginning and one that marks the end. Words
    without a vector are dropped; if none is left, a text is the zero vector. Upstream's version 1 also takes the
    maximum over the padding of a batch, so that a vector depends on its batch; here there is no padding.
    """

    def __init__(self, folder: Path, version: str = "1") -> None:
        self.folder = folder
        self.version = version
        self.words = WordVectorFile(folder / VECTORS)

    @property
    def name(self) -> str:
        """The spec without the path of the folder."""
        return f"infersent:{self.folder.resolve().name}{'' if self.version == '1' else f'@{self.version}'}"

    @cached_property
    def identity(self) -> str:
        """A digest of the weights and the word vectors."""
        lines = [f"{name} {sha256_of(self.folder / name)}" for name in (WEIGHTS, VECTORS)]
        how = [f"infersent {self.version}", *list_versions(("numpy", "torch"))]
        return hashlib.sha256("\n".join([*how, *lines]).encode()).hexdigest()

    @property
    def dimension(self) -> int:
        """Columns of every vector."""
        return 2 * self._network.hidden_size

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given; bit-identical for any batching."""
        advance = progress(f"encoding with {self.name}", len(texts))
        return encode_full_batches([self._split(text) for text in texts], self.dimension, self._encode_batch, advance)

    def _split(self, text: str) -> list[str]:
        begin, end = BOUNDARIES[self.version]
        return [word for word in [begin, *treebank_words(text), end] if word in self.words]

    def _encode_batch(self, texts: list[Sequence[str]]) -> Vectors:
        import torch

        if not texts[0]:
            return np.zeros((len(texts), self.dimension), dtype=np.float32)
        width = self._network.input_size
        words = torch.from_numpy(np.stack([self.words.vectors(text, width) for text in texts]))
        with torch.no_grad():
            vectors: Vectors = self._network(words)[0].max(dim=1).values.numpy()
        return vectors

    @cached_property
    def _network(self) -> "nn.LSTM":
        return _load_network(self.folder / WEIGHTS)


def load_infersent(argument: str) -> InferSentEncoder:
    """Load "infersent:FOLDER", version 1, or "infersent:FOLDER@2"."""
    place, _, version = argument.partition("@")
    folder, version = Path(place), version or "1"
    if version not in BOUNDARIES:
        raise InputError(f"'infersent:{argument}' names no version; expected FOLDER, FOLDER@1 or FOLDER@2")
    missing = [name for name in (WEIGHTS, VECTORS) if not (folder / name).is_file()]
    if not place or missing:
        raise InputError(
            f"'infersent:{argument}' lacks {' and '.join(missing or (WEIGHTS, VECTORS))}; expected a folder with both. "
            f"The published weights are a pickle, which is never loaded; convert them once with: {CONVERT}. "
            f"{VECTORS} are the word vectors as text, glove.840B.300d for version 1"
        )
    return InferSentEncoder(folder, version)


def _load_network(path: Path) -> "nn.LSTM":
    import torch
    from safetensors.torch import load_file

    try:
        stored = {name.removeprefix(PREFIX): weight.float() for name, weight in load_file(path).items()}
        rows, inputs = stored["weight_ih_l0"].shape
        with torch.random.fork_rng(devices=[]):
            network = torch.nn.LSTM(inputs, rows // 4, bidirectional=True, batch_first=True)
        network.load_state_dict(stored)
    except (KeyError, ValueError, RuntimeError, SafetensorError) as error:
        raise InputError(
            f"{path} does not hold the weights of InferSent ({error}); convert them with: {CONVERT}"
        ) from error
    return network.requires_grad_(requires_grad=False)
