"""The argument that names a source of vectors: the path of a file, or KIND:WHERE#NAME."""

from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from vestige.errors import InputError


class StoreAddress(NamedTuple):
    """The kind of a store, its path or server address, and the collection in it; None where the user named none."""

    kind: str
    where: str
    name: str | None


def is_file(source: str | Path) -> bool:
    """Whether a source is the path of a file rather than KIND:WHERE#NAME."""
    return isinstance(source, Path) or ":" not in source or Path(source).exists()


def parse_address(source: str) -> StoreAddress:
    """Split KIND:WHERE#NAME. WHERE may contain "#" if a NAME follows."""
    kind, _, rest = source.partition(":")
    where, _, name = rest.rpartition("#") if "#" in rest else (rest, "", "")
    return StoreAddress(kind, where, name or None)


def strip_credentials(address: str) -> str:
    """Return scheme, hosts, ports and path of a URL. PostgreSQL allows several hosts, separated by commas."""
    try:
        parts = urlsplit(address)
        hosts = parts.netloc.rpartition("@")[2]
        for host in hosts.split(","):
            _ = urlsplit(f"//{host}").port  # Raises if the port is not a number.
    except ValueError:  # Its message may contain a part of the password.
        raise InputError(
            "the address of the server cannot be split into host and port; expected one such as 'http://HOST:PORT', "
            "with every / ? # and @ of a password written as %2F %3F %23 and %40"
        ) from None
    return f"{parts.scheme}://{hosts}{parts.path}"
