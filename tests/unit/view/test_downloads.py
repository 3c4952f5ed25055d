"""Files of a run."""

import json

import pytest

from vestige.view.downloads import NAMES, build_download


def test_every_file_of_every_kind_is_built(index):
    for run in index.list_runs():
        if run.error:
            continue
        for name in NAMES[run.kind]:
            content = build_download(run, name)
            assert content
            if name.endswith((".json", ".sarif")):
                json.loads(content)
    assert {run.kind for run in index.list_runs()} == {"audit", "sweep"}


def test_the_record_is_the_file_on_disk(index):
    run = next(run for run in index.list_runs() if run.name == "main")
    assert build_download(run, "report.json") == run.path.read_bytes()
    assert build_download(run, "report.html") == (run.path.parent / "report.html").read_bytes()


@pytest.mark.parametrize("name", ["compare.sarif", "../report.json", "passwd"])
def test_other_files_are_refused(index, name):
    run = next(run for run in index.list_runs() if run.name == "main")
    with pytest.raises(KeyError):
        build_download(run, name)
