"""Results are found, summarized once, and listed with the reason if they cannot be read."""

import os
from pathlib import Path

import pytest

from tests.sample_comparison import base_result, compared
from tests.sample_result import typical
from vestige.errors import InputError
from vestige.report.write import write_comparison, write_report
from vestige.view import runs as module
from vestige.view.runs import RunIndex, check_folders, open_run


def test_every_result_below_a_folder_is_found(index):
    found = {run.name: run.kind for run in index.list_runs()}
    assert found == {
        "main": "audit",
        "branch": "audit",
        "nested/letters": "audit",
        "defend": "sweep",
        "judged": "judgement",
        "encoders": "leaderboard",
        "broken": "audit",
    }


def test_a_summary_has_the_conclusions_of_the_record(index):
    run = next(run for run in index.list_runs() if run.name == "nested/letters")
    whole = typical()
    assert (run.level, run.headline, run.gates) == (whole.verdict.level, whole.verdict.headline, whole.gates)
    assert [(line.probe, line.leakage) for line in run.probes] == [("words", whole["words"].leakage)]
    assert (run.failed, run.audited) == (1, "letters, minilm")
    assert open_run(run) == whole


def test_a_finding_with_a_warning_is_unknown(index):
    run = next(run for run in index.list_runs() if run.name == "main")
    assert {line.probe: line.level for line in run.probes}["names"] == "unknown"


def test_a_damaged_file_is_listed_with_the_reason(index):
    run = next(run for run in index.list_runs() if run.name == "broken")
    assert "has schema None, expected 2" in run.error
    assert run.shown_level == "unknown"


def test_a_comparison_is_summarized(tmp_path):
    write_comparison(compared(), tmp_path)
    (run,) = RunIndex([tmp_path]).list_runs()
    assert (run.kind, run.headline, run.failed) == ("comparison", compared().headline, 1)


def test_a_file_is_read_again_only_if_it_changed(tmp_path, monkeypatch):
    path = write_report(base_result(), tmp_path).json
    read = []
    summarize = module.summarize
    monkeypatch.setattr(module, "summarize", lambda *place: read.append(place) or summarize(*place))
    index = RunIndex([tmp_path])
    index.list_runs()
    index.list_runs()
    assert len(read) == 1
    os.utime(path, (1, 1))
    assert index.list_runs()[0].time == 1
    assert len(read) == 2


def test_the_newest_comes_first_and_caches_are_skipped(tmp_path):
    for age, name in enumerate(["new", "old", "cache", ".hidden"]):
        os.utime(write_report(base_result(), tmp_path / name).json, (100 - age, 100 - age))
    assert [run.name for run in RunIndex([tmp_path]).list_runs()] == ["new", "old"]


def test_a_pipe_with_the_name_of_a_result_is_not_waited_for(tmp_path):
    write_report(base_result(), tmp_path / "main")
    (tmp_path / "trap").mkdir()
    os.mkfifo(tmp_path / "trap" / "report.json")
    trap = next(run for run in RunIndex([tmp_path]).list_runs() if run.name == "trap")
    assert "report.json is a pipe" in str(trap.error)


def test_a_file_can_be_named(tmp_path):
    path = write_report(base_result(), tmp_path / "main").json
    assert [run.name for run in RunIndex([path]).list_runs()] == ["main"]


def test_an_unknown_run_is_a_key_error(index):
    with pytest.raises(KeyError):
        index.find("nothing")


def test_a_folder_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(InputError, match="nowhere does not exist; name a folder with results"):
        check_folders([tmp_path / "nowhere"])
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(InputError, match=r"notes.txt is no result; expected a folder, or a file called report.json"):
        check_folders([tmp_path / "notes.txt"])
    with pytest.raises(InputError, match="/dev/null is no result"):
        check_folders([Path("/dev/null")])


def test_a_broken_link_is_no_result(tmp_path):
    write_report(base_result(), tmp_path / "main")
    (tmp_path / "gone").mkdir()
    (tmp_path / "gone" / "report.json").symlink_to(tmp_path / "nowhere")
    assert [run.name for run in RunIndex([tmp_path]).list_runs()] == ["main"]


def test_a_judgement_and_a_leaderboard_are_summarized(index):
    found = {run.name: run for run in index.list_runs()}
    whole = open_run(found["judged"])
    assert found["judged"].headline == whole.headline
    assert [line.leakage for line in found["judged"].probes] == [each.adaptive for each in whole.effects]
    assert found["encoders"].headline == "By 'words', first leaks least."
    assert found["encoders"].audited == "2 encoders on letters.csv"


def test_a_result_that_two_folders_lead_to_is_listed_once(tmp_path, monkeypatch):
    write_report(base_result(), tmp_path / "main")
    monkeypatch.chdir(tmp_path)
    assert len(RunIndex([tmp_path, Path("main")]).list_runs()) == 1


def test_a_file_that_may_not_be_looked_at_is_no_result(tmp_path, monkeypatch):
    write_report(base_result(), tmp_path / "main")
    hidden = write_report(base_result(), tmp_path / "hidden").json
    stat = Path.stat

    def refuse(path, **keywords):
        if path == hidden:
            raise PermissionError(13, "Permission denied")
        return stat(path, **keywords)

    monkeypatch.setattr(Path, "stat", refuse)
    assert [run.name for run in RunIndex([tmp_path]).list_runs()] == ["main"]
