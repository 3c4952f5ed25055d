import json

import pytest

from tests.sample_frontier import swept
from tests.sample_result import typical
from vestige.errors import InputError
from vestige.report.write import Reports, write_frontier, write_report


def test_three_files_are_written_into_a_new_folder(tmp_path):
    folder = tmp_path / "a" / "b"
    reports = write_report(typical(), folder)
    assert reports == Reports(folder / "report.html", folder / "report.json", folder / "report.md")
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "report.json", "report.md"]


def test_the_same_result_gives_the_same_bytes(tmp_path):
    first, second = (write_report(typical(), tmp_path / name) for name in ("one", "two"))
    for name in ("html", "json", "markdown"):
        assert getattr(first, name).read_bytes() == getattr(second, name).read_bytes()


def test_a_folder_that_cannot_be_created_is_refused(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        write_report(typical(), tmp_path / "file" / "folder")


def test_a_sweep_is_written_to_three_files(tmp_path):
    reports = write_frontier(swept(), tmp_path / "out")
    assert json.loads(reports.json.read_text())["chosen"] == "gaussian:3000"
    assert "| rotation |" in reports.markdown.read_text()
    assert reports.html.read_text().lstrip().startswith("<!DOCTYPE html>")
