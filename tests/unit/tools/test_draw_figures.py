"""The figures of the site."""

import xml.etree.ElementTree as ET

from draw_figures import FIGURES, FOLDER, Box, draw, list_outdated, write_figures


def test_the_files_are_those_that_would_be_drawn(tmp_path):
    assert list_outdated() == []
    write_figures(tmp_path)
    (tmp_path / "attack-words.svg").write_text("<svg/>")
    assert list_outdated(tmp_path) == [tmp_path / "attack-words.svg"]


def test_a_figure_is_well_formed_and_requests_nothing():
    for name in FIGURES:
        svg = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        assert ET.fromstring(svg).tag.endswith("svg")
        assert svg.count("http") == 1  # the namespace


def test_boxes_point_to_the_next_column_and_hidden_ones_to_nothing():
    svg = draw([[Box("given", "a & b"), Box("hidden", "c")], [Box("result", "d")]])
    assert svg.count("<rect") == 4
    assert svg.count("marker-end") == 1
    assert "a &amp; b" in svg
