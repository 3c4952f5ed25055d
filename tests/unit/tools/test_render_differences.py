"""What a reproduction has in common with its paper, in the docs."""

from tools.render_differences import list_outdated, render_page

from vestige.papers.pan2020.paper import DIFFERS, KEPT


def test_the_lists_are_between_the_marks():
    page = render_page("Before.\n<!-- differences: pan2020 -->\nold\n<!-- end -->\nAfter.\n")
    assert page.startswith("Before.\n<!-- differences: pan2020 -->\n")
    assert page.endswith("<!-- end -->\nAfter.\n")
    assert "old" not in page
    assert all(f"- {line}\n" in page for line in (*KEPT, *DIFFERS))
    assert render_page(page) == page


def test_the_docs_have_the_lists_of_the_code():
    assert list_outdated() == []
