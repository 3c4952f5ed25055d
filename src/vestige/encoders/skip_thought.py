"""Skip-thought vectors (Kiros et al. 2015) from the weights that their authors published.

The folder holds the published files: `dictionary.txt`, `utable.npy` and `uni_skip.npz` for the uni-skip model, and
`btable.npy` and `bi_skip.npz` for the bi-skip model. The options next to them (`*.npz.pkl`) are pickles and are not
read: the sizes follow from the weights.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from vestige.encoders.full_batches import encode_full_batches
from vestige.encoders.model_folder import list_versions
from vestige.encoders.reloaded import ReloadedWhenSent
from vestige.encoders.treebank import treebank_words
from vestige.errors import InputError
from vestige.files import sha256_of
from vestige.types import Progress, Singles, Vectors, silent

if TYPE_CHECKING:
    from torch import nn

Part = Literal["uni", "bi"]

FILES: dict[Part, tuple[str, str]] = {"uni": ("utable.npy", "uni_skip.npz"), "bi": ("btable.npy", "bi_skip.npz")}
DICTIONARY, UNKNOWN = "dictionary.txt", "UNK"
DIRECTIONS: dict[Part, tuple[str, ...]] = {"uni": ("encoder",), "bi": ("encoder", "encoder_r")}
WEIGHTS = ("W", "b", "U", "Wx", "bx", "Ux")


class SkipThoughtEncoder(ReloadedWhenSent):
    """The last state of a GRU over the words of a text: uni-skip, bi-skip, or both side by side.

    As published: words as the Treebank splits them, case kept; a word outside the dictionary is UNK; the vector of
    either model has unit length. The published sizes are 2,400 dimensions each, 4,800 together. A text without words
    is the one word UNK.
    """

    def __init__(self, folder: Path, parts: Sequence[Part]) -> None:
        self.folder = folder
        self.parts = tuple(parts)

    @property
    def name(self) -> str:
        """The spec without the path of the folder."""
        which = "" if len(self.parts) == len(FILES) else f"@{self.parts[0]}"
        return f"skipthought:{self.folder.resolve().name}{which}"

    @cached_property
    def identity(self) -> str:
        """A digest of every file that shapes the vectors."""
        files = [DICTIONARY, *(name for part in self.parts for name in FILES[part])]
        lines = [f"{name} {sha256_of(self.folder / name)}" for name in files]
        return hashlib.sha256(
            "\n".join(["skipthought", *list_versions(("numpy", "torch")), *lines]).encode()
        ).hexdigest()

    @cached_property
    def dimension(self) -> int:
        """Columns of every vector."""
        return sum(gru.hidden_size for part in self.parts for gru in self._networks[part])

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given; bit-identical for any batching."""
        advance = progress(f"encoding with {self.name}", len(texts))
        rows = [[self._rows.get(word, self._rows[UNKNOWN]) for word in _words(text)] for text in texts]
        return encode_full_batches(rows, self.dimension, self._encode_batch, advance)

    def _encode_batch(self, rows: list[Sequence[int]]) -> Vectors:
        return np.hstack([self._encode_part(part, rows) for part in self.parts])

    def _encode_part(self, part: Part, rows: list[Sequence[int]]) -> Vectors:
        import torch

        words = torch.from_numpy(np.array(self._tables[part][np.array(rows)], dtype=np.float32))
        with torch.no_grad():
            # The second GRU of the bi-skip model reads the text backwards.
            states = [gru(words.flip(1) if at else words)[1][0] for at, gru in enumerate(self._networks[part])]
        vectors: Vectors = torch.nn.functional.normalize(torch.cat(states, dim=1), dim=1).numpy()
        return vectors

    @cached_property
    def _rows(self) -> dict[str, int]:
        words = (self.folder / DICTIONARY).read_text(encoding="utf-8").splitlines()
        rows = {word.strip(): row for row, word in enumerate(words)}
        if UNKNOWN not in rows:
            raise InputError(f"{self.folder / DICTIONARY} has no word '{UNKNOWN}'; expected the published dictionary")
        return rows

    @cached_property
    def _tables(self) -> dict[Part, Singles]:
        tables = {part: _load_array(self.folder / FILES[part][0]) for part in self.parts}
        for part, table in tables.items():
            if len(table) < len(self._rows):
                raise InputError(
                    f"{self.folder / FILES[part][0]} has {len(table):,} rows for {len(self._rows):,} words of "
                    f"{DICTIONARY}; expected a row for each; download both again"
                )
        return tables

    @cached_property
    def _networks(self) -> "dict[Part, list[nn.GRU]]":
        return {part: _load_networks(self.folder / FILES[part][1], DIRECTIONS[part]) for part in self.parts}


def load_skip_thought(argument: str) -> SkipThoughtEncoder:
    """Load "skipthought:FOLDER", or one of its two models with "@uni" or "@bi"."""
    place, _, which = argument.partition("@")
    if which not in ("", *FILES):
        raise InputError(f"'skipthought:{argument}' names no model; expected FOLDER, FOLDER@uni or FOLDER@bi")
    parts = [part for part in FILES if which in ("", part)]
    folder = Path(place)
    needed = [DICTIONARY, *(name for part in parts for name in FILES[part])]
    missing = [name for name in needed if not (folder / name).is_file()]
    if not place or missing:
        raise InputError(
            f"'skipthought:{argument}' lacks {', '.join(missing or needed)}; expected a folder with the files of "
            "github.com/ryankiros/skip-thoughts, section 'Getting started' (the .pkl files are not needed)"
        )
    return SkipThoughtEncoder(folder, parts)


def _words(text: str) -> list[str]:
    return treebank_words(text) or [UNKNOWN]


def _load_array(path: Path) -> Singles:
    """A matrix of words, memory-mapped: the published one has 930,913 rows."""
    try:
        array: Singles = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError) as error:
        raise InputError(f"{path} is not an array of numbers ({error}); download it again") from error
    return array


def _load_networks(path: Path, directions: Sequence[str]) -> "list[nn.GRU]":
    try:
        with np.load(path, allow_pickle=False) as stored:
            return [_build_gru({name: stored[f"{prefix}_{name}"] for name in WEIGHTS}) for prefix in directions]
    except (ValueError, OSError, KeyError) as error:
        raise InputError(f"{path} does not hold the weights of Skip-thought ({error}); download it again") from error


def _build_gru(weights: Mapping[str, Singles]) -> "nn.GRU":
    """The published GRU, whose gates come in the order of torch; it has no second bias."""
    import torch

    inputs, units = weights["Wx"].shape
    with torch.random.fork_rng(devices=[]):
        gru = torch.nn.GRU(inputs, units, batch_first=True)
    stacked = {
        "weight_ih_l0": np.hstack([weights["W"], weights["Wx"]]).T,
        "weight_hh_l0": np.hstack([weights["U"], weights["Ux"]]).T,
        "bias_ih_l0": np.concatenate([weights["b"], weights["bx"]]),
        "bias_hh_l0": np.zeros(3 * units),
    }
    try:
        gru.load_state_dict({name: torch.tensor(np.asarray(array, np.float32)) for name, array in stacked.items()})
    except RuntimeError as error:
        raise ValueError(str(error)) from error
    return gru.requires_grad_(requires_grad=False)
