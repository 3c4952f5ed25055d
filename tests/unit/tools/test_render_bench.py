"""Numbers of benchmarks in pages come from records."""

import json

from render_bench import MARKED, ROOT, list_outdated, render_page, write_pages

RECORD = {
    "lines": ["words after 179 ms; n = 60", "a long line " + "of many words " * 12],
    "environment": {"cores": 2, "processor": "Some CPU"},
}


def test_the_pages_equal_their_records():
    assert list_outdated() == []
    assert any(MARKED.search(path.read_text(encoding="utf-8")) for path in (ROOT / "docs").rglob("*.md"))


def test_a_page_has_what_the_benchmark_printed(tmp_path):
    (tmp_path / "results" / "bench").mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    (tmp_path / "results" / "bench" / "view.json").write_text(json.dumps(RECORD))
    page = tmp_path / "docs" / "view.md"
    page.write_text("<!-- bench: view -->\nold\n<!-- end -->\n")
    assert list_outdated(tmp_path) == [page]
    write_pages(tmp_path)
    rendered = page.read_text()
    assert "- words after 179 ms; n = 60\n" in rendered
    assert "`python -m bench view --record`, 2 cores of Some CPU" in rendered
    assert max(map(len, rendered.splitlines())) <= 120
    assert render_page(rendered, tmp_path) == rendered
