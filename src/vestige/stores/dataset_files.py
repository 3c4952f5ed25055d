"""The files of a dataset: those of a folder, a glob, or an address such as s3://BUCKET/FOLDER.

Files are in the order of their names. In a folder that Vestige wrote, the manifest names them. Folders such as
`year=2024` are columns, as in Hive.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from stat import S_ISDIR, S_ISREG
from typing import Any
from urllib.parse import unquote

from vestige.engine.filesystems import hide_credentials, is_url, open_filesystem, show_url
from vestige.engine.job import Unreachable
from vestige.engine.parts import MANIFEST, PLAN
from vestige.errors import InputError
from vestige.memory import read_file

MAGIC = "*?["
NULL = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True, slots=True)
class DatasetFile:
    """A file of a dataset: its path in the filesystem, its size and time of change, and the columns of its folders."""

    path: str
    size: int
    changed: int
    folders: tuple[tuple[str, str | None], ...] = ()


def is_dataset(source: object) -> bool:
    """Whether a source is a folder of parquet files, a glob, or an address."""
    if is_url(source):
        return True
    text = str(source)
    if Path(text).exists() or ":" in text:
        return Path(text).is_dir()
    return any(mark in text for mark in MAGIC)


def list_files(source: str) -> list[DatasetFile]:
    """The files of a dataset in order. Raise if there are none, or if a run is still writing them."""
    files = _list_remote(source) if is_url(source) else _list_local(source)
    if not files:
        raise InputError(f"{show_source(source)} has no parquet file; expected at least one that ends in .parquet")
    return files


def show_source(source: str) -> str:
    """How messages name a source: an address without credentials, or the path."""
    return show_url(source) if is_url(source) else source


def _list_local(source: str) -> list[DatasetFile]:
    base = Path(source)
    if base.is_dir():
        listed = _read_manifest(source, [path.name for path in base.glob("_*")], lambda name: read_file(base / name))
        found = [base / name for name in listed] if listed is not None else sorted(base.rglob("*.parquet"))
        kept = [path for path in found if not _is_hidden(path.relative_to(base).as_posix())]
    else:
        base = Path(_find_fixed(source))
        found = sorted(base.glob(source.removeprefix(_find_fixed(source)).lstrip("/")))
        kept = [path for path in found if path.is_file() and not _is_hidden(path.relative_to(base).as_posix())]
    files = []
    for path in kept:
        try:
            state = path.stat()
        except OSError as error:
            raise InputError(
                f"{path} cannot be read ({error.strerror}); restore it, or write the folder again"
            ) from None
        if S_ISDIR(state.st_mode):  # Its files are listed too.
            continue
        if not S_ISREG(state.st_mode):
            raise InputError(f"{path} is a pipe or a device; expected files alone, remove it from the folder")
        folders = _parse_folders(path.relative_to(base).as_posix() if path.is_relative_to(base) else path.name)
        files.append(DatasetFile(str(path), state.st_size, state.st_mtime_ns, folders))
    return files


def _list_remote(source: str) -> list[DatasetFile]:
    import pyarrow as pa
    from pyarrow.fs import FileSelector, FileType

    address, question, query = source.partition("?")
    fixed = _find_fixed(address)
    filesystem, base = open_filesystem(fixed + question + query)
    pattern = address.removeprefix(fixed).lstrip("/").split("/") if fixed != address else None
    try:
        if filesystem.get_file_info(base).type == FileType.File:
            infos = [filesystem.get_file_info(base)]
        else:
            infos = filesystem.get_file_info(FileSelector(base, recursive=True))
    except FileNotFoundError:
        raise InputError(f"{show_url(source)} does not exist; expected a parquet file, or a folder of them") from None
    except (pa.ArrowException, OSError) as error:
        raise Unreachable(
            f"{show_url(source)} cannot be listed ({hide_credentials(error, source)}); check the address, the "
            "credentials, the permissions and the connection"
        ) from None
    here = {PurePosixPath(info.path).relative_to(base).as_posix(): info for info in infos if info.type == FileType.File}
    if list(here) == ["."]:
        return [_describe(infos[0], "")]
    listed = None
    if pattern is None:
        names = [name for name in here if "/" not in name]
        listed = _read_manifest(source, names, lambda name: _read_small(filesystem, here[name].path))
    wanted = listed if listed is not None else sorted(name for name in here if name.endswith(".parquet"))
    missing = [name for name in wanted if name not in here]
    if missing:
        raise InputError(f"{show_url(source)} lacks {missing[0]}, which its manifest lists; restore it")
    return [
        _describe(here[name], name)
        for name in wanted
        if not _is_hidden(name) and (pattern is None or _matches(name.split("/"), pattern))
    ]


def _matches(names: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether the folders and the name of a file match a glob one by one; `**` stands for any number of folders."""
    if not pattern:
        return not names
    if pattern[0] == "**":
        return _matches(names, pattern[1:]) or (bool(names) and _matches(names[1:], pattern))
    return bool(names) and fnmatchcase(names[0], pattern[0]) and _matches(names[1:], pattern[1:])


def _describe(info: Any, name: str) -> DatasetFile:
    return DatasetFile(info.path, int(info.size), int(info.mtime_ns or 0), _parse_folders(name))


def _read_small(filesystem: Any, path: str) -> bytes:
    with filesystem.open_input_stream(path) as stream:
        content: bytes = stream.read()
        return content


def _read_manifest(source: str, names: Sequence[str], read: Any) -> list[str] | None:
    """The parts that the manifest of a folder lists; None if Vestige did not write the folder."""
    if MANIFEST not in names:
        if PLAN in names:
            raise InputError(
                f"{show_source(source)} is incomplete: a run that writes it has not finished; run its command again"
            )
        return None
    try:
        return [_check_inside(str(part["name"])) for part in json.loads(read(MANIFEST))["parts"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{show_source(source)}/{MANIFEST} is damaged ({error}); write the folder again") from None


def _check_inside(name: str) -> str:
    """The name of a part; raise if it is not one of a file in the folder."""
    if "\0" in name or PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
        raise ValueError(f"it lists {name!r}, which is not in the folder")
    return name


def _find_fixed(source: str) -> str:
    """The part of a glob before the first folder with a wildcard."""
    if not any(mark in source for mark in MAGIC):
        return source
    first = min(source.index(mark) for mark in MAGIC if mark in source)
    return source[:first].rpartition("/")[0] or ("/" if source.startswith("/") else ".")


def _is_hidden(name: str) -> bool:
    return any(segment.startswith(("_", ".")) for segment in name.split("/"))


def _parse_folders(name: str) -> tuple[tuple[str, str | None], ...]:
    """The columns of folders such as `year=2024/`."""
    pairs = (segment.partition("=") for segment in name.split("/")[:-1] if "=" in segment)
    return tuple((key, None if value == NULL else unquote(value)) for key, _, value in pairs)


def open_filesystem_of(source: str) -> Any:
    """The filesystem that holds the files of a dataset."""
    from pyarrow.fs import LocalFileSystem

    if not is_url(source):
        return LocalFileSystem()
    address, question, query = source.partition("?")
    return open_filesystem(_find_fixed(address) + question + query)[0]
