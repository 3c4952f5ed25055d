"""What can go wrong, said so that the reader knows what to do next."""


class VestigeError(Exception):
    """The root of every error that Vestige raises on purpose."""


class InputError(VestigeError):
    """The input cannot be used: where it lies, what was found, what was expected, the remedy."""


class UnusableRows(InputError):
    """Vectors that cannot be used as they are. Once they are mended, work that was begun on them is of no use."""


class MissingExtra(VestigeError):
    """A library that is not part of the base installation is needed; carries the command that gets it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed; get it with: pip install 'vestige[{extra}]'")
        self.extra = extra


class BudgetExceeded(VestigeError):
    """An adversary asked the encoder for more texts than its budget allows."""


class NotFitted(VestigeError):
    """`infer` was called before `fit`."""
