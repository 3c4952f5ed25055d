"""Links of the server and of a static site."""

import pytest

from tests.sample_result import HOSTILE
from vestige.view.site import Site


@pytest.mark.parametrize(
    ("static", "expected"),
    [
        (False, ["/runs", "/run/ab", "/explore/word/a%2Fb%3F", "/compare?base=1&new=2", "/files/ab/report.json"]),
        (True, ["index.html", "run-ab.html", "explore-word-a/b?.html", "compare.html", "files/ab/report.json"]),
    ],
)
def test_links(static, expected):
    site = Site(static=static)
    found = [site.link("runs"), site.link("run", "ab"), site.link("explore", "word", "a/b?")]
    assert [*found, site.link("compare", base=1, new=2), site.file("ab", "report.json")] == expected


def test_the_frame_loads_its_files_from_the_server():
    page = Site().render("error.html.j2", active="", title=HOSTILE, sentence=HOSTILE)
    assert HOSTILE not in page
    assert page.count("&lt;script&gt;") == 3
    assert '<link rel="stylesheet" href="/static/view.css">' in page
    assert "<style>" not in page


def test_the_static_frame_needs_no_other_file():
    page = Site(static=True).render("error.html.j2", active="", title="a", sentence="b")
    assert "--paper" in page
    assert "/static/" not in page
    assert "<script" not in page
    assert "default-src 'none'" in page
