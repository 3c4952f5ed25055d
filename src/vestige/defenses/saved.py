"""Fitted defenses on disk: a folder with defense.json and defense.safetensors. Nothing is pickled."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from vestige.defenses.catalogue import DEFENSES
from vestige.defenses.defense import Defense
from vestige.errors import InputError, NotFitted
from vestige.files import write_folder

SETTINGS, TENSORS = "defense.json", "defense.safetensors"


def save_defense(defense: Defense, folder: Path) -> None:
    """Write a fitted defense to a new folder, whole or not at all; only the owner may read it.

    A mechanism's folder holds its secret seed.
    """
    write_folder(folder, _contents(defense))


def digest_of(defense: Defense) -> str:
    """A digest of everything that a defended vector depends on besides the vector and its row."""
    return hashlib.sha256(_contents(defense)[SETTINGS]).hexdigest()


def _contents(defense: Defense) -> dict[str, bytes]:
    """The files of a fitted defense; the first names the digest of the second."""
    if not hasattr(defense, "columns_"):
        raise NotFitted(f"{type(defense).__name__} was to be saved before fit; call fit(vectors) first")
    tensors = save({name: np.ascontiguousarray(getattr(defense, name)) for name in defense.learned})
    written = {
        "version": defense.version,
        "defense": _name_of(defense),
        "settings": defense.get_params(),
        "dimension": defense.columns_,
        "sha256": hashlib.sha256(tensors).hexdigest(),
    }
    return {SETTINGS: json.dumps(written, indent=1, default=float).encode(), TENSORS: tensors}


def load_defense(folder: Path) -> Defense:
    """The defense that was written to this folder."""
    if not (folder / SETTINGS).is_file():
        raise InputError(f"{folder} has no {SETTINGS}; expected a folder that `vestige protect` wrote")
    try:
        written = json.loads((folder / SETTINGS).read_text())
        content = (folder / TENSORS).read_bytes()
        tensors = load(content)
    except (ValueError, OSError, SafetensorError) as error:
        raise InputError(f"{folder} is damaged ({error}); fit the defense again") from error
    _check_written(folder, written, content)
    kind = DEFENSES[str(written.get("defense"))].load()
    _check_version(folder, written, kind)
    try:
        return _restored(kind, written, tensors)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(f"{folder} does not hold what it should ({error}); fit the defense again") from error


def _check_written(folder: Path, written: Any, content: bytes) -> None:
    if not isinstance(written, dict) or not isinstance(written.get("version"), int):
        raise InputError(f"{folder / SETTINGS} states no version; expected a folder that `vestige protect` wrote")
    if written.get("sha256") != hashlib.sha256(content).hexdigest():
        raise InputError(f"{folder / TENSORS} is not what {SETTINGS} was written with; fit the defense again")


def _check_version(folder: Path, written: dict[str, Any], kind: type[Defense]) -> None:
    found, known = written["version"], kind.version
    if found > known:
        raise InputError(f"{folder} is of version {found}, this Vestige reads up to {known}; install a newer Vestige")
    if found < known:
        raise InputError(
            f"{folder} is of version {found}, and this Vestige would give other bytes by it than it gave (it uses "
            f"{known}); install the Vestige that wrote it, or fit the defense again"
        )


def _restored(kind: type[Defense], written: dict[str, Any], tensors: dict[str, Any]) -> Defense:
    """The settings and arrays put in place, and tried on one vector."""
    if set(tensors) != set(kind.learned):
        raise ValueError(f"arrays {sorted(tensors)}, expected {sorted(kind.learned)}")
    defense = kind(**written["settings"])
    defense.check_settings()
    for name, tensor in tensors.items():
        setattr(defense, name, tensor)
    defense.columns_ = int(written["dimension"])
    defense.freeze()
    defense.transform(np.ones((1, defense.columns_), np.float32))
    return defense


def _name_of(defense: Defense) -> str:
    """The name of its class in the catalogue."""
    place = f"{type(defense).__module__}:{type(defense).__name__}"
    for name, entry in DEFENSES:
        if entry.place == place:
            return name
    raise InputError(f"{place} is not in the catalogue of defenses; only those are saved")
