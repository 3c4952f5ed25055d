"""Addresses of files on other machines, such as s3://BUCKET/FOLDER, and the filesystem behind them.

Credentials come from the usual chain of each provider: environment, profile, or the role of the machine. No message
shows them, not even those that an address contains.
"""

import re
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from vestige.errors import InputError

SCHEMES = ("s3", "gs", "gcs", "abfs", "abfss", "hdfs", "viewfs", "file", "memory")
OBJECT_STORES = ("s3", "gs", "gcs", "abfs", "abfss", "memory")
"""Where a file appears when it is complete; elsewhere a file grows in place and must be renamed."""

HARMLESS = ("endpoint_override", "region", "scheme")
"""Options of an address that messages may show; any other may be a credential."""

OPTIONS = re.compile(r"\?[^\s'\")\]]*=[^\s'\")\]]*")
"""The options of an address in a message."""

FEWEST = 4
"""Characters of a value that may be a credential; to hide shorter ones would make a message unreadable."""

HADOOP = "Java and the native library of Hadoop (set JAVA_HOME and HADOOP_HOME)"


def is_url(place: object) -> bool:
    """Whether a source or an output is an address such as s3://BUCKET/FOLDER."""
    return isinstance(place, str) and "://" in place and place.partition("://")[0] in SCHEMES


def show_url(url: str) -> str:
    """An address without user, password and query; anything else as it is."""
    if not is_url(url):
        return url
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"


def hide_credentials(message: object, url: str) -> str:
    """The first line of a message about an address, without the user, the password and the options of the address.

    Libraries write them in an order and with escapes of their own, so no options of any address are shown.
    """
    shown = str(message).partition("\n")[0]
    if not is_url(url):
        return shown
    place, _, query = url.partition("://")[2].partition("?")
    user = place.rpartition("@")[0]  # Secrets of S3 may have slashes.
    options = [value for name, value in parse_qsl(query) if name not in HARMLESS]
    shown = OPTIONS.sub("?...", shown)
    for secret in (user, *user.split(":"), *options):
        for written in (secret, unquote(secret), quote(unquote(secret), safe="")):
            shown = shown.replace(written, "...") if len(written) >= FEWEST else shown
    return shown


def join_url(url: str, name: str) -> str:
    """The address of a file in a folder; a query stays at the end."""
    place, question, query = url.partition("?")
    return f"{place.rstrip('/')}/{name}{question}{query}"


@lru_cache(maxsize=64)
def open_filesystem(url: str) -> tuple[Any, str]:
    """The pyarrow filesystem of an address, and the path in it. What pyarrow does not know is left to fsspec."""
    import pyarrow as pa
    from pyarrow import fs

    scheme = url.partition("://")[0]
    try:
        if scheme == "memory":
            return _open_by_fsspec(url)
        filesystem, path = fs.FileSystem.from_uri(url)
    except (pa.ArrowException, OSError, ValueError, ImportError) as error:
        needed = HADOOP if scheme in ("hdfs", "viewfs") else "credentials where the provider's libraries look for them"
        raise InputError(
            f"{show_url(url)} cannot be opened ({hide_credentials(error, url)}); expected an address such as "
            f"s3://BUCKET/FOLDER, and {needed}"
        ) from None
    return filesystem, str(PurePosixPath(path))


def _open_by_fsspec(url: str) -> tuple[Any, str]:
    import fsspec
    from pyarrow import fs

    filesystem, path = fsspec.core.url_to_fs(url)
    return fs.PyFileSystem(fs.FSSpecHandler(filesystem)), path


def is_object_store(url: str) -> bool:
    """Whether a file at this address appears only when it is complete."""
    return urlsplit(url).scheme in OBJECT_STORES
