"""How one request to an endpoint can fail: for good, for now, or because of what was in it."""

from vestige.errors import VestigeError


class Failure(VestigeError):
    """Asking again will not help."""


class Refusal(Failure):
    """The server will not take this batch: too large, or with a text in it that it does not want."""


class Again(Failure):
    """Asking again may help, after `wait` seconds where the server said how long."""

    def __init__(self, message: str, *, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class Garbled(Again):
    """An answer that cannot be read; asked for once more, and no more often."""
