"""The report of an audit that is still running."""

import json
from dataclasses import replace

import pytest

from tests.sample_result import CROSS_DOMAIN, finding, result
from vestige.case.codec import dumps
from vestige.cli.audit_files import CiFiles
from vestige.cli.live_report import LiveReport, describe_outcome
from vestige.errors import InputError
from vestige.files import write_together
from vestige.report.read import read_result
from vestige.report.write import write_report

HALF = replace(result(finding()), pending=("names", "words-cross-domain"))


def test_the_report_is_whole_and_says_that_the_audit_is_not(tmp_path, capsys):
    live = LiveReport(tmp_path, CiFiles(tmp_path / "out.sarif", tmp_path / "out.xml"))
    live.update(replace(result(), pending=("words", "names", "words-cross-domain")))
    assert capsys.readouterr().err == ""
    live.update(HALF)
    assert capsys.readouterr().err.startswith("words: leakage 0.46 (0.45 to 0.47), severe, ")
    assert dumps(read_result(tmp_path / "report.json")) == dumps(HALF)
    for name in ("report.html", "report.md"):
        page = (tmp_path / name).read_text()
        assert "Incomplete." in page
        assert "names, words-cross-domain have not run" in page
    assert 'name="names"' in (tmp_path / "out.xml").read_text()
    assert '"executionSuccessful": false' in (tmp_path / "out.sarif").read_text()
    assert "stopped before this probe ran" in (tmp_path / "out.xml").read_text()


def test_a_finished_report_does_not_mention_it(tmp_path):
    LiveReport(tmp_path, CiFiles(None, None)).update(result(finding()))
    assert "Incomplete" not in (tmp_path / "report.html").read_text()


def test_the_time_of_each_probe_is_measured(tmp_path):
    live = LiveReport(tmp_path, CiFiles(None, tmp_path / "out.xml"))
    live.update(HALF)
    live.update(replace(HALF, not_run=(CROSS_DOMAIN,), pending=("names",)))
    assert list(live.seconds) == ["words", "words-cross-domain"]


def test_a_probe_that_did_not_run_says_why():
    line = describe_outcome(result(not_run=(CROSS_DOMAIN,)), "words-cross-domain", 0.0)
    assert line == "words-cross-domain: not run, no cross-domain text was given"


def test_a_run_that_is_stopped_early_leaves_no_report_of_another_run(tmp_path):
    files = CiFiles(tmp_path / "out.sarif", tmp_path / "out.xml")
    live = LiveReport(tmp_path, files)
    write_report(result(finding()), tmp_path)
    write_together(files.build(result(finding()), {}))
    live.start()
    assert list(tmp_path.iterdir()) == []
    assert "before the first probe" in live.describe_stop()
    live.update(HALF)
    assert f"{tmp_path / 'report.html'} shows what was found" in live.describe_stop()


def test_a_report_and_the_files_of_ci_appear_together(tmp_path, monkeypatch):
    files = CiFiles(tmp_path / "out.sarif", tmp_path / "out.xml")
    LiveReport(tmp_path, files).update(HALF)
    names = ("report.html", "report.json", "report.md", "out.sarif", "out.xml")
    before = {name: (tmp_path / name).read_bytes() for name in names}
    synced = []

    def fill_the_disk(handle):
        synced.append(handle)
        if len(synced) == 4:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fill_the_disk)
    with pytest.raises(OSError, match="No space"):
        LiveReport(tmp_path, files).update(result(finding()))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


SARIF = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "CodeQL"}}, "results": []}]}
JUNIT = '<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="vestige"/></testsuites>'


@pytest.mark.parametrize(("name", "content"), [("out.sarif", json.dumps(SARIF)), ("out.xml", JUNIT)])
def test_what_another_tool_wrote_for_ci_is_kept(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    with (
        pytest.raises(InputError, match="did not write it"),
        CiFiles(tmp_path / "out.sarif", tmp_path / "out.xml").report_errors(),
    ):
        raise AssertionError("not reached")
    assert (tmp_path / name).read_text() == content


def test_what_an_earlier_run_wrote_for_ci_is_replaced(tmp_path):
    files = CiFiles(tmp_path / "out.sarif", tmp_path / "out.xml")
    for _ in range(2):
        with pytest.raises(InputError, match="no vectors"), files.report_errors():
            raise InputError("no vectors")
    LiveReport(tmp_path, files).update(result(finding()))
    with files.report_errors():
        files.remove()
    assert not list(tmp_path.glob("out.*"))
