"""Every result in a page comes from its record."""

import json
import re
import shutil

import pytest
import render_results
from record_audits import AUDITS
from render_results import MARKED, RENDERERS, ROOT, list_outdated, list_pages, render_page

READ = {path: path.read_text(encoding="utf-8") for path in list_pages()}


def test_the_pages_equal_their_records():
    assert list_outdated() == []


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    root = tmp_path_factory.mktemp("copy")
    for name in ("docs", "results"):
        shutil.copytree(ROOT / name, root / name)
    for name in ("README.md", "SECURITY.md"):
        shutil.copy(ROOT / name, root / name)
    return root


@pytest.mark.parametrize(
    ("page", "shown", "changed"),
    [
        ("docs/explanation/redaction.md", "| 0.751 (0.720", "| 0.752 (0.720"),
        ("docs/explanation/secret-keys.md", "| 0.284 |", "| 0.285 |"),
        ("docs/papers/song2020.md", "56.74", "56.75"),
        ("docs/decisions/docs-site.md", "| README.md | 679 |", "| README.md | 680 |"),
        ("README.md", "| **0.", "| **1."),
    ],
)
def test_a_cell_that_was_edited_is_found(copied, page, shown, changed):
    path = copied / page
    written = path.read_text(encoding="utf-8")
    assert shown in written
    path.write_text(written.replace(shown, changed), encoding="utf-8")
    assert [str(each) for each in list_outdated(copied)] == [page]
    path.write_text(written, encoding="utf-8")


def test_a_record_that_changed_is_found(copied):
    path = copied / "results" / "bench" / "redaction.json"
    written = path.read_text(encoding="utf-8")
    path.write_text(written.replace("0.751 (0.720", "0.761 (0.720"), encoding="utf-8")
    assert [str(each) for each in list_outdated(copied)] == ["docs/explanation/redaction.md"]
    path.write_text(written, encoding="utf-8")


def test_rendering_twice_changes_nothing(tmp_path):
    (tmp_path / "bench").mkdir()
    record = {"lines": ["words after 179 ms"], "environment": {"cores": 2, "processor": "Some CPU"}}
    (tmp_path / "bench" / "view.json").write_text(json.dumps(record))
    page = "<!-- bench: view\n| a | b |\n| c | {words after} |\n-->\nold\n<!-- end -->\n"
    once = render_page(page, tmp_path)
    assert "| c | 179 |" in once
    assert "old" not in once
    assert render_page(once, tmp_path) == once


def test_every_mark_is_known():
    marks = {name for page in READ.values() for name in re.findall(r"^<!-- ([a-z-]+)(?=[: ])", page, re.MULTILINE)}
    assert marks - {"end", "table", "reference"} == set(RENDERERS)
    assert sum(len(MARKED.findall(page)) for page in READ.values()) > 30


def test_every_audit_that_a_page_names_can_be_made():
    named = {
        re.split(r"[:=]", each)[0].strip()
        for page in READ.values()
        for found in MARKED.finditer(page)
        if found["kind"].startswith(("audit-", "severity"))
        for each in (found["argument"].split("; ") if found["kind"] == "severity" else [found["argument"]])
    }
    assert named <= set(AUDITS)
    assert len(named) > 5


def test_with_check_the_exit_code_says_whether_a_page_differs(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["render_results.py", "--check"])
    with pytest.raises(SystemExit) as stopped:
        render_results.main()
    assert stopped.value.code == 0, capsys.readouterr().out
