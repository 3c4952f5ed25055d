"""Errors that Vestige raises on purpose; their messages say what to do next."""


class VestigeError(Exception):
    """The root of every error that Vestige raises on purpose."""


class InputError(VestigeError):
    """The input cannot be used. The message says where, what was found, what was expected and what to do."""


class UnusableRows(InputError):
    """Some vectors cannot be used. Partial results computed before they are fixed must be discarded."""


class MissingExtra(VestigeError):
    """A library of an optional extra is not installed. The message has the command that installs it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed; get it with: pip install 'vestige[{extra}]'")
        self.extra = extra


class BudgetExceeded(VestigeError):
    """An adversary sent more queries to the encoder than its budget allows."""


class NotFitted(VestigeError):
    """`infer` was called before `fit`."""
