"""A cache of fitted attacks on disk, addressed by everything that they depend on: no attack is fitted twice."""

import hashlib
import json
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.numpy import load, save

from vestige.case.cache import compute_digest
from vestige.files import make_folder, write_together
from vestige.view.fit_codec import pack, unpack

log = logging.getLogger(__name__)

MOST_BYTES = 2 * 2**30
"""What the cache may take on disk; the fits that were not used for longest go first."""

STATE, ARRAYS = ".json", ".safetensors"


@dataclass(frozen=True)
class FitCache:
    """Two files for each fit: its state as JSON, with the digest of both, and its arrays. Only the owner may read them.

    A file that is damaged, or that another version wrote, is not used: the fit is made again.
    """

    folder: Path
    most_bytes: int = MOST_BYTES

    def build_key(self, *parts: Any) -> str:
        """The name of a fit: a digest of the code, the libraries and these parts."""
        return compute_digest(_hash_steps(), *parts)

    def read(self, key: str) -> Any | None:
        """What was fitted; None if it was not kept, or cannot be used."""
        state, arrays = self._place(key)
        try:
            written, content = json.loads(state.read_bytes()), arrays.read_bytes()
            if written["sha256"] != _digest(written["fitted"], content):
                raise ValueError("its digest is of other contents")
            fitted = unpack(written["fitted"], load(content))
        except FileNotFoundError:
            return None
        except (OSError, SafetensorError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            log.warning("%s cannot be used (%s); it is fitted again", state, error)
            return None
        with suppress(OSError):
            state.touch()
        return fitted

    def write(self, key: str, fitted: Any) -> None:
        """Keep what was fitted, unless the disk is full, which costs only time."""
        plain, arrays = pack(fitted)
        content = save(arrays)
        state = json.dumps({"sha256": _digest(plain, content), "fitted": plain}).encode()
        try:
            make_folder(self.folder)
            write_together(dict(zip(self._place(key), (state, content), strict=True)))
        except OSError as error:
            log.warning("a fitted attack cannot be kept in %s (%s); the next start fits it again", self.folder, error)
        self._remove_oldest()

    def _place(self, key: str) -> tuple[Path, Path]:
        return self.folder / f"{key}{STATE}", self.folder / f"{key}{ARRAYS}"

    def _remove_oldest(self) -> None:
        """Make room, except for the newest fit."""
        with suppress(OSError):
            used = 0
            for place, (_, size, state) in enumerate(sorted(self._list_fits(), reverse=True)):
                used += size
                if place and used > self.most_bytes:
                    state.unlink(missing_ok=True)
                    state.with_suffix(ARRAYS).unlink(missing_ok=True)

    def _list_fits(self) -> Iterator[tuple[float, int, Path]]:
        """When each fit was used, how large it is, and where."""
        for state in self.folder.glob(f"*{STATE}"):
            arrays = state.with_suffix(ARRAYS)
            if arrays.exists():
                yield state.stat().st_mtime, state.stat().st_size + arrays.stat().st_size, state


def _digest(plain: Any, content: bytes) -> str:
    return hashlib.sha256(json.dumps(plain).encode() + b"\0" + content).hexdigest()


def _hash_steps() -> str:
    """A digest of the code that calls the attacks, which is part of the view."""
    sources = (Path(__file__).with_name(name) for name in ("attacker.py", "fit_codec.py", "live.py"))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
