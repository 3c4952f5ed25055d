"""A real cluster of three nodes on this machine: the same bytes as one process, also after nodes and drivers die."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from tests.unit.papers.conftest import CORO_SIZES
from vestige.case.codec import dumps, to_plain
from vestige.case.settings import Settings
from vestige.defend.run import defend
from vestige.defenses.catalogue import make_defense
from vestige.defenses.saved import save_defense
from vestige.engine.job import Job, SourceChanged
from vestige.engine.local_engine import LOCAL
from vestige.engine.ray_engine import RayEngine, connect
from vestige.errors import InputError
from vestige.papers.catalogue import PAPERS
from vestige.papers.run import PaperRun
from vestige.preflight import check_vectors
from vestige.preflight.whole import read_whole
from vestige.protect import tables
from vestige.protect.run import protect
from vestige.stores.arrow_columns import as_column
from vestige.stores.columns import Columns
from vestige.types import silent

pytestmark = pytest.mark.slow
ray = pytest.importorskip("ray")
FILES, ROWS = 24, 300


SMALL = {"num_cpus": 1, "object_store_memory": 100 * 2**20}


def persist(start):
    """Start a node; Ray allows its agents 15 seconds for that, which is too short on a busy machine."""
    for attempt in range(4):
        try:
            return start()
        except Exception:
            if attempt == 3:
                raise
    return None


def add_node(cluster):
    return persist(lambda: cluster.add_node(**SMALL))


@pytest.fixture(scope="module")
def cluster():
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    head = {**SMALL, "include_dashboard": False}
    cluster = persist(lambda: Cluster(initialize_head=True, head_node_args=head))
    for _ in range(2):
        add_node(cluster)
    yield cluster
    cluster.shutdown()


@pytest.fixture(scope="module")
def engine(cluster):
    with connect(cluster.address) as engine:
        yield engine


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder of vectors in many files, a fitted defense with noise, and texts."""
    place, rng = tmp_path_factory.mktemp("ray"), np.random.default_rng(0)
    (place / "in").mkdir()
    for number in range(FILES):
        vectors = rng.normal(size=(ROWS, 16)).astype(np.float32)
        ids = range(ROWS * number, ROWS * number + ROWS)
        texts = [f"The letter of customer {row} was sent on Monday." for row in ids]
        table = pa.table({"id": ids, "vector": as_column(vectors), "text": texts})
        pq.write_table(table, place / "in" / f"{number:02}.parquet")
    save_defense(make_defense("gaussian:50").fit(vectors, rng=rng), place / "fitted")
    protect(str(place / "in"), f"{place}/local/", str(place / "fitted"))
    return place


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def remove_one(cluster):
    """Progress that removes a node, without warning, after some parts; and puts another in its place at the end."""
    done, removed = [], []

    def progress(_task, _total):
        def advance(steps):
            done.append(steps)
            if len(done) == 5:
                node = sorted(cluster.worker_nodes, key=lambda each: each.node_id)[0]
                cluster.remove_node(node, allow_graceful=False)
                removed.append(node)

        return advance

    return progress, removed


@pytest.mark.parametrize("ending", ["folder/", "one.parquet", "one.npy"])
def test_protect_writes_the_same_bytes(place, engine, ending):
    protect(str(place / "in"), f"{place}/on-ray-{ending}", str(place / "fitted"), engine=engine)
    if ending == "folder/":
        assert contents(place / "on-ray-folder") == contents(place / "local")
        return
    protect(str(place / "in"), f"{place}/here-{ending}", str(place / "fitted"))
    assert (place / f"on-ray-{ending}").read_bytes() == (place / f"here-{ending}").read_bytes()


def test_check_gives_the_same_json(place, engine):
    found = []
    for each in (LOCAL, engine):
        whole = read_whole(str(place / "in"), Columns(), 500, 0, texts=None, engine=each, progress=silent)
        found.append(dumps(check_vectors(whole.sample, library=(), whole=whole)))
    assert found[0] == found[1]
    assert json.loads(found[0])["rows"] == FILES * ROWS


def test_encode_writes_the_same_bytes(place, engine, monkeypatch):
    from vestige.cli.encode import encode
    from vestige.stores import text_dataset

    monkeypatch.setattr(text_dataset, "BLOCK", 500)
    assert isinstance(engine, RayEngine), "this process is connected, and the command uses the connection"
    for name in ("local", "ray"):
        encode(str(place / "in"), "glove-6b", f"{place}/encoded-{name}/", engine=name)
    assert contents(place / "encoded-local") == contents(place / "encoded-ray")


def test_defend_gives_the_same_json(engine):
    settings = Settings(targets=120, pairs=600, queries=20, shortest=4)
    request = {"limits": ("words<0.15",), "defenses": "rounding:2,gaussian:20,rotation", "settings": settings}
    results = [
        dumps(defend(texts=toy_corpus(), encoder=WordSum(), engine=each, **request).result) for each in (LOCAL, engine)
    ]
    assert results[0] == results[1]
    assert len(json.loads(results[0])["trials"]) == 4


@pytest.fixture
def tagger(monkeypatch):
    """The tagger that workers find: other tests of this process have none, and a worker with another is refused."""
    spec = find_spec("vestige.text.tagger")
    fresh = module_from_spec(spec)
    spec.loader.exec_module(fresh)
    for module in ("vestige.text.tagger", "vestige.audit.run_probes"):
        monkeypatch.setattr(f"{module}.find_model", fresh.find_model)


@pytest.mark.usefixtures("tagger")
def test_audit_gives_the_same_json(engine, tmp_path):
    """Three probes with findings, and one that cannot run."""
    names = ("words", "keywords", "membership", "membership-training")
    settings = Settings(targets=60, pairs=300, queries=10, probes=names)
    texts = vestige.load_corpus("complaints").take(range(400))
    results = [
        dumps(vestige.audit(texts=texts, encoder="glove-6b", settings=settings, cache=tmp_path / name, engine=each))
        for name, each in (("local", LOCAL), ("ray", engine))
    ]
    assert results[0] == results[1]
    assert [each["probe"] for each in json.loads(results[0])["findings"]] == ["words", "keywords", "membership"]
    stored = [sorted(path.name for path in (tmp_path / name / "findings").glob("*.json")) for name in ("local", "ray")]
    assert stored[0] == stored[1]


def without_times(record):
    """A reproduction without seconds and minutes, which differ from run to run."""
    rows = [replace(row, lines=tuple(replace(line, seconds=None) for line in row.lines)) for row in record.rows]
    return to_plain(replace(record, rows=tuple(rows), minutes=0.0))


def test_reproduce_gives_the_same_rows(engine, tmp_path):
    run = PaperRun(replace(CORO_SIZES, steps=(60, 100)), encoders={"Sentence-BERT": "glove-6b"})
    records = [
        PAPERS["coro2022"].load().reproduce("figure5.1", "test", replace(run, engine=each, cache=tmp_path / name))
        for name, each in (("local", LOCAL), ("ray", engine))
    ]
    assert without_times(records[0]) == without_times(records[1])
    assert len(records[0].rows) == 6
    assert all(row.lines for row in records[1].rows)
    assert len(list((tmp_path / "ray" / "rows").iterdir())) == 6


def test_a_node_that_is_removed_changes_nothing(place, engine, cluster):
    progress, removed = remove_one(cluster)
    protect(str(place / "in"), f"{place}/node/", str(place / "fitted"), engine=engine, progress=progress)
    assert len(removed) == 1
    assert contents(place / "node") == contents(place / "local")
    add_node(cluster)


DRIVER = """
import os, signal, sys
from vestige.engine.choose import open_engine
from vestige.protect.run import protect

def progress(_task, _total):
    done = []
    def advance(steps):
        done.append(steps)
        if len(done) == 5:
            os.kill(os.getpid(), signal.SIGKILL)
    return advance

with open_engine("ray", sys.argv[1]) as engine:
    protect(sys.argv[2], sys.argv[3], sys.argv[4], engine=engine, progress=progress)
"""


def test_a_driver_that_is_killed_is_resumed_by_anyone(place, engine, cluster):
    arguments = [cluster.address, str(place / "in"), f"{place}/driver/", str(place / "fitted")]
    ran = subprocess.run([sys.executable, "-c", DRIVER, *arguments], check=False, timeout=120)
    assert ran.returncode == -signal.SIGKILL
    assert 0 < len(list((place / "driver").glob("part-*"))) < FILES
    assert not (place / "driver" / "_manifest.json").exists()
    protect(str(place / "in"), f"{place}/driver/", str(place / "fitted"), engine=engine)
    assert contents(place / "driver") == contents(place / "local")


def test_a_part_that_always_fails_is_named_and_the_others_are_finished(place, engine):
    damaged = place / "damaged"
    damaged.mkdir()
    for path in (place / "in").iterdir():
        (damaged / path.name).write_bytes(path.read_bytes())
    content = bytearray((damaged / "07.parquet").read_bytes())
    content[4:2000] = bytes(1996)
    (damaged / "07.parquet").write_bytes(content)
    with pytest.raises(InputError, match=r"1 of 24 parts failed repeatedly \(part 7, rows 2,100 to 2,399"):
        protect(str(damaged), f"{place}/failed/", str(place / "fitted"), engine=engine)
    assert len(list((place / "failed").glob("part-*"))) == FILES - 1


def test_a_source_that_changes_is_named_and_nothing_remains(place, engine, tmp_path):
    copied = tmp_path / "in"
    copied.mkdir()
    for path in (place / "in").iterdir():
        (copied / path.name).write_bytes(path.read_bytes())

    def progress(_task, _total):
        done = []

        def advance(steps):
            done.append(steps)
            if len(done) == 3:
                (copied / "23.parquet").write_bytes((copied / "22.parquet").read_bytes())

        return advance

    with pytest.raises(SourceChanged, match="changed while"):
        protect(str(copied), f"{tmp_path}/out/", str(place / "fitted"), engine=engine, progress=progress)
    assert not (tmp_path / "out").exists()


@dataclass(frozen=True)
class OnAFullDisk:
    """Writes parts, except on the node that starts first, where no file may grow beyond a kilobyte."""

    writer: Any
    full: str

    def prepare(self, advance):
        node = ray.get_runtime_context().get_node_id()
        with suppress(FileExistsError), Path(self.full).open("x") as file:
            file.write(node)
        if Path(self.full).read_text() == node:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        return self.writer.prepare(advance)


def test_a_full_disk_on_one_node_moves_its_parts_to_others(place, engine, monkeypatch, tmp_path):
    real = tables.TableWriter
    monkeypatch.setattr(tables, "TableWriter", lambda *given: OnAFullDisk(real(*given), f"{tmp_path}/node"))
    protect(str(place / "in"), f"{place}/full/", str(place / "fitted"), engine=engine)
    assert (tmp_path / "node").exists()
    assert contents(place / "full") == contents(place / "local")


@dataclass(frozen=True)
class SlowOnce:
    """One item takes minutes when it first runs, and no time when it is repeated."""

    mark: str

    def prepare(self, advance):
        def work(item):
            if item == 5 and not Path(self.mark).exists():
                Path(self.mark).touch()
                time.sleep(300)
            advance(1)
            return item

        return work


def test_a_straggler_is_repeated_elsewhere(engine, tmp_path):
    began = time.monotonic()
    outcomes = list(engine.run(Job(SlowOnce(f"{tmp_path}/mark"), repeats=True), range(9), 9, lambda _steps: None))
    assert sorted((each.index, each.result) for each in outcomes) == [(item, item) for item in range(9)]
    assert time.monotonic() - began < 120
