"""Packages that are also verbs: calling one calls its main function."""

import inspect
import pydoc
import sys
from importlib import import_module
from types import ModuleType

import numpy as np
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from vestige.audit.result import AuditResult
from vestige.callable_package import make_callable
from vestige.case.settings import Settings
from vestige.errors import InputError


@pytest.mark.parametrize("verb", ["audit", "defend"])
def test_a_package_shows_the_signature_of_its_function(verb):
    package = getattr(vestige, verb)
    function = getattr(import_module(f"vestige.{verb}.run"), verb)
    assert inspect.signature(package) == inspect.signature(function)
    assert "settings" in inspect.signature(package).parameters
    assert package.__name__ == f"vestige.{verb}"


@pytest.mark.parametrize("verb", ["audit", "defend"])
def test_a_package_has_the_docstring_of_its_function(verb):
    package = getattr(vestige, verb)
    function = getattr(import_module(f"vestige.{verb}.run"), verb)
    assert package.__doc__ == inspect.getdoc(function)
    assert getattr(package, verb) is function
    assert f"{verb}(vectors:" in pydoc.render_doc(package, renderer=pydoc.plaintext)
    with pytest.raises(AttributeError, match=f"module 'vestige.{verb}' has no attribute 'sing'"):
        package.sing  # noqa: B018


def test_an_audit_can_be_called_and_its_modules_imported():
    settings = Settings(targets=40, pairs=200, shortest=4, probes=("membership",))
    assert isinstance(vestige.audit(texts=toy_corpus(100), encoder=WordSum(), settings=settings), AuditResult)
    assert vestige.audit is sys.modules["vestige.audit"]


def test_a_call_with_bad_input_raises_the_error_of_the_function():
    with pytest.raises(InputError, match="the texts behind the vectors are needed"):
        vestige.defend(np.eye(40))
    with pytest.raises(TypeError, match="unexpected keyword argument 'texst'"):
        vestige.defend(texst="complaints")


def test_a_package_is_made_callable(monkeypatch):
    package, run = ModuleType("shout"), ModuleType("shout.run")
    run.shout = lambda word, times=1: word.upper() * times  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "shout", package)
    monkeypatch.setitem(sys.modules, "shout.run", run)
    make_callable("shout")
    assert package("a", times=2) == "AA"  # type: ignore[operator]
    assert str(inspect.signature(package)) == "(word, times=1)"  # type: ignore[arg-type]
