"""Patterns by name or from a TOML file."""

import tomllib
from pathlib import Path

from vestige.errors import InputError
from vestige.registry import nearest
from vestige.text.patterns.describe import described
from vestige.text.patterns.pattern import Pattern

SHIPPED = Path(__file__).parent / "shipped"


def shipped_patterns() -> list[str]:
    """The names of the patterns that come with the package."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load_pattern(source: str | Path) -> Pattern:
    """A shipped pattern by name ("citizen-id", "genome"), or the one that a TOML file describes."""
    names = shipped_patterns()
    if source in names:
        return _read(SHIPPED / f"{source}.toml")
    path = Path(source)
    if isinstance(source, Path) or path.suffix or path.exists():
        return _read(path)
    raise InputError(f"'{source}' is neither a TOML file nor a shipped pattern; {nearest(source, names)}")


def _read(path: Path) -> Pattern:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        names = ", ".join(shipped_patterns())
        raise InputError(
            f"{path} is not there; name a TOML file that describes a pattern, or one of: {names}"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); name a TOML file that can be") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no text in UTF-8; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}; mend that line") from error
    return described(table, path)
