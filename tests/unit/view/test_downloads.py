"""Files of a run."""

import json
from dataclasses import replace

import pytest

from vestige.errors import InputError
from vestige.view.downloads import build_download, list_files


def test_every_file_of_every_kind_is_built(index):
    for run in index.list_runs():
        if run.error:
            continue
        for name in list_files(run.kind):
            content = build_download(run, name)
            assert content
            if name.endswith((".json", ".sarif")):
                json.loads(content)
    assert {run.kind for run in index.list_runs()} == {"audit", "sweep", "judgement", "leaderboard"}


def test_the_record_is_the_file_on_disk(index):
    run = next(run for run in index.list_runs() if run.name == "main")
    assert build_download(run, "report.json") == run.path.read_bytes()
    assert build_download(run, "report.html") == (run.path.parent / "report.html").read_bytes()


@pytest.mark.parametrize("name", ["compare.sarif", "../report.json", "passwd"])
def test_other_files_are_refused(index, name):
    run = next(run for run in index.list_runs() if run.name == "main")
    with pytest.raises(KeyError):
        build_download(run, name)


def test_a_file_that_disappeared_is_explained(index):
    run = next(run for run in index.list_runs() if run.name == "main")
    with pytest.raises(InputError, match=r"gone.json cannot be read"):
        build_download(replace(run, path=run.path.parent / "gone.json"), "report.json")


def test_every_kind_of_result_can_be_saved():
    assert [list_files(kind) for kind in ("comparison", "judgement")] == [
        ["compare.html", "compare.json", "compare.md", "compare.sarif"],
        ["judge.html", "judge.json", "judge.md"],
    ]
