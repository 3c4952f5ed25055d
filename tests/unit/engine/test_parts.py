"""Parts that are complete or absent, and what makes them be computed again."""

import json
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from vestige.engine import lock
from vestige.engine.folders import OWNER, open_folder
from vestige.engine.job import FolderTaken, Job, SourceChanged
from vestige.engine.local_engine import LOCAL, LocalEngine
from vestige.engine.parts import MANIFEST, Part, PartsWork, claim, finish, remove_leftovers, run_parts
from vestige.errors import InputError

PARTS = [Part(number, 10 * number, 10 * number + 10) for number in range(4)]
written = []


@dataclass(frozen=True)
class Rows:
    """Writes the row numbers of a part."""

    fails: int = -1

    def prepare(self, advance):
        def write(part, place):
            written.append(part.number)
            if part.number == self.fails:
                raise SourceChanged("the source changed")
            place.write_text("".join(f"{row}\n" for row in range(part.start, part.stop)))
            advance(part.rows)
            return {"zeros": 1}

        return write


@pytest.fixture(params=["path", "memory"])
def folder(request, tmp_path, monkeypatch):
    written.clear()
    monkeypatch.setattr(lock, "SETTLING", 0.0)
    monkeypatch.setattr(lock, "RENEWAL", 0.1)
    return open_folder(tmp_path / "out" if request.param == "path" else f"memory://{tmp_path.name}/out")


def run(folder, work="work", parts=PARTS, **options):
    steps = []
    job = Job(PartsWork(folder.absolute(), work, ".txt", Rows(**options)))
    records = run_parts(LOCAL, job, parts, len(parts), folder, steps.append)
    return records, sum(steps)


def test_parts_are_named_by_position_and_listed_in_the_manifest(folder):
    with claim(folder, "work"):
        records, steps = run(folder)
        finish(folder, records, {"version": "1"})
    assert steps == 40
    assert [record.name for record in records] == [f"part-{number:06d}.txt" for number in range(4)]
    assert folder.list_names() == ["_manifest.json", *(record.name for record in records)]
    manifest = json.loads(folder.read("_manifest.json"))
    assert (manifest["rows"], manifest["parts"][1]["rows"]) == (40, 10)
    assert manifest["parts"][1]["sha256"] == folder.compute_sha256("part-000001.txt")
    with pytest.raises(InputError, match="already complete"), claim(folder, "work"):
        pass


def test_only_what_is_missing_damaged_or_foreign_is_computed_again(folder):
    with claim(folder, "work"):
        before, _ = run(folder)
        written.clear()
        assert run(folder) == (before, 40)
        assert written == []
        folder.delete("part-000000.txt")
        folder.write("part-000001.txt", b"damaged")
        folder.write("_records/000002.json", b"damaged")
        assert run(folder) == (before, 40)
        assert written == [0, 1, 2]
        written.clear()
        run(folder, work="other")
        assert written == [0, 1, 2, 3]


def test_parts_of_a_longer_run_do_not_remain(folder):
    with claim(folder, "work"):
        run(folder)
    with claim(folder, "work"):
        records, _ = run(folder, parts=PARTS[:2])
        finish(folder, records, {})
    assert folder.list_names() == ["_manifest.json", "part-000000.txt", "part-000001.txt"]


def test_nothing_remains_of_a_source_that_changed(folder):
    with pytest.raises(SourceChanged), claim(folder, "work"):
        run(folder, fails=2)
    assert folder.list_names() == []


def test_a_run_that_wrote_no_part_leaves_nothing(folder):
    with pytest.raises(ZeroDivisionError), claim(folder, "work"):
        raise ZeroDivisionError
    assert folder.list_names() == []


def test_what_killed_workers_left_is_removed(tmp_path):
    folder = open_folder(tmp_path / "out")
    with claim(folder, "work"):
        run(folder)
        (tmp_path / "out" / ".part-000001.txt.abc.tmp").write_bytes(b"half")
    with claim(folder, "work"):
        assert not list((tmp_path / "out").glob("*.tmp"))


def test_records_that_a_kill_at_the_very_end_left_are_removed(tmp_path):
    folder = open_folder(tmp_path / "out")
    with claim(folder, "work"):
        finish(folder, run(folder)[0], {})
    folder.write("_records/000001.json", b"{}")
    with pytest.raises(InputError, match="already complete"), claim(folder, "work"):
        pass
    assert "_records/000001.json" not in folder.list_names()


def test_two_runs_at_once_are_refused(folder):
    refused = rf"another run .*is writing {folder.place}; wait for it"
    with claim(folder, "work"), pytest.raises(InputError, match=refused), claim(folder, "work"):
        pass


def test_a_run_that_is_tidying_up_is_left_alone(folder):
    """Its manifest is there, and a second run that begins just then takes neither its records nor its lock."""
    with claim(folder, "work") as held:
        records, _ = run(held)
        held.write(MANIFEST, b"{}")
        with pytest.raises(InputError, match=r"another run .*is writing"), claim(folder, "work"):
            pass
        finish(held, records, {})
    assert folder.list_names() == [MANIFEST, *(record.name for record in records)]


def test_a_run_that_lost_its_folder_ends_and_leaves_what_is_there(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "SETTLING", 0.0)
    folder = open_folder(f"memory://{tmp_path.name}/out")

    def items():
        yield from PARTS[:2]
        folder.write(lock.LOCK, b"process 1 on another machine, abc\n0\n")
        yield from PARTS[2:]

    def run_both():
        with claim(folder, "work") as held:
            job = Job(PartsWork(held.absolute(), "work", ".txt", Rows()))
            run_parts(LOCAL, job, items(), len(PARTS), held, lambda _steps: None)

    with pytest.raises(FolderTaken):
        run_both()
    assert [name for name in folder.list_names() if name.startswith("part-")] == ["part-000000.txt", "part-000001.txt"]


def test_a_run_that_lost_its_folder_removes_nothing_even_if_it_failed(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "SETTLING", 0.0)
    folder = open_folder(f"memory://{tmp_path.name}/out")

    def fail():
        with claim(folder, "work") as held:
            folder.write(lock.LOCK, b"process 1 on another machine, abc\n0\n")
            folder.write("part-000000.txt", b"of the other run")
            run(held, fails=0)

    with pytest.raises(FolderTaken):
        fail()
    assert folder.read("part-000000.txt") == b"of the other run"


def test_a_part_that_is_on_another_disk_is_missed(folder):
    with claim(folder, "work") as held:
        records, _ = run(held)
        held.delete("part-000002.txt")
        with pytest.raises(InputError, match=r"lacks part-000002.txt, .* a disk that all machines share"):
            finish(held, records, {})
        assert "_manifest.json" not in held.list_names()


def test_a_test_file_of_a_killed_run_is_no_file_of_others(folder):
    folder.write("_writable", b"yes")
    with claim(folder, "work") as held:
        finish(held, run(held)[0], {})
    assert "_writable" not in folder.list_names()


def test_files_of_others_are_not_touched(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="is not empty"), claim(open_folder(tmp_path / "out"), "work"):
        pass
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_left_over_parts_of_a_file_are_removed(tmp_path):
    (tmp_path / ".out.npy.parts").mkdir()
    remove_leftovers(tmp_path / "out.npy")
    remove_leftovers(tmp_path / "other.npy")
    assert list(tmp_path.iterdir()) == []


@dataclass(frozen=True)
class Cluster:
    """Workers on another machine, which see the folder at `path`; `act` is called when two parts are written."""

    path: Any
    act: Any = None
    is_cluster: ClassVar[bool] = True

    def run(self, job, items, total, advance):
        elsewhere = replace(job.work, folder=replace(job.work.folder, path=self.path))
        for count, outcome in enumerate(LocalEngine(1).run(replace(job, work=elsewhere), items, total, advance), 1):
            if self.act and count == 2:
                self.act()
            yield outcome


def run_on_cluster(folder, cluster):
    job = Job(PartsWork(folder.absolute(), "work", ".txt", Rows()))
    return run_parts(cluster, job, PARTS, len(PARTS), folder, lambda _steps: None)


def test_workers_write_into_the_folder_of_the_command(tmp_path):
    folder = open_folder(tmp_path / "out")
    with claim(folder, "work") as held:
        finish(held, run_on_cluster(held, Cluster(tmp_path / "out")), {})
    assert folder.list_names() == ["_manifest.json", *(f"part-{number:06d}.txt" for number in range(4))]


def test_a_worker_without_the_shared_disk_writes_nothing(tmp_path):
    folder = open_folder(tmp_path / "out")
    expected = r"elsewhere on the machine .* is not the folder that this run writes.* a disk that all machines share"
    with pytest.raises(InputError, match=expected), claim(folder, "work") as held:
        run_on_cluster(held, Cluster(tmp_path / "elsewhere"))
    assert not (tmp_path / "elsewhere").exists()


def test_a_worker_whose_own_disk_has_an_older_folder_is_refused(tmp_path):
    open_folder(tmp_path / "elsewhere").write(OWNER, b"an older run")
    with pytest.raises(FolderTaken), claim(open_folder(tmp_path / "out"), "work") as held:
        run_on_cluster(held, Cluster(tmp_path / "elsewhere"))
    assert open_folder(tmp_path / "elsewhere").list_names() == [OWNER]


def test_workers_of_a_killed_command_write_nothing_once_another_resumes(tmp_path):
    folder = open_folder(tmp_path / "out")

    def run_while_another_resumes():
        with claim(folder, "work") as held:
            run_on_cluster(held, Cluster(tmp_path / "out", lambda: folder.hold("another run")))

    with pytest.raises(FolderTaken, match="another run is writing"):
        run_while_another_resumes()
    assert [name for name in folder.list_names() if name.startswith("part-")] == ["part-000000.txt", "part-000001.txt"]


@pytest.mark.parametrize("damage", ["rows", "detail", "name", "deep"])
def test_a_part_whose_record_was_changed_is_computed_again(folder, damage):
    with claim(folder, "work"):
        before, _ = run(folder)
        written.clear()
        record = json.loads(folder.read("_records/000001.json"))
        changed = {
            "rows": {**record, "rows": 11},
            "detail": {**record, "detail": {"zeroes": 1}},
            "name": {**record, "name": "part-000000.txt", "sha256": before[0].sha256},
        }
        deep = b"[" * 200_000
        content = deep if damage == "deep" else json.dumps(changed[damage]).encode()
        folder.write("_records/000001.json", content)
        after, _ = run(folder)
        assert written == [1]
        assert after == before


def test_only_the_owner_may_enter_the_folders_of_a_run(tmp_path):
    folder = open_folder(tmp_path / "a" / "b" / "out")
    with claim(folder, "work"):
        finish(folder, run(folder)[0], {})
    beside = open_folder(tmp_path / "c" / "d")
    beside.write("e/f/it", b"x")
    with open_folder(tmp_path / "g" / "h").scratch("it"):
        pass
    made = [path for path in tmp_path.rglob("*") if path.is_dir()]
    assert len(made) == 9
    assert {path.stat().st_mode & 0o777 for path in made} == {0o700}
