"""Errors that Vestige raises on purpose; their messages say what to do next."""

import json
from contextlib import suppress
from pathlib import Path

PACKAGE = Path(__file__).parent


class VestigeError(Exception):
    """The root of every error that Vestige raises on purpose."""


class InputError(VestigeError):
    """The input cannot be used. The message says where, what was found, what was expected and what to do."""


class UnusableRows(InputError):
    """Some vectors cannot be used. Partial results computed before they are fixed must be discarded."""


class MissingExtra(VestigeError):
    """A library of an optional extra is not installed. The message has the command that installs it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed; get it with: {format_install(extra)}")
        self.extra = extra


class BudgetExceeded(VestigeError):
    """An adversary sent more queries to the encoder than its budget allows."""


class NotFitted(VestigeError):
    """`infer` was called before `fit`."""


def format_install(extra: str, *, package: Path = PACKAGE, reinstall: bool = False) -> str:
    """The command that installs an extra: from the source tree that Vestige runs from or was installed from.

    The package is on no index. If it is not known where it was installed from, the command is one for a clone.
    """
    origin = "." if _is_source_tree(package) else _find_origin(package)
    command = f"pip install {'--force-reinstall ' if reinstall else ''}'{origin or '.'}[{extra}]'"
    return command if origin else f"{command} in a clone of Vestige"


def _is_source_tree(package: Path) -> bool:
    """Whether the package is in the folder `src` of a clone."""
    project = package.parent.parent / "pyproject.toml"
    return package.parent.name == "src" and project.is_file() and 'name = "vestige"' in project.read_text("utf-8")


def _find_origin(package: Path) -> str | None:
    """The folder or wheel that pip installed this package from, if it noted one (PEP 610) and it still exists."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    for note in package.parent.glob("vestige-*.dist-info/direct_url.json"):
        with suppress(ValueError, TypeError, AttributeError, KeyError, OSError):
            address = urlsplit(json.loads(note.read_text("utf-8"))["url"])
            folder = Path(url2pathname(address.path))
            if address.scheme == "file" and (folder.suffix == ".whl" or (folder / "pyproject.toml").is_file()):
                return str(folder) if folder.exists() else None
    return None
