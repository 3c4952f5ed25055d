import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO

import numpy as np
import pytest

from tests.conftest import SOME_EXTRAS, WordSum, toy_corpus
from vestige.cli.main import main


class Ran:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


def run_command(patch, *arguments):
    """Run the command in this process; gives the exit code and the printed text."""
    patch.setattr(sys, "argv", ["vestige", *map(str, arguments)])
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err, pytest.raises(SystemExit) as ended:
        main()
    if SOME_EXTRAS in os.environ and "is not installed; get it with" in err.getvalue():
        pytest.skip(err.getvalue())
    return Ran(ended.value.code or 0, out.getvalue(), err.getvalue())


def make_owned(folder):
    """Write vectors and their texts into a folder, as an owner might have them."""
    corpus = toy_corpus()
    np.save(folder / "vectors.npy", WordSum().encode(corpus.texts))
    (folder / "texts.txt").write_text("\n".join(corpus.texts), encoding="utf-8")
    return folder


@pytest.fixture
def vestige_command(monkeypatch):
    """Run the command in this process; gives the exit code and the printed text."""
    return partial(run_command, monkeypatch)


@pytest.fixture
def owned(tmp_path):
    """A folder with vectors and their texts."""
    return make_owned(tmp_path)


TEXTS = [f"The bank took {row} dollars from account{row}." for row in range(60)]


@pytest.fixture
def run(vestige_command):
    """Run the command; gives the exit code, standard output and standard error as a tuple."""

    def call(*arguments):
        ran = vestige_command(*arguments)
        return ran.code, ran.out, ran.err

    return call


@pytest.fixture
def texts(tmp_path):
    """A file of 60 texts."""
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(TEXTS))
    return path
