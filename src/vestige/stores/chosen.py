"""Which collection of a store is meant."""

from collections.abc import Sequence

from vestige.errors import InputError
from vestige.registry import nearest


def chosen(asked: str | None, names: Sequence[str], place: str, what: str) -> tuple[str, tuple[str, ...]]:
    """The collection asked for, or the only one there is, and then that it was guessed."""
    if asked in names:
        assert asked is not None
        return asked, ()
    if asked is not None:
        raise InputError(f"{place} has no {what} '{asked}'; {nearest(asked, list(names)) if names else 'it has none'}")
    if not names:
        raise InputError(f"{place} has no {what}; expected one that holds vectors, check that this is the place")
    if len(names) > 1:
        raise InputError(f"{place} has {len(names)} {what}s ({', '.join(names)}); name one as in '{place}#NAME'")
    return names[0], (what,)
