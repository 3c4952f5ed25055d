"""Model files: found in a folder, on the Hugging Face hub or in an installed package; verified, and never unpickled."""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from vestige.errors import InputError, MissingExtra, format_install
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
    """A model on this machine. `name` appears in reports: its name on the hub or that of its folder, never the path."""

    path: Path
    name: str

    def digest(self, how: str) -> str:
        """A digest of every file that shapes the vectors, of `how` they are computed, and of the library versions."""
        files = sorted(path for path in self.path.rglob("*") if path.suffix in _DEFINING and path.is_file())
        lines = [f"{path.relative_to(self.path)} {sha256_of(path)}" for path in files]
        return hashlib.sha256("\n".join([how, *list_versions(_LIBRARIES), *lines]).encode()).hexdigest()

    def refuse_pickles(self) -> None:
        """Raise if any weights are stored as a pickle only."""
        for pickle in sorted(self.path.rglob("pytorch_model*.bin")):
            if not list(pickle.parent.glob("*.safetensors")):
                raise InputError(f"{pickle} is a pickle, and pickles are never loaded; convert it to safetensors")

    def refuse_missing(self, weights: Iterable[str]) -> None:
        """Raise if the folder lacks weights that shape the vectors; the pooler, which is not used, may be missing."""
        missing = sorted(name for name in weights if _UNUSED not in name)
        if missing:
            raise InputError(
                f"{self.path} lacks {len(missing)} of its model's weights, {missing[0]} among them; "
                "expected all of them, since missing ones would be random; download the model again"
            )


def list_versions(libraries: Iterable[str]) -> list[str]:
    """Name and version of each library that is installed."""
    found = []
    for library in libraries:
        with suppress(PackageNotFoundError):
            found.append(f"{library} {version(library)}")
    return found


def find_model(family: str, argument: str, *, needs: tuple[str, ...] = ("config.json",)) -> ModelFolder:
    """The model in a folder, which must have one of the files in `needs`, or of that name on the hub."""
    if not argument:
        raise InputError(f"encoder '{family}:' names no model; expected {family}:FOLDER or {family}:NAME")
    folder = Path(argument)
    if not folder.is_dir():
        return ModelFolder(fetch_hub_folder(argument, family), f"{family}:{argument}")
    if not any((folder / name).is_file() for name in needs):
        raise InputError(f"{folder} has no {' or '.join(needs)}; expected a model folder")
    return ModelFolder(folder, f"{family}:{folder.resolve().name}")


def fetch_hub_folder(name: str, family: str) -> Path:
    """The local copy of a model on the hub; downloads it unless the machine is offline."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=[f"*{ending}" for ending in _DEFINING]))
    except (OSError, ValueError) as error:
        raise InputError(
            f"'{name}' is neither a folder nor a model available from the hub; name a local folder with {family}:FOLDER"
        ) from error


def find_package_folder(package: str) -> Path | None:
    """The folder of an installed package, without importing it; None if it is not installed."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def find_package_files(encoder: str, package: str, extra: str, expected: dict[str, str]) -> list[Path]:
    """The files of a package that `expected` names, each verified against its SHA-256."""
    folder = find_package_folder(package)
    if folder is None:
        raise MissingExtra(f"encoder '{encoder}'", extra)
    return [verify_file(folder / name, sha256, extra) for name, sha256 in expected.items()]


def verify_file(path: Path, sha256: str, extra: str) -> Path:
    """The path, once its content has been verified."""
    found = sha256_of(path) if path.is_file() else "nothing"
    if found != sha256:
        raise InputError(
            f"{path} has sha256 {found[:16]}, expected {sha256[:16]}; "
            f"reinstall it with: {format_install(extra, reinstall=True)}"
        )
    return path


def refuse_argument(encoder: str, argument: str) -> None:
    """Raise if an encoder that takes no argument got one."""
    if argument:
        raise InputError(f"encoder '{encoder}' takes no argument, got '{encoder}:{argument}'; write '{encoder}'")
