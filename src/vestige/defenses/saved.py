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
from vestige.memory import read_file

SETTINGS, TENSORS = "defense.json", "defense.safetensors"
MOST_COLUMNS = 2**20


def save_defense(defense: Defense, folder: Path, *, fitted_on: str | None = None) -> None:
    """Write a fitted defense to a new folder, whole or not at all; only the owner may read it.

    If `defense.info.secret` names a secret, the folder holds it. `fitted_on` is a digest of the vectors, which
    `read_fitted_on` returns.
    """
    write_folder(folder, _contents(defense, **({} if fitted_on is None else {"fitted_on": fitted_on})))


def read_fitted_on(folder: Path) -> str | None:
    """The digest of the vectors that the defense in this folder was fitted on, or None if it was not recorded."""
    try:
        written = json.loads(read_file(folder / SETTINGS))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{folder / SETTINGS} is damaged ({error}); fit the defense again") from error
    digest = written.get("fitted_on") if isinstance(written, dict) else None
    return None if digest is None else str(digest)


def compute_digest(defense: Defense) -> str:
    """A digest of everything that a defended vector depends on besides the vector and its row."""
    return hashlib.sha256(_contents(defense)[SETTINGS]).hexdigest()


def _contents(defense: Defense, **more: str) -> dict[str, bytes]:
    """The files of a fitted defense; the first contains the digest of both."""
    if not hasattr(defense, "columns_"):
        raise NotFitted(f"{type(defense).__name__} cannot be saved before fit; call fit(vectors) first")
    tensors = save({name: np.ascontiguousarray(getattr(defense, name)) for name in defense.learned})
    written = {
        "version": defense.version,
        "defense": _registered_name(defense),
        "settings": defense.get_params(),
        "dimension": defense.columns_,
        **more,
    }
    plain = json.loads(json.dumps(written, default=float))
    plain["sha256"] = _digest(plain, tensors)
    return {SETTINGS: json.dumps(plain, indent=1).encode(), TENSORS: tensors}


def _digest(written: dict[str, Any], tensors: bytes) -> str:
    """A digest of every setting and of the arrays: an edited epsilon would promise what the noise does not give."""
    settings = {name: value for name, value in written.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode() + b"\0" + tensors).hexdigest()


def load_defense(folder: str | Path) -> Defense:
    """Load the fitted defense that `vestige protect`, `vestige defend` or `save_defense` wrote to this folder.

    `load_defense("protected.npy.defense").transform_queries(vectors)` prepares search queries for the protected store.
    Nothing is unpickled: the folder holds JSON and safetensors, their digest and version are checked, and a folder that
    is damaged or of another version raises InputError.
    """
    folder = Path(folder)
    if not (folder / SETTINGS).is_file():
        raise InputError(f"{folder} has no {SETTINGS}; expected a folder that `vestige protect` wrote")
    try:
        settings, content = read_file(folder / SETTINGS), read_file(folder / TENSORS, 2)
    except OSError as error:
        raise InputError(
            f"{folder} cannot be read ({error.strerror}); repair that: a new fit would draw other random numbers"
        ) from error
    try:
        written, tensors = json.loads(settings), load(content)
    except (ValueError, RecursionError, SafetensorError) as error:
        raise InputError(f"{folder} is damaged ({error}); fit the defense again") from error
    if not isinstance(written, dict) or not isinstance(written.get("version"), int):
        raise InputError(f"{folder / SETTINGS} states no version; expected a folder that `vestige protect` wrote")
    kind = DEFENSES[str(written.get("defense"))].load()
    _check_version(folder, written, kind)
    _check_digest(folder, written, content)
    try:
        return _restore(kind, written, tensors)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(
            f"{folder} does not contain what {SETTINGS} describes ({error}); fit the defense again"
        ) from error


def _check_digest(folder: Path, written: dict[str, Any], content: bytes) -> None:
    if written.get("sha256") != _digest(written, content):
        raise InputError(
            f"{folder} was changed after it was written, or an earlier version wrote it: the digest in {SETTINGS} is "
            "of other contents; restore the folder from a copy, or fit the defense again"
        )


def _check_version(folder: Path, written: dict[str, Any], kind: type[Defense]) -> None:
    found, known = written["version"], kind.version
    if found > known:
        raise InputError(f"{folder} is of version {found}, this Vestige reads up to {known}; install a newer Vestige")
    if found < known:
        raise InputError(
            f"{folder} is of version {found}, this Vestige uses {known} and would compute other bytes from it; "
            "install the Vestige that wrote it, or fit the defense again"
        )


def _restore(kind: type[Defense], written: dict[str, Any], tensors: dict[str, Any]) -> Defense:
    """The defense with its settings and arrays, tried on two vectors."""
    if set(tensors) != set(kind.learned):
        raise ValueError(f"arrays {sorted(tensors)}, expected {sorted(kind.learned)}")
    defense = kind(**written["settings"])
    defense.check_settings()
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            raise ValueError(f"'{name}' contains NaN or infinity")
        setattr(defense, name, tensor)
    defense.columns_ = int(written["dimension"])
    if not 0 < defense.columns_ <= MOST_COLUMNS:
        raise ValueError(f"{defense.columns_} columns, expected 1 to {MOST_COLUMNS}")
    defense.check_learned()
    defense.freeze()
    defended = defense.transform(np.ones((2, defense.columns_), np.float32))
    if not defended.size or not np.isfinite(defended).all():
        raise ValueError("its output for a vector is empty or not finite")
    return defense


def _registered_name(defense: Defense) -> str:
    """The name of its class in the registry."""
    for name, entry in DEFENSES:
        if entry.load() is type(defense):
            return name
    raise InputError(
        f"{type(defense).__module__}:{type(defense).__name__} is no registered defense, and only those can be saved; "
        "declare it as an entry point of the group 'vestige.defenses'"
    )
