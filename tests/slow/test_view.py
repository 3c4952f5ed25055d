"""The live page on the embedded example with MiniLM: real words of a real text, and a server that is killed."""

import json
import re
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest

from vestige.case.settings import Settings
from vestige.text.corpora import load_corpus
from vestige.view.live import LiveModel
from vestige.view.live_source import LiveSource

pytestmark = [pytest.mark.slow, pytest.mark.encoder]

TEXT = "The bank refuses to refund the unauthorized charges on my credit card."
SMALL = Settings(targets=100, pairs=600)
OPTIONS = ("--targets", "100", "--pairs", "600")
DOCUMENTS, PATIENCE_S = 250, 500


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """Some of the complaints, so that there are few words to encode."""
    path = tmp_path_factory.mktemp("texts") / "complaints.txt"
    lines = (" ".join(text.split()) for text in load_corpus("complaints").texts[:DOCUMENTS])
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def start(cache, texts):
    sources = ("--texts", str(texts), "--encoder", "minilm", "--cache", str(cache))
    command = [str(Path(sys.executable).parent / "vestige"), "view", "--no-browser", *sources, *OPTIONS]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    port, token = re.search(r":(\d+)/\?token=(\S+)", process.stdout.readline()).groups()
    return process, int(port), f"vestige-{port}={token}"


def ask(port, cookie, path, form=None):
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    headers = {"cookie": cookie, "content-type": "application/x-www-form-urlencoded"}
    connection.request("POST" if form else "GET", path, urlencode(form) if form else None, headers)
    return connection.getresponse().read().decode()


def count_vectors(cache):
    return len(list(cache.rglob("*.safetensors")))


def read_status(port, cookie):
    return json.loads(ask(port, cookie, "/live/status"))


def list_chips(port, cookie):
    """The words of a text with their probabilities."""
    page = ask(port, cookie, "/live", {"text": TEXT, "defense": "", "part": "panels"})
    return re.findall(r'class="chip (\w+)">.*?class="chip-word">([^<]+)<.*?(\d+)%', page, re.DOTALL)


def test_a_server_that_is_killed_while_it_encodes_loses_nothing_and_the_next_continues(cache, texts):
    process, *_ = start(cache, texts)
    ends = time.monotonic() + PATIENCE_S
    while count_vectors(cache) < 3 and time.monotonic() < ends:
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = {path: path.read_bytes() for path in cache.rglob("*.safetensors")}
    assert len(before) >= 3
    process, port, cookie = start(cache, texts)
    try:
        while '"ready":true' not in ask(port, cookie, "/live/status") and time.monotonic() < ends:
            time.sleep(0.5)
        page = ask(port, cookie, "/live", {"text": TEXT, "defense": "", "part": "panels"})
        assert page.count('class="chip correct"') >= 3
        assert {path: path.read_bytes() for path in before} == before
    finally:
        process.terminate()
        process.wait()


def test_a_server_that_is_killed_during_a_fit_keeps_all_others_and_the_next_continues(cache, texts):
    """Killed while it learns sentences: words, keywords and labels are there at once, and sentences are fitted."""
    process, port, cookie = start(cache, texts)
    ends = time.monotonic() + PATIENCE_S
    status = read_status(port, cookie)
    while not (status["label"] == "Learning sentences" and status["task"]) and time.monotonic() < ends:
        assert not status["finished"], "the fit was over before it could be killed"
        time.sleep(0.02)
        status = read_status(port, cookie)
    before = list_chips(port, cookie)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(before) >= 5
    files = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in cache.rglob("*.safetensors")}
    fits = sorted(path.name for path in (cache / "fits").glob("*.safetensors"))
    assert len(fits) == 4, "the choice of keywords, and the attacks on words, keywords and labels"
    process, port, cookie = start(cache, texts)
    try:
        while not read_status(port, cookie)["ready"] and time.monotonic() < ends:
            time.sleep(0.02)
        assert list_chips(port, cookie) == before
        while not read_status(port, cookie)["finished"] and time.monotonic() < ends:
            time.sleep(0.5)
        assert read_status(port, cookie)["error"] == ""
        after = sorted(path.name for path in (cache / "fits").glob("*.safetensors"))
        assert set(fits) < set(after)
        assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files} == files, "none was made again"
        page = ask(port, cookie, "/live", {"text": TEXT, "defense": "", "part": "panels"})
        assert "data-search=" in page, "sentences can be searched"
    finally:
        process.terminate()
        process.wait()


def test_real_words_are_recovered_and_a_strong_defense_hides_them(cache, texts):
    model = LiveModel(LiveSource(texts, "minilm", SMALL, cache))
    model.start()
    model.select("pca:4")
    assert model.worker.wait(PATIENCE_S)
    assert model.find_error("pca:4") == ""
    recovered = []
    for defense in ("", "pca:4"):
        attacker = model.find_attacker(defense)
        recovered.append(attacker.attack(TEXT, model.encode(TEXT, attacker)).recovered)
    assert recovered[0] >= 4
    assert recovered[1] <= 2
    steps = list(model.find_attacker("").follow(model.encode(TEXT, model.find_attacker(""))))
    assert steps[-1].similarity > 0.8
