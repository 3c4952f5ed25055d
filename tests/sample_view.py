"""A live model on toy texts, and the app in a server of its own, for tests of the view."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import ClassVar
from zlib import crc32

import numpy as np

from tests.conftest import WordSum, toy_corpus
from tests.sample_comparison import base_result, new_result
from tests.sample_frontier import swept
from tests.sample_judgement import judged
from tests.sample_leaderboard import board
from tests.sample_result import typical
from vestige.case.settings import Settings
from vestige.report.write import write_frontier, write_judgement, write_leaderboard, write_report
from vestige.text.corpus import Corpus
from vestige.text.words import words
from vestige.types import Progress, Vectors, silent
from vestige.view.app import Pages, build_app
from vestige.view.live import LiveModel
from vestige.view.live_source import LiveSource
from vestige.view.runs import RunIndex
from vestige.view.server import Address, serve
from vestige.view.site import Site

SMALL = Settings(targets=60, pairs=400, vocabulary_size=200, keywords=("bacox", "kalox"), attributes=("half",))
DEFENSE = "pca:2"
"""Two columns, which leave almost nothing of the toy vectors."""

PATIENCE_S = 120


class QuickWordSum(WordSum):
    """The toy encoder, with the vector of each word made once."""

    _words: ClassVar[dict[str, Vectors]] = {}

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        for word in {word for text in texts for word in words(text)} - self._words.keys():
            self._words[word] = np.random.default_rng(crc32(word.encode())).standard_normal(self.dimension)
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in words(text):
                rows[row] += self._words[word]
        self.calls.append(len(texts))
        progress("encoding", len(texts))(len(texts))
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def labelled_corpus() -> Corpus:
    """The toy texts, with a label that their first word decides."""
    corpus = toy_corpus()
    return replace(corpus, attributes={"half": ["early" if text[0].lower() < "g" else "late" for text in corpus.texts]})


def toy_model(folder: Path, **changes: object) -> LiveModel:
    """A live model that is not started."""
    source = LiveSource(labelled_corpus(), QuickWordSum(), replace(SMALL, **changes), folder)
    return LiveModel(source)


def fitted_model(folder: Path, *defenses: str, **changes: object) -> LiveModel:
    """A live model that is fitted, also behind these defenses."""
    model = toy_model(folder, **changes)
    model.start()
    for defense in defenses:
        model.select(defense)
    assert model.worker.wait(PATIENCE_S)
    return model


def make_runs(folder: Path) -> Path:
    """A folder with three audits, a sweep, a judgement, a leaderboard and a file that is no result."""
    write_report(base_result(), folder / "main")
    write_report(new_result(), folder / "branch")
    write_report(typical(), folder / "nested" / "letters")
    write_frontier(swept(), folder / "defend")
    write_judgement(judged(), folder / "judged")
    write_leaderboard(board(), folder / "encoders")
    (folder / "broken").mkdir()
    (folder / "broken" / "report.json").write_text("{}", encoding="utf-8")
    return folder


@contextmanager
def running(model: LiveModel, *folders: Path, show_text: bool = False) -> Iterator[Address]:
    """The app in a server on a free port, in a thread that ends with the tests."""
    ready, found = Event(), []

    def announce(address: Address) -> None:
        found.append(address)
        ready.set()

    app = build_app(Pages(RunIndex(folders), model, Site(show_text=show_text)))
    Thread(target=serve, args=(app, announce), daemon=True).start()
    assert ready.wait(30)
    yield found[0]


def list_typed(model: LiveModel, count: int = 8) -> str:
    """A text of frequent toy words that the attacker does not hold."""
    pairs = model.case.auxiliary["same-domain"].texts
    known = sorted({word for text in pairs[:20] for word in words(text)})
    return " ".join(np.random.default_rng(5).permutation(known)[:count].tolist())
