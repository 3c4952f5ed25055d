"""Every code block of the tutorials and how-tos runs, in order, in a folder of its own.

To be quick, the shipped corpora are cut, sizes come from a `vestige.toml`, word hashing stands in for MiniLM except
where a block needs its weights, and vectors of 2,048 columns have 64. The address of a local server is that of a test
server.
"""

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

from tests.endpoint_server import EmbeddingServer, served
from vestige.cli.main import main
from vestige.encoders.load import load_encoder
from vestige.probes import patterns
from vestige.text import corpora

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted(path for folder in ("tutorials", "how-to") for path in (ROOT / "docs" / folder).glob("*.md")),
    *(ROOT / "docs" / name for name in ("view.md", "scaling.md")),
]
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
NOT_RUN = {"first-audit.md": 1, "view.md": 1, "scaling.md": 2, "encode.md": 1}
"""Pages with blocks that are shown and not run: installing from a package index, a server that does not end, a cluster
of other machines, a graphics card, and benchmarks that take hours.
"""

STAND_IN = "hashing:64@speeches"
DATABASE = "pgvector:postgresql://reader@localhost/mail#letters.embedding", "chroma:store#letters"
"""A database that needs a server, and the store of the same page that takes its place; its column of texts is known."""
NARROW = {"tfidf:2048": "tfidf:64"}
"""Encoders with fewer columns: attacks solve systems of that size."""

DOCUMENTS = {"complaints": 200, "speeches": 44}
FEWER = {"train-private-encoder": {"complaints": 60}}
UNCUT = {"reproduce"}
"""Pages that need whole corpora."""

SIZES = """
[audit]
probe = ["words"]
targets = 60
pairs = 120
vocabulary-size = 200
rewritten = 1
queries = 3
labels = 5

[defend]
targets = 40
pairs = 120
vocabulary-size = 200

[leaderboard]
targets = 40
pairs = 120
lengths = "40"
"""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file that it shows, if it has a title, and its content."""

    language: str
    title: str
    content: str


def list_blocks(path: Path) -> list[Block]:
    return [Block(*found) for found in BLOCK.findall(path.read_text(encoding="utf-8"))]


@pytest.fixture
def data(tmp_path_factory, path):
    """The shipped corpora with few documents, and with fewer for a page that trains a network."""
    folder = tmp_path_factory.mktemp("data")
    for name, count in (DOCUMENTS | FEWER.get(path.stem, {})).items():
        table = pq.read_table(corpora.DATA / f"{name}.parquet")
        rows = np.unique(np.linspace(0, len(table) - 1, count).astype(int))
        pq.write_table(table.take(rows), folder / f"{name}.parquet")
    return folder


@pytest.fixture
def server():
    with served(EmbeddingServer(load_encoder(STAND_IN))) as serving:
        yield serving.url


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_block_runs(path, data, server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    if path.stem not in UNCUT:
        monkeypatch.setattr(corpora, "DATA", data)
    monkeypatch.setattr(patterns, "MADE_UP", 300)
    Path("vestige.toml").write_text(SIZES)
    blocks = list_blocks(path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks:
        run_block(block, names, server, monkeypatch)
    assert sum(block.language == "console" for block in blocks) == NOT_RUN.get(path.name, 0)


def run_block(block, names, server, monkeypatch):
    content = stand_in(block.content, server)
    if block.title == "vestige.toml":
        Path(block.title).write_text(SIZES + content)
    elif block.title:
        Path(block.title).write_text(content)
    elif block.language == "python":
        exec(compile(content, "a block", "exec"), names)
    elif block.language == "bash":
        for line in content.replace("\\\n", " ").splitlines():
            run_command(shlex.split(line), monkeypatch)
    elif block.language == "yaml":
        assert yaml.safe_load(content)
    else:
        assert block.language in ("console", "text"), f"what is a block of {block.language}?"


def stand_in(content, server):
    """The block with hashing for MiniLM, fewer columns, the address of the test server, and a store without one."""
    content = content.replace("http://localhost:8080/v1", server).replace(*DATABASE).replace("--text-column body ", "")
    for wide, narrow in NARROW.items():
        content = content.replace(wide, narrow)
    return content if "white_box" in content else content.replace("minilm", STAND_IN)


def run_command(words, monkeypatch):
    assert words[0] == "vestige"
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code, " ".join(words)


def test_blocks_are_found():
    found = {path.name: len(list_blocks(path)) for path in PAGES}
    assert all(found.values())
    assert sum(found.values()) > 40
