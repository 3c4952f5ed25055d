"""The record of a comparison in a Python session."""

import pytest

from tests.sample_comparison import compared, hostile_comparison
from tests.sample_result import HOSTILE


def test_probes_are_found_by_name():
    found = compared()
    assert found["words"].change == "worse"
    assert "words" in found
    assert "budget" not in found
    assert [change.probe for change in found][:2] == ["words", "keywords"]
    with pytest.raises(KeyError, match=r"'budget' is no probe of this comparison; there are: 'words', 'keywords'"):
        found["budget"]


def test_the_repr_is_short():
    lines = repr(compared()).splitlines()
    assert lines[0] == "Comparison: 'new' leaks more than 'base' in words, and less in keywords."
    assert lines[1].startswith("  words: worse, +0.0")
    assert lines[-2].startswith("  FAILED: worse")
    assert len(lines) == 8


def test_the_html_is_escaped():
    html = hostile_comparison()._repr_html_()
    assert HOSTILE not in html
    assert "&lt;script&gt;" in html
    assert "+0.0" in compared()._repr_html_()


def test_a_frame_has_a_row_per_probe():
    frame = compared().to_frame()
    assert list(frame["probe"]) == [change.probe for change in compared()]
    assert frame.set_index("probe").loc["words", "change"] == "worse"
    assert frame["difference"].isna().sum() == 2
