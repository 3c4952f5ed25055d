import sys

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.cli.main import main


class Ran:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def vestige_command(monkeypatch, capsys):
    """Run the command in this process; gives the exit code and what was printed."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["vestige", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return Ran(ended.value.code or 0, printed.out, printed.err)

    return run


@pytest.fixture
def owned(tmp_path):
    """Vectors and the texts behind them, as an owner might have them."""
    corpus = toy_corpus()
    np.save(tmp_path / "vectors.npy", WordSum().encode(corpus.texts))
    (tmp_path / "texts.txt").write_text("\n".join(corpus.texts), encoding="utf-8")
    return tmp_path
