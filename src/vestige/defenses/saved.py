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
MOST_COLUMNS = 2**20


def save_defense(defense: Defense, folder: Path, *, fitted_on: str | None = None) -> None:
    """Write a fitted defense to a new folder, whole or not at all; only the owner may read it.

    A mechanism's folder holds its secret seed. `fitted_on` is a digest of the vectors, for who asks for it again.
    """
    write_folder(folder, _contents(defense, **({} if fitted_on is None else {"fitted_on": fitted_on})))


def fitted_on(folder: Path) -> str | None:
    """The digest of the vectors that the defense in this folder was fitted on, where it was told."""
    found = json.loads((folder / SETTINGS).read_text()).get("fitted_on")
    return None if found is None else str(found)


def digest_of(defense: Defense) -> str:
    """A digest of everything that a defended vector depends on besides the vector and its row."""
    return hashlib.sha256(_contents(defense)[SETTINGS]).hexdigest()


def _contents(defense: Defense, **more: str) -> dict[str, bytes]:
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
        **more,
    }
    return {SETTINGS: json.dumps(written, indent=1, default=float).encode(), TENSORS: tensors}


def load_defense(folder: Path) -> Defense:
    """The defense that was written to this folder."""
    if not (folder / SETTINGS).is_file():
        raise InputError(f"{folder} has no {SETTINGS}; expected a folder that `vestige protect` wrote")
    try:
        settings, content = (folder / SETTINGS).read_bytes(), (folder / TENSORS).read_bytes()
    except OSError as error:
        raise InputError(f"{folder} cannot be read ({error.strerror}); mend that, since fitting draws anew") from error
    try:
        written, tensors = json.loads(settings), load(content)
    except (ValueError, RecursionError, SafetensorError) as error:
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
        if not np.isfinite(tensor).all():
            raise ValueError(f"'{name}' holds NaN or infinity")
        setattr(defense, name, tensor)
    defense.columns_ = int(written["dimension"])
    if not 0 < defense.columns_ <= MOST_COLUMNS:
        raise ValueError(f"{defense.columns_} columns, expected 1 to {MOST_COLUMNS}")
    defense.check_learned()
    defense.freeze()
    tried = defense.transform(np.ones((2, defense.columns_), np.float32))
    if not tried.size or not np.isfinite(tried).all():
        raise ValueError("it makes no numbers of a vector")
    return defense


def _name_of(defense: Defense) -> str:
    """The name of its class in the catalogue."""
    place = f"{type(defense).__module__}:{type(defense).__name__}"
    for name, entry in DEFENSES:
        if entry.place == place:
            return name
    raise InputError(f"{place} is not in the catalogue of defenses; only those are saved")
