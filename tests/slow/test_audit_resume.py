"""An audit of a real encoder and real text: its finding, and that a killed run resumes with the same result."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from safetensors.numpy import load_file

import vestige

SIZES = (
    *("--texts", "speeches", "--encoder", "minilm", "--targets", "200", "--pairs", "1400"),
    *("--rewritten", "12", "--queries", "60"),
)
COMMAND = (sys.executable, "-c", "from vestige.cli.main import main; main()", "audit", *SIZES)

pytestmark = pytest.mark.encoder


def read_keys(out: Path) -> list[bytes]:
    """The key of every text encoded so far, block by block as stored on disk."""
    return [key.tobytes() for block in out.rglob("*.safetensors") for key in load_file(block)["keys"]]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    out = tmp_path_factory.mktemp("finished")
    subprocess.run([*COMMAND, "--out", str(out)], check=True, capture_output=True)
    return out


def test_words_are_recovered_and_the_control_is_at_the_prior(finished):
    finding = json.loads((finished / "report.json").read_text())["findings"][0]
    f1 = finding["measures"][0]
    assert f1["name"] == "f1"
    assert finding["leakage"]["low"] > 0.08
    assert f1["prior"]["low"] <= f1["control"]["value"] <= f1["prior"]["high"]


def test_a_killed_run_resumes_and_ends_with_the_same_report(finished, tmp_path):
    victim = subprocess.Popen([*COMMAND, "--out", str(tmp_path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not list_blocks(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    survived = {path: path.stat().st_mtime_ns for path in list_blocks(tmp_path)}
    assert survived
    assert not (tmp_path / "report.json").exists()
    subprocess.run([*COMMAND, "--out", str(tmp_path)], check=True, capture_output=True)
    assert (tmp_path / "report.json").read_bytes() == (finished / "report.json").read_bytes()
    assert all(path.stat().st_mtime_ns == when for path, when in survived.items())
    keys = read_keys(tmp_path)
    assert len(keys) == len(set(keys)) == len(read_keys(finished))


def test_a_run_that_is_terminated_leaves_a_report_of_what_it_found(tmp_path):
    victim = subprocess.Popen(
        [*COMMAND, "--out", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert victim.stderr is not None
    found = next(line for line in victim.stderr if line.startswith("words: leakage"))
    next(line for line in victim.stderr if line.startswith("keywords: about"))
    victim.terminate()
    _, said = victim.communicate(timeout=60)
    assert victim.returncode == 128 + signal.SIGTERM
    assert f"stopped; {tmp_path / 'report.html'} shows what was found until then" in " ".join(said.split())
    result = vestige.read_result(tmp_path / "report.json")
    assert [finding.probe for finding in result.findings] == ["words"]
    assert f"{result['words'].leakage.value:.2f}" in found
    assert "sentences" in result.pending


def list_blocks(out: Path) -> list[Path]:
    return list(out.rglob("*.safetensors"))


def test_a_second_run_queries_no_text(finished):
    before = (finished / "report.json").read_bytes()
    code = (
        "import vestige.encoders.sentence_transformer as st\n"
        "st.SentenceTransformerEncoder.encode = None\n"
        "from vestige.cli.main import main; main()"
    )
    subprocess.run(
        [sys.executable, "-c", code, "audit", *SIZES, "--out", str(finished)], check=True, capture_output=True
    )
    assert (finished / "report.json").read_bytes() == before
