"""Words given on the command line or in a file."""

from pathlib import Path

from vestige.errors import InputError


def listed(given: str) -> tuple[str, ...]:
    """Words parted by commas or, where a file of that name is there, its lines; each once, in the order given."""
    path = Path(given)
    there = _is_file(path)
    try:
        parts = path.read_text(encoding="utf-8").splitlines() if there else given.split(",")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{given} is not a list of words in UTF-8 ({error.reason}); save it as UTF-8, one a line"
        ) from error
    if not there and path.suffix in (".txt", ".csv"):
        raise InputError(f"{given} is not there; give a file of keywords, one a line, or the words parted by commas")
    found = tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
    if not found:
        raise InputError(f"no keyword in {given!r}; give words parted by commas, or a file of them, one a line")
    return found


def _is_file(path: Path) -> bool:
    """A long list of words is no file, though asking for one of that name is an error."""
    try:
        return path.is_file()
    except OSError:
        return False
