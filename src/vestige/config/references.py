"""What a value of the file refers to: paths in it are relative to the file, and must exist if they are read."""

from collections.abc import Callable
from pathlib import Path

from vestige.config.config_key import ConfigKey
from vestige.errors import InputError
from vestige.registry import nearest
from vestige.stores.source_address import parse_address
from vestige.text.corpora import EXTERNAL, SHIPPED


def resolve_reference(key: ConfigKey, value: str, folder: Path) -> str:
    """The value as a command takes it: paths start from `folder`. Raises if a file that is read does not exist."""
    if "\0" in value:
        raise InputError("no path and no name has a NUL in it; remove it")
    if key.is_path:
        return str(_place(value, folder))
    resolver = RESOLVERS.get(key.metavar)
    return value if resolver is None else resolver(value, folder)


def _place(value: str, folder: Path) -> Path:
    try:
        return folder / Path(value).expanduser()
    except RuntimeError as error:
        raise InputError("this user has no home folder here; write the path without ~") from error


def _resolve_source(value: str, folder: Path) -> str:
    """A file of vectors, or KIND:WHERE#NAME with a path or the address of a server."""
    if ":" not in value or _place(value, folder).exists():
        return _require(value, folder, "a file of vectors")
    kind, where, name = parse_address(value)
    if "://" in where or not where:
        return value
    placed = _require(where, folder, f"a store of kind '{kind}'")
    return f"{kind}:{placed}" if name is None else f"{kind}:{placed}#{name}"


def _resolve_texts(value: str, folder: Path) -> str:
    """The name of a corpus, or a file of texts."""
    corpora = {**SHIPPED, **EXTERNAL}
    if value in corpora:
        return value
    if not _place(value, folder).exists():
        is_file = bool(Path(value).suffix) or "/" in value
        hint = "" if is_file else f"; {nearest(value, corpora).replace('known:', 'known corpora:')}"
        raise InputError(f"{_place(value, folder)} does not exist; expected a file of texts or a corpus{hint}")
    return str(_place(value, folder))


def _resolve_spec(value: str, folder: Path) -> str:
    """An encoder or a defense: FAMILY:PATH, NAME@FILE, or the folder of a fitted defense."""
    start, at, corpus = value.partition("@")
    family, colon, argument = start.partition(":")
    if at and corpus and _place(corpus, folder).is_file():
        corpus = str(_place(corpus, folder))
    if family == "saved" or (argument and "://" not in argument and _place(argument, folder).exists()):
        argument = _require(argument, folder, "the folder of an encoder")
    if not colon and ("/" in family or (_place(family, folder) / "defense.json").is_file()):
        family = _require(family, folder, "the folder of a fitted defense")
    return f"{family}{colon}{argument}{at}{corpus}"


def _resolve_named_spec(value: str, folder: Path) -> str:
    model, equals, spec = value.partition("=")
    return f"{model}{equals}{_resolve_spec(spec, folder)}"


def _resolve_result(value: str, folder: Path) -> str:
    """A report.json or the folder of one; a plain word that is neither is the name of an audit."""
    is_name = "/" not in value and not value.endswith(".json") and not _place(value, folder).exists()
    return value if is_name else _require(value, folder, "a report.json, or a folder that has one")


def _resolve_words(value: str, folder: Path) -> str:
    """Keywords with commas between them, or a file of them."""
    if Path(value).suffix in (".txt", ".csv") and "," not in value:
        return _require(value, folder, "a file of keywords")
    return value


def _resolve_format(value: str, folder: Path) -> str:
    """The name of a pattern, or a TOML file."""
    return _require(value, folder, "the file of a pattern") if Path(value).suffix == ".toml" else value


def _resolve_folder(value: str, folder: Path) -> str:
    return _require(value, folder, "a folder")


def _resolve_output(value: str, folder: Path) -> str:
    """A file to write, a folder, which ends in a slash, or an address."""
    return value if "://" in value else f"{_place(value, folder)}{'/' if value.endswith('/') else ''}"


def _require(value: str, folder: Path, expected: str) -> str:
    placed = _place(value, folder)
    if not placed.exists():
        raise InputError(f"{placed} does not exist; expected {expected}, relative to the configuration file")
    return str(placed)


RESOLVERS: dict[str, Callable[[str, Path], str]] = {
    "SOURCE": _resolve_source,
    "RAW": _resolve_source,
    "PROTECTED": _resolve_source,
    "FOLDER": _resolve_folder,
    "OUT": _resolve_output,
    "FILE": _resolve_texts,
    "TEXTS": _resolve_texts,
    "BASE": _resolve_result,
    "NEW": _resolve_result,
    "SPEC": _resolve_spec,
    "ENCODER": _resolve_spec,
    "MODEL=SPEC": _resolve_named_spec,
    "WORDS": _resolve_words,
    "FORMAT": _resolve_format,
}
"""By the metavar of an option, which says what its value names."""
