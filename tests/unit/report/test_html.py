import pytest
from jinja2 import UndefinedError

from tests.sample_result import HOSTILE
from vestige.report.html import mark_code, render_page


def test_a_page_has_a_frame_that_asks_nothing_of_the_network():
    page = render_page("base.html.j2", title=HOSTILE, version="1.2")
    assert page.lstrip().startswith("<!DOCTYPE html>")
    assert "default-src 'none'" in page
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page
    assert "Made by Vestige 1.2" in page


def test_a_missing_value_is_an_error_and_not_a_gap():
    with pytest.raises(UndefinedError, match="title"):
        render_page("base.html.j2", version="1.2")


def test_another_package_extends_the_same_base(tmp_path, monkeypatch):
    package = tmp_path / "other_pages"
    (package / "templates").mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    template = '{% extends "base.html.j2" %}{% block main %}<p>{{ value|number }}</p>{% endblock %}'
    (package / "templates" / "page.html.j2").write_text(template, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    page = render_page("page.html.j2", package="other_pages", title="a", version="1", value=0.5)
    assert "<p>0.500</p>" in page
    assert "<h1>a</h1>" in page


def test_code_is_marked_and_the_rest_escaped():
    assert mark_code("run `vestige judge` <b>") == "run <code>vestige judge</code> &lt;b&gt;"
    assert mark_code("`<script>` and one ` alone") == "<code>&lt;script&gt;</code> and one ` alone"
