"""A real cluster of three nodes on this machine: the same bytes as one process, also after nodes and drivers die."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from tests.unit.papers.conftest import CORO_SIZES
from vestige.case.codec import dumps, to_plain
from vestige.case.settings import Settings
from vestige.cli.encode import encode
from vestige.defend.run import defend
from vestige.defenses.catalogue import make_defense
from vestige.defenses.saved import save_defense
from vestige.engine import ray_actors
from vestige.engine.job import FailedItems, Job, SourceChanged
from vestige.engine.local_engine import LOCAL
from vestige.engine.ray_engine import connect
from vestige.errors import InputError
from vestige.papers.catalogue import PAPERS
from vestige.papers.run import PaperRun
from vestige.preflight import check_vectors
from vestige.preflight.whole import read_whole
from vestige.protect import tables
from vestige.protect.run import protect
from vestige.stores import text_dataset
from vestige.stores.arrow_columns import as_column
from vestige.stores.columns import Columns
from vestige.types import silent

pytestmark = pytest.mark.slow
ray = pytest.importorskip("ray")
ROOT = Path(__file__).parents[2]
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
    return place


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def run_protect(place, name, engine):
    protect(str(place / "in"), f"{place}/{name}/", str(place / "fitted"), engine=engine)
    return contents(place / name)


def run_check(place, _name, engine):
    whole = read_whole(str(place / "in"), Columns(), 500, 0, texts=None, engine=engine, progress=silent)
    found = dumps(check_vectors(whole.sample, library=(), whole=whole))
    assert json.loads(found)["rows"] == FILES * ROWS
    return found


def run_encode(place, name, engine):
    with (
        mock.patch.object(text_dataset, "BLOCK", 500),
        mock.patch("vestige.engine.choose.open_engine", return_value=nullcontext(engine)),
    ):
        encode(str(place / "in"), "glove-6b", f"{place}/{name}/", engine="ray" if engine.is_cluster else "local")
    return contents(place / name)


def run_defend(_place, _name, engine):
    settings = Settings(targets=120, pairs=600, queries=20, shortest=4)
    request = {"limits": ("words<0.15",), "defenses": "rounding:2,gaussian:20,rotation", "settings": settings}
    found = dumps(defend(texts=toy_corpus(), encoder=WordSum(), engine=engine, **request).result)
    assert len(json.loads(found)["trials"]) == 4
    return found


COMMANDS = {"protect": run_protect, "check": run_check, "encode": run_encode, "defend": run_defend}
WRITTEN = ("protect", "encode")
"""Commands that write parts, with which a later run continues."""


@dataclass(frozen=True)
class Interrupted:
    """An engine that acts when the second item has finished, while others are running."""

    engine: Any
    act: Any
    is_cluster: ClassVar[bool] = True

    def run(self, job, items, total, advance):
        for count, outcome in enumerate(self.engine.run(job, items, total, advance), 1):
            if count == 2:
                self.act()
            yield outcome


@pytest.fixture(scope="module")
def expected(place):
    """What each command gives on this machine alone."""
    return cache(lambda command: COMMANDS[command](place, f"{command}-local", LOCAL))


@pytest.mark.parametrize("name", ["one.parquet", "one.npy"])
def test_protect_writes_the_same_file(place, engine, name):
    for each, kind in ((LOCAL, "here"), (engine, "there")):
        protect(str(place / "in"), f"{place}/{kind}-{name}", str(place / "fitted"), engine=each)
    assert (place / f"there-{name}").read_bytes() == (place / f"here-{name}").read_bytes()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_node_that_is_removed_changes_nothing(place, engine, cluster, expected, command):
    removed = []

    def remove():
        if not removed:
            removed.append(sorted(cluster.worker_nodes, key=lambda each: each.node_id)[0])
            cluster.remove_node(removed[0], allow_graceful=False)

    try:
        found = COMMANDS[command](place, f"{command}-node", Interrupted(engine, remove))
    finally:
        if removed:
            add_node(cluster)
    assert len(removed) == 1
    assert found == expected(command)


DRIVER = """
import os, signal, sys
from pathlib import Path
from tests.slow.test_ray_cluster import COMMANDS, Interrupted
from vestige.engine.choose import open_engine

with open_engine("ray", sys.argv[1]) as engine:
    kill = Interrupted(engine, lambda: os.kill(os.getpid(), signal.SIGKILL))
    COMMANDS[sys.argv[2]](Path(sys.argv[3]), f"{sys.argv[2]}-driver", kill)
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_driver_that_is_killed_is_resumed_by_anyone(place, engine, cluster, expected, command):
    whole, words = expected(command), [sys.executable, "-c", DRIVER, cluster.address, command, str(place)]
    assert subprocess.run(words, check=False, timeout=180, cwd=ROOT).returncode == -signal.SIGKILL
    written = place / f"{command}-driver"
    if command in WRITTEN:
        assert 0 < len(list(written.glob("part-*"))) < len(list((place / f"{command}-local").glob("part-*")))
        assert not (written / "_manifest.json").exists()
    assert COMMANDS[command](place, written.name, engine) == whole


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


def test_a_full_disk_on_one_node_moves_its_parts_to_others(place, engine, expected, monkeypatch, tmp_path):
    whole, real = expected("protect"), tables.TableWriter
    monkeypatch.setattr(tables, "TableWriter", lambda *given: OnAFullDisk(real(*given), f"{tmp_path}/node"))
    found = run_protect(place, "full", engine)
    assert (tmp_path / "node").exists()
    assert found == whole


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


class FailsAtTwo:
    """One item fails on every machine."""

    def prepare(self, _advance):
        def work(item):
            if item == 2:
                raise InputError("damaged")
            return item

        return work


def test_a_part_that_fails_does_not_wait_for_workers_for_which_there_is_no_room(engine, monkeypatch):
    monkeypatch.setattr(ray_actors, "STARTING", 5.0)
    began = time.monotonic()
    with pytest.raises(FailedItems, match=r"1 of 6 parts failed repeatedly \(2: damaged\)"):
        list(replace(engine, workers=5).run(Job(FailsAtTwo()), range(6), 6, lambda _steps: None))
    assert time.monotonic() - began < 60


def fail_to_load():
    raise ImportError("No module named 'house_encoder'")


class Unloadable:
    """Work that no worker can load, as if it came from a plugin that only this machine has."""

    def __reduce__(self):
        return fail_to_load, ()


def test_workers_that_cannot_start_are_explained(engine, monkeypatch):
    monkeypatch.setattr(ray_actors, "PATIENCE", 45.0)
    with pytest.raises(InputError, match=r"no worker has started .* died: .*No module named 'house_encoder'"):
        list(engine.run(Job(Unloadable()), range(2), 2, lambda _steps: None))


class Cards:
    """Names the graphics cards that a worker was given."""

    def prepare(self, _advance):
        return lambda _item: ray.get_runtime_context().get_accelerator_ids()["GPU"]


def test_a_job_that_needs_a_card_runs_where_one_is(cluster, engine, place):
    job = Job(Cards(), card=True)
    with pytest.raises(InputError, match="has a graphics card"):
        list(engine.run(job, range(2), 2, lambda _steps: None))
    node = persist(lambda: cluster.add_node(**SMALL, num_gpus=1))
    try:
        cluster.wait_for_nodes()
        outcomes = list(engine.run(job, range(2), 2, lambda _steps: None))
        with (
            mock.patch("vestige.engine.choose.open_engine", return_value=nullcontext(engine)),
            pytest.raises(InputError, match=r"'cuda', which torch .* does not find"),
        ):
            encode(str(place / "in"), "minilm", f"{place}/card/", device="cuda", engine="ray")
    finally:
        cluster.remove_node(node)
    assert [outcome.result for outcome in outcomes] == [["0"], ["0"]]
    assert not (place / "card").exists(), "the worker needs the card, and nothing is left of the attempt"
