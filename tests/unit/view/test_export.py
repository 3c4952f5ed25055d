"""The static site is complete: every link of every page leads to a file that was written."""

import re
from html import unescape

import pytest

from vestige.errors import InputError
from vestige.view.export import export_site, list_neighbours


def test_every_link_leads_to_a_file(index, tmp_path):
    folder = tmp_path / "site"
    pages = export_site(index.list_runs(), folder)
    found = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    assert pages == sum("/" not in name for name in found) > 10
    for name, page in found.items():
        if "/" in name:
            continue
        links = {unescape(link).partition("#")[0] for link in re.findall(r'href="([^"]*)"', page)} - {"", "data:,"}
        assert [link for link in links if not (folder / link).is_file()] == [], name
        assert "<script" not in page
        assert "The live page, the stored vectors and their map need the vectors" in page, name


def test_neighbours_of_the_same_data_are_compared(index):
    assert len(list(list_neighbours(index.list_runs()))) == 2


def test_a_site_is_never_overwritten_and_never_empty(index, tmp_path):
    with pytest.raises(InputError, match="no result was found to export"):
        export_site([], tmp_path / "site")
    (tmp_path / "there").mkdir()
    with pytest.raises(InputError, match="already exists; name a new folder"):
        export_site(index.list_runs(), tmp_path / "there")
