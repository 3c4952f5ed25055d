"""`vestige view` in a real browser: from the start to the first words, from the last keystroke to the words, without a
defense and next to one, ten tabs, memory, a folder of 500 results.

The server is a process of its own, on the embedded example and MiniLM.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from shutil import rmtree, which
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Page, sync_playwright

from bench.harness import Comparison, compare
from vestige.audit.result import SCHEMA, AuditResult, Verdict
from vestige.case.findings import (
    Adversary,
    Bar,
    Chart,
    Example,
    Finding,
    Measure,
    Subject,
    TargetScores,
    Token,
)
from vestige.case.settings import Settings
from vestige.report.write import write_report
from vestige.types import Score
from vestige.view.run_pages import render_runs
from vestige.view.runs import RunIndex
from vestige.view.site import Site

KEYSTROKES, TABS, ROUNDS, RESULTS, TARGETS, TURNS = 60, 10, 5, 500, 1000, 3
SUBJECT = Subject(
    vectors=None,
    corpus="made up",
    encoder="minilm",
    auxiliary=None,
    trained_on=None,
    named=True,
    text_column="text",
    document_column=None,
    dimension=384,
    left_out=0,
    texts=9000,
    documents=2000,
    target_texts=TARGETS,
    target_documents=TARGETS,
    digest="0123456789ab",
)
PAUSE_MS = 100
"""What the page waits for after the last keystroke."""

SPIN_S = 0.3
"""After the peer has encoded, its idle threads keep the cores busy for a while."""

DEFENSE = "gaussian:768"
TEXT = "The bank refuses to refund the unauthorized charges on my credit card and reported me to the credit bureau"

TYPE = """(text) => new Promise((resolve) => {
  const area = document.getElementById('text'), results = document.getElementById('results');
  const observer = new MutationObserver(() => {
    if (!results.querySelector('.chip')) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - start));
  });
  observer.observe(results, {childList: true});
  area.value = text;
  const start = performance.now();
  area.dispatchEvent(new Event('input'));
})"""
"""The milliseconds from a keystroke until the words are on the page."""

ARRIVED = "() => new Promise(r => setInterval(() => window.took && r(window.took), 5))"
"""Wait for the milliseconds that a tab has taken."""

STARTS = {"nothing": ("vectors", "fits"), "vectors": ("fits",), "vectors and attacks": ()}
"""What a start finds in the cache, and what is removed from it before."""

PATIENCE_S = 600


@dataclass(frozen=True)
class Server:
    """A running server: its address, and its process."""

    url: str
    process: "subprocess.Popen[str]"

    @property
    def base(self) -> str:
        """The address without the token."""
        return self.url.partition("/?")[0]

    def wait_for_words(self) -> float:
        """When the words of a text could be shown."""
        form = {"text": TEXT, "defense": "", "part": "panels"}
        return self._wait(lambda: 'class="chip' in self._ask("/live", urlencode(form)))

    def wait_until_fitted(self, defense: str = "") -> float:
        """When all attacks were fitted, also behind a defense."""
        path = f"/live/status?{urlencode({'defense': defense})}"
        return self._wait(lambda: bool(json.loads(self._ask(path))["finished"]))

    def _wait(self, is_there: Callable[[], bool]) -> float:
        ends = perf_counter() + PATIENCE_S
        while not is_there():
            assert perf_counter() < ends
            sleep(0.02)
        return perf_counter()

    def _ask(self, path: str, body: str | None = None) -> str:
        port, token = re.findall(r":(\d+)/\?token=(\S+)", self.url)[0]
        connection = HTTPConnection("127.0.0.1", int(port), timeout=PATIENCE_S)
        headers = {"cookie": f"vestige-{port}={token}", "content-type": "application/x-www-form-urlencoded"}
        connection.request("GET" if body is None else "POST", path, body, headers)
        return connection.getresponse().read().decode()

    def memory(self, field: str) -> float:
        """The memory of the process in MiB, now (VmRSS) or at its peak (VmHWM)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split(f"{field}:")[1].split()[0]) / 1024


def run() -> Iterator[Comparison | str]:
    """Keystrokes, tabs and memory; then a folder of results."""
    yield from run_live()
    yield from run_folder()


def run_live() -> Iterator[Comparison | str]:
    """The live page: three starts, then keystrokes and tabs on the server of the last."""
    with TemporaryDirectory() as scratch:
        cache = Path(scratch)
        for found, removed in STARTS.items():
            for name in removed:
                rmtree(cache / name, ignore_errors=True)
            started = perf_counter()
            with _serve(cache) as server:
                words = server.wait_for_words() - started
                fitted = server.wait_until_fitted() - started
                yield (
                    f"start to first words, {found} in the cache: {words:.1f} s, to all attacks {fitted:.1f} s; "
                    f"the cache then takes {_measure_folder(cache):.0f} MB"
                )
                if not removed:
                    yield from _time_pages(server)


def _time_pages(server: "Server") -> Iterator[Comparison | str]:
    with _open_pages(server, TABS) as pages:
        yield from _time_keystrokes(pages[0])
        yield _time_defended(server, pages[0])
        yield _time_tabs(pages)
    now, peak = server.memory("VmRSS"), server.memory("VmHWM")
    yield f"memory of the server with MiniLM: {now:.0f} MiB, at most {peak:.0f} MiB"


def run_folder() -> Iterator[Comparison | str]:
    """The list of 500 results, for the first time and again, against parsing every file."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for number in range(RESULTS):
            write_report(_make_result(number), folder / f"run-{number:03d}")
        paths = sorted(folder.glob("*/report.json"))
        yield compare(
            f"the list of {RESULTS} results, first time",
            lambda: render_runs(Site(), RunIndex([folder]).list_runs(), []),
            "json.loads of each",
            lambda: [_load(path) for path in paths],
            turns=TURNS,
        )
        index = RunIndex([folder])
        index.list_runs()
        yield compare(
            f"the list of {RESULTS} results, again",
            lambda: render_runs(Site(), index.list_runs(), []),
            "json.loads of each",
            lambda: [_load(path) for path in paths],
            turns=TURNS,
        )


def _time_keystrokes(page: Page) -> Iterator[Comparison | str]:
    """Each keystroke in turn with the peer, which only embeds the text."""
    from sentence_transformers import SentenceTransformer

    from vestige.encoders.sentence_transformer import load_minilm

    peer = SentenceTransformer(str(load_minilm().folder), device="cpu")
    ours, theirs = [], []
    page.bring_to_front()
    for number in range(KEYSTROKES):
        text = TEXT[: 30 + number]
        ours.append((page.evaluate(TYPE, text) - PAUSE_MS) / 1000)
        started = perf_counter()
        peer.encode([text])
        theirs.append(perf_counter() - started)
        sleep(SPIN_S)
    median, late = np.quantile(ours, [0.5, 0.95]) * 1000
    yield (
        f"keystroke to words: median {median + PAUSE_MS:.0f} ms, 95% within {late + PAUSE_MS:.0f} ms, of which the "
        f"page waits {PAUSE_MS} ms for the next keystroke; n = {KEYSTROKES}"
    )
    yield Comparison("all attacks on one text, to the words on the page", "SentenceTransformer.encode", ours, theirs)


def _time_defended(server: "Server", page: Page) -> str:
    """The same with two attackers, one of them behind a defense."""
    selector = page.get_by_label("Defense", exact=True)
    selector.select_option(DEFENSE)
    page.get_by_label(f"Behind {DEFENSE}").wait_for(timeout=1000 * PATIENCE_S)
    server.wait_until_fitted(DEFENSE)
    sleep(2)  # The page attacks the text again when the last fit has ended.
    took = []
    for number in range(KEYSTROKES):
        took.append(page.evaluate(TYPE, TEXT[: 30 + number]))
        sleep(SPIN_S)
    selector.select_option("")
    median, late = np.quantile(took, [0.5, 0.95])
    return (
        f"keystroke to words, without a defense and behind {DEFENSE} side by side: median {median:.0f} ms, 95% within "
        f"{late:.0f} ms; n = {KEYSTROKES}"
    )


def _time_tabs(pages: list[Page]) -> str:
    """All tabs get a text at once, some times, while the searches of the last time still run."""
    for page in pages:
        page.evaluate("(type) => { window.arrived = eval(type); }", TYPE)
    took = []
    for turn in range(ROUNDS):
        for number, page in enumerate(pages):
            page.evaluate("() => { window.took = 0; }")
            text = TEXT[: 40 + turn * len(pages) + number]
            page.evaluate("(text) => { window.arrived(text).then(ms => { window.took = ms; }); }", text)
        took.append([page.evaluate(ARRIVED) for page in pages])
        sleep(1)
    last = np.max(took, axis=1)
    return (
        f"{len(pages)} tabs at once: words after {np.median(took):.0f} ms (median of {np.size(took)}), in the last tab "
        f"after {np.median(last):.0f} ms (median of {len(last)}), at most {last.max():.0f} ms, of which each waits "
        f"{PAUSE_MS} ms for the next keystroke"
    )


@contextmanager
def _serve(cache: Path) -> Iterator[Server]:
    command = [str(Path(sys.executable).parent / "vestige"), "view", "--no-browser", "--cache", str(cache)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found is not None
        yield Server(found[0], process)
    finally:
        process.terminate()
        process.wait()


@contextmanager
def _open_pages(server: Server, count: int) -> Iterator[list[Page]]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(bypass_csp=True)
        pages = [context.new_page() for _ in range(count)]
        pages[0].goto(server.url)
        for page in pages:
            page.goto(f"{server.base}/live")
        yield pages
        browser.close()


def _measure_folder(folder: Path) -> float:
    """Megabytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _make_result(number: int) -> AuditResult:
    """A result as large as one of an audit at the default size: the gains of 1,000 targets for each of three probes."""
    findings = tuple(_make_finding(probe, number) for probe in ("words", "keywords", "names"))
    verdict = Verdict("severe", "Whoever holds these vectors can read much of the text.", ("A made-up result.",))
    return AuditResult(SCHEMA, "0", verdict, findings, (), (), SUBJECT, Settings())


def _make_finding(probe: str, seed: int) -> Finding:
    gains = np.random.default_rng(seed).normal(0.5, 0.2, TARGETS)
    score = Score(float(gains.mean()), 0.4, 0.6, TARGETS, 0.0)
    bars = tuple(Bar(f"word{place}", score) for place in range(12))
    tokens = tuple(Token("hit", f"word{place}") for place in range(20))
    return Finding(
        probe=probe,
        question="Can a stranger recover your words?",
        attack="made up",
        headline="f1",
        level="severe",
        summary="A made-up finding.",
        strip=None,
        leakage=score,
        measures=tuple(Measure(name, name, score, score, score) for name in ("f1", "precision", "recall")),
        charts=tuple(Chart(f"chart {place}", "Made up.", bars) for place in range(4)),
        examples=tuple(Example("typical", 0.5, tokens, 2) for _ in range(5)),
        adversary=Adversary(("vectors",), 8000, 8000),
        warnings=(),
        per_target=TargetScores("d" * 32, tuple(range(TARGETS)), tuple(gains.tolist())),
    )


def _load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
