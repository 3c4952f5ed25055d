"""Packages that are also verbs: `vestige.audit(...)` calls the function of that name inside the package `audit`."""

import inspect
import sys
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any


class CallablePackage(ModuleType):
    """A package that can be called like its main function, whose signature and docstring it shows."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function of the package's name in its module `run`."""
        return self._main(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        """The main function under its own name, so that `help` lists it."""
        if name == self._verb:
            return self._main
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), "__all__", self._verb]

    @property
    def __all__(self) -> list[str]:
        return [self._verb]

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return inspect.getdoc(self._main)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._main)

    @property
    def _verb(self) -> str:
        return self.__name__.rpartition(".")[2]

    @property
    def _main(self) -> Any:
        return getattr(import_module(f"{self.__name__}.run"), self._verb)


def make_callable(package: str) -> None:
    """Let a package be called. Static type checkers see the function, which `vestige/__init__.py` imports for them."""
    sys.modules[package].__class__ = CallablePackage
