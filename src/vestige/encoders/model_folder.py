"""Model folders: where they lie, what tells one from another, and what is never opened in them."""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from vestige.errors import InputError
from vestige.files import sha256_of

_DEFINING = (
    ".safetensors",
    ".json",
    ".txt",
    ".model",
    ".onnx",
    ".onnx_data",
    ".data",
    ".spm",
    ".vocab",
    ".codes",
    ".tiktoken",
)
_LIBRARIES = ("numpy", "torch", "tokenizers", "transformers", "sentence-transformers", "model2vec", "onnxruntime")
_UNUSED = "pooler"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on this machine. `name` is what a report may say: its name on the hub or its folder's, never the path."""

    path: Path
    name: str

    def digest(self, how: str) -> str:
        """A digest of every file that shapes the vectors, of how they are made, and of the libraries that do it."""
        files = sorted(path for path in self.path.rglob("*") if path.suffix in _DEFINING and path.is_file())
        lines = [f"{path.relative_to(self.path)} {sha256_of(path)}" for path in files]
        return hashlib.sha256("\n".join([how, *installed_versions(_LIBRARIES), *lines]).encode()).hexdigest()

    def refuse_pickles(self) -> None:
        """Raise where weights could only be had by unpickling them."""
        for pickle in sorted(self.path.rglob("pytorch_model*.bin")):
            if not list(pickle.parent.glob("*.safetensors")):
                raise InputError(f"{pickle} is a pickle and nothing is unpickled; convert it to safetensors beside it")

    def refuse_missing(self, weights: Iterable[str]) -> None:
        """Raise where weights that shape the vectors would be made up; a pooler that nobody asks for may be."""
        missing = sorted(name for name in weights if _UNUSED not in name)
        if missing:
            raise InputError(
                f"{self.path} lacks {len(missing)} of its model's weights, {missing[0]} among them; "
                "expected all of them: random ones would take their place"
            )


def installed_versions(libraries: Iterable[str]) -> list[str]:
    """Name and version of each library that is there."""
    found = []
    for library in libraries:
        with suppress(PackageNotFoundError):
            found.append(f"{library} {version(library)}")
    return found


def find_model(family: str, argument: str, *, needs: tuple[str, ...] = ("config.json",)) -> ModelFolder:
    """A folder with one of the files a model `needs`, or a name that the hub or its local cache knows."""
    if not argument:
        raise InputError(f"encoder '{family}:' names no model; expected {family}:FOLDER or {family}:NAME")
    folder = Path(argument)
    if not folder.is_dir():
        return ModelFolder(hub_folder(argument, family), f"{family}:{argument}")
    if not any((folder / name).is_file() for name in needs):
        raise InputError(f"{folder} has no {' or '.join(needs)}; expected the folder of a model")
    return ModelFolder(folder, f"{family}:{folder.resolve().name}")


def hub_folder(name: str, family: str) -> Path:
    """The local copy of a model on the hub, fetched where the machine may fetch."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=[f"*{ending}" for ending in _DEFINING]))
    except (OSError, ValueError) as error:
        raise InputError(
            f"'{name}' is neither a folder nor a model that can be had from the hub; "
            f"name a local folder with {family}:FOLDER"
        ) from error
