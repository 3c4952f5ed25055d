"""Models that travel inside another's Python package: found without importing it, used only when unchanged."""

from importlib.util import find_spec
from pathlib import Path

from vestige.errors import InputError, MissingExtra
from vestige.files import sha256_of


def packaged_folder(package: str) -> Path | None:
    """Where an installed package lies, or None."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def packaged_files(encoder: str, package: str, extra: str, expected: dict[str, str]) -> list[Path]:
    """The files named in `expected`, each with the SHA-256 it had when it was chosen."""
    folder = packaged_folder(package)
    if folder is None:
        raise MissingExtra(f"encoder '{encoder}'", extra)
    return [verified(folder / name, sha256, extra) for name, sha256 in expected.items()]


def verified(path: Path, sha256: str, extra: str) -> Path:
    """The path, once its bytes have been checked."""
    found = sha256_of(path) if path.is_file() else "nothing"
    if found != sha256:
        raise InputError(
            f"{path} has sha256 {found[:16]}, expected {sha256[:16]}; "
            f"reinstall it with: pip install --force-reinstall 'vestige[{extra}]'"
        )
    return path


def no_argument(encoder: str, argument: str) -> None:
    """Refuse an argument where the name says it all."""
    if argument:
        raise InputError(f"encoder '{encoder}' takes no argument, got '{encoder}:{argument}'; write '{encoder}'")
