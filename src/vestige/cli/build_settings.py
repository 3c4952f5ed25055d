"""The settings of a run, from the options that were given."""

from dataclasses import fields
from pathlib import Path
from typing import Any

from vestige.case.settings import Settings, targets_within
from vestige.errors import InputError
from vestige.memory import PARSED, check_memory


def build_settings(*groups: Any) -> Settings:
    """The settings that the groups of options hold between them; every option has the name of its setting."""
    known = {field.name for field in fields(Settings)}
    options = {field.name: getattr(group, field.name) for group in groups for field in fields(group)}
    chosen = {name: value for name, value in options.items() if name in known}
    for name in ("keywords", "vocabulary"):
        chosen[name] = () if chosen.get(name) is None else parse_keywords(chosen[name])
    chosen["budgets"] = () if chosen.get("budgets") is None else parse_budgets(chosen["budgets"])
    chosen["patterns"] = tuple(chosen.get("patterns") or ())
    for name in ("attributes", "probes"):
        chosen[name] = tuple(dict.fromkeys(chosen.get(name) or ()))
    if options.get("within") is not None:
        chosen["targets"] = targets_within(options["within"])
    return Settings(**chosen)


def parse_budgets(given: str) -> tuple[int, ...]:
    """Numbers of queries with commas between them, each once, in ascending order."""
    parts = [part.strip() for part in given.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() for part in parts):
        raise InputError(f"--budgets {given!r} is not a list of numbers; give numbers of queries, such as 10,50,200")
    return tuple(sorted(set(map(int, parts))))


def parse_keywords(given: str) -> tuple[str, ...]:
    """The keywords in a comma-separated list, or the lines of a file of that name; each once, in order."""
    path = Path(given)
    exists = _is_file(path)
    if not exists and _is_folder(path):
        raise InputError(f"{given} is a folder; give a file with one keyword per line, or comma-separated keywords")
    try:
        check_memory(PARSED * path.stat().st_size if exists else 0, given)
        parts = path.read_text(encoding="utf-8").splitlines() if exists else given.split(",")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{given} is not a list of words in UTF-8 ({error.reason}); save it as UTF-8, one word per line"
        ) from error
    if not exists and path.suffix in (".txt", ".csv"):
        raise InputError(f"{given} does not exist; give a file with one keyword per line, or comma-separated keywords")
    keywords = tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
    if not keywords:
        raise InputError(f"no keyword in {given!r}; give comma-separated keywords, or a file with one keyword per line")
    return keywords


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _is_file(path: Path) -> bool:
    """Whether a file of this name exists; a list of words may be longer than any file name may be."""
    try:
        return path.is_file()
    except OSError:
        return False
