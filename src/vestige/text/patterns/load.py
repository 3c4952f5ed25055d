"""Load patterns by name or from a TOML file, and detect the shipped ones in texts."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

from vestige.errors import InputError
from vestige.files import read_small
from vestige.registry import nearest
from vestige.text.patterns.parse import parse_pattern
from vestige.text.patterns.pattern import Pattern

SHIPPED = Path(__file__).parent / "shipped"
FEWEST_TEXTS = 5

EXPRESSIONS = {
    "birth-date": re.compile(r"\b(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\b"),
    "phone-number": re.compile(r"(?<!\d)(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?!\d)"),
    "card-number": re.compile(r"(?<!\d)(?:\d{4}[ -]?){3}\d{4}(?!\d)"),
    "citizen-id": re.compile(r"(?<!\d)\d{6}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\w)"),
}
"""Regular expressions for personal numbers and dates in free text, by the shipped pattern that describes them."""


def shipped_patterns() -> list[str]:
    """The names of the patterns that come with the package."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load_pattern(source: str | Path) -> Pattern:
    """Load a shipped pattern by name ("citizen-id", "genome"), or a pattern from a TOML file."""
    names = shipped_patterns()
    if source in names:
        return _read_toml(SHIPPED / f"{source}.toml")
    path = Path(source)
    if isinstance(source, Path) or path.suffix or path.exists():
        return _read_toml(path)
    raise InputError(f"'{source}' is neither a TOML file nor a shipped pattern; {nearest(source, names)}")


def detect_patterns(texts: Sequence[str]) -> list[str]:
    """The shipped patterns that at least five of the texts contain."""
    return [name for name, form in EXPRESSIONS.items() if sum(map(bool, map(form.search, texts))) >= FEWEST_TEXTS]


def _read_toml(path: Path) -> Pattern:
    try:
        table = tomllib.loads(read_small(path).decode("utf-8"))
    except FileNotFoundError as error:
        names = ", ".join(shipped_patterns())
        raise InputError(
            f"{path} does not exist; name a TOML file that describes a pattern, or one of: {names}"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); name a readable TOML file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8; save it as UTF-8") from error
    except (ValueError, RecursionError) as error:  # Also a number of thousands of digits, or lists thousands deep.
        raise InputError(f"{path} is not TOML: {error}; fix that line") from error
    return parse_pattern(table, path)
