"""Resolve a folder or a spec to a fitted defense: load it, or fit it on a sample of the store and save it."""

import glob
import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vestige.defenses.catalogue import make_defense
from vestige.defenses.defense import Defense
from vestige.defenses.rotation import TenantRotation
from vestige.defenses.saved import load_defense, read_fitted_on, save_defense
from vestige.errors import InputError
from vestige.stores.store import Store

SAMPLE = 20_000
IDENTITY = re.compile("[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class ResolvedDefense:
    """A fitted defense and the folder for it; None if there is nothing to save.

    Until the output appears, a defense that was fitted for it is in the hidden folder `pending`: the two are one
    result. `fresh` if it was fitted just now.
    """

    defense: Defense
    folder: Path | None
    pending: Path | None = None
    fresh: bool = False

    def publish(self) -> None:
        """Move the defense to its folder, since the output is complete, and remove what stopped runs left."""
        if self.pending is None or self.folder is None:
            return
        self.pending.rename(self.folder)
        for left in self.folder.parent.glob(f"{glob.escape(_hide(self.folder, ''))}*"):
            if IDENTITY.fullmatch(left.name.removeprefix(_hide(self.folder, ""))):
                shutil.rmtree(left, ignore_errors=True)

    def withdraw(self) -> None:
        """Take the defense back after a failure, so that it is not there without its output; a later run uses it."""
        if self.pending is not None and not self.pending.exists() and self.folder is not None and self.folder.exists():
            self.folder.rename(self.pending)

    def discard(self) -> None:
        """Remove a defense whose output will never appear."""
        if self.pending is not None:
            self.withdraw()
            shutil.rmtree(self.pending, ignore_errors=True)


def resolve_defense(spec: str, store: Store, folder: Path, columns: int) -> ResolvedDefense:
    """Load the defense if `spec` is a folder; otherwise fit it on a sample of the store and save it for `folder`.

    If `folder` exists, from a run whose output was moved, its defense is used again, provided that it matches the spec
    and was fitted on these vectors. So is the pending one of a run that was stopped. The same command therefore gives
    the same bytes.
    """
    if is_folder(spec):
        return _load_named(spec, columns)
    _refuse_what_sees_texts(spec)
    unfitted = make_defense(spec)
    if not unfitted.learned:
        return ResolvedDefense(unfitted.fit(np.zeros((1, columns))), None)
    sample = store.sample(SAMPLE, np.random.default_rng(0), plain=True).vectors
    digest = hashlib.sha256(np.ascontiguousarray(sample).tobytes()).hexdigest()
    if folder.exists():
        return ResolvedDefense(_reuse(folder, spec, unfitted, digest, columns), folder)
    pending = folder.with_name(_hide(folder, f"{spec} {digest}"))
    if pending.exists():
        return ResolvedDefense(_reuse(pending, spec, unfitted, digest, columns), folder, pending)
    fitted = unfitted.fit(sample)
    save_defense(fitted, pending, fitted_on=digest)
    return ResolvedDefense(fitted, folder, pending, fresh=True)


def _hide(folder: Path, identity: str) -> str:
    """The name of the hidden folder for the defense of this identity; the part that all names share without one."""
    return f".{folder.name}-{hashlib.sha256(identity.encode()).hexdigest()[:12] if identity else ''}"


def resolve_for_queries(spec: str, columns: int) -> ResolvedDefense:
    """The defense that protects the store which queries search: its folder, or a spec that learns nothing.

    Fitted again on the queries, a defense that learns would be another one, and its queries would find nothing.
    """
    if is_folder(spec):
        return _load_named(spec, columns)
    _refuse_what_sees_texts(spec)
    unfitted = make_defense(spec)
    if unfitted.learned:
        raise InputError(
            f"search queries need the fitted defense of the store they search, and '{spec}' names an unfitted one; "
            "with --defense, name its folder, such as STORE.defense"
        )
    return ResolvedDefense(unfitted.fit(np.zeros((1, columns))), None)


def _refuse_what_sees_texts(spec: str) -> None:
    """Raise if vectors alone are not enough: redaction changes texts, and some defenses learn from labels."""
    family, _, hides = spec.partition("@")
    if family.partition(":")[0] == "redact":
        raise InputError(
            f"'{spec}' redacts texts before they are encoded, and there are only vectors here; redact with "
            "`vestige redact TEXTS OUT`, then encode OUT"
        )
    if make_defense(family).info.needs == "labels":
        raise InputError(
            f"defense '{spec}' learns from labels as well as from vectors; let "
            f"`vestige defend --defenses {family}@{hides or 'LABEL'}` fit it (or fit it in Python and write it with "
            "save_defense), and name its folder with --defense"
        )


def is_folder(spec: str) -> bool:
    """Whether a spec names the folder of a fitted defense, alone or with a tenant: FOLDER@TENANT."""
    return "/" in spec or Path(spec).is_dir() or Path(spec.rpartition("@")[0] or spec).is_dir()


def _load_named(spec: str, columns: int) -> ResolvedDefense:
    """The defense in a folder; with a tenant, the one that follows from its secret for that tenant."""
    place, _, tenant = spec.rpartition("@")
    if not place or Path(spec).is_dir():
        return ResolvedDefense(_load(Path(spec), columns), Path(spec))
    defense = _load(Path(place), columns)
    if not isinstance(defense, TenantRotation):
        raise InputError(
            f"'{spec}' names a tenant, and the defense in {place} is '{defense.info.name}'; expected one that was "
            f"fitted as tenant:NAME; remove '@{tenant}' (--defense)"
        )
    return ResolvedDefense(defense.for_tenant(tenant), Path(place))


def _load(folder: Path, columns: int) -> Defense:
    defense = load_defense(folder)
    if defense.columns_ != columns:
        raise InputError(
            f"the vectors have {columns} columns, and the defense in {folder} was fitted on {defense.columns_}; "
            "with --defense, name one that was fitted on vectors of the same encoder"
        )
    return defense


def _reuse(folder: Path, spec: str, unfitted: Defense, digest: str, columns: int) -> Defense:
    """Load the defense of an earlier run; raise if it does not match the spec and the sample."""
    saved = _load(folder, columns)
    if type(saved) is not type(unfitted) or saved.get_params() != unfitted.get_params():
        raise InputError(
            f"{folder} holds another defense than '{spec}'; name that folder with --defense, or move it away"
        )
    if read_fitted_on(folder) != digest:
        raise InputError(
            f"{folder} was fitted on other vectors; name that folder with --defense to use it all the same, or move "
            "it away"
        )
    return saved
