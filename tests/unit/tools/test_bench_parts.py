"""Numbers of benchmarks in pages come from records."""

import json

import pytest
from bench_parts import find_number, render_bench, render_makers, render_template

from vestige.errors import InputError

LINES = [
    "words after 179 ms; n = 60",
    "product: 1 concepts",
    "none                 recall@10 1.000 (1.000 to 1.000)  probe 0.245 (0.207 to 0.288) n=995",
    "keywords: 18 concepts",
    "none                 recall@10 1.000 (1.000 to 1.000)  probe 0.478 (0.467 to 0.487) n=1244",
    "none, lists: leakage of names -0.021 (-0.046 to 0.004, n=600), F1 0.065",
    "rotation             pairs, Procrustes 3           0.061 (0.055 to 0.067)",
    "rotation             pairs, Procrustes 384         0.440 (0.423 to 0.456)",
    "tagger misses 0.120 (0.093 to 0.152, n=500) of planted names",
    "tagger misses 0.290 (0.251 to 0.332, n=500) of planted names in lower case",
]
SQUEEZED = [" ".join(line.split()) for line in LINES]


@pytest.mark.parametrize(
    ("reference", "number"),
    [
        ("words after", "179"),
        ("product: > none > probe", "0.245 (0.207 to 0.288)"),
        ("keywords: > none > probe", "0.478 (0.467 to 0.487)"),
        ("none, lists: leakage of names", "-0.021 (-0.046 to 0.004)"),
        ("none, lists: > F1", "0.065"),
        ("rotation pairs, Procrustes 3", "0.061 (0.055 to 0.067)"),
        ("tagger misses ... of planted names", "0.120 (0.093 to 0.152)"),
        ("tagger misses ... of planted names in lower case", "0.290 (0.251 to 0.332)"),
    ],
)
def test_a_reference_leads_to_the_number_after_its_words(reference, number):
    assert "".join(find_number(reference, SQUEEZED)) == number


@pytest.mark.parametrize("reference", ["no such line", "tagger misses", "none > no such label", "never > probe"])
def test_a_reference_that_is_missing_or_ambiguous_is_an_error(reference):
    with pytest.raises(InputError, match=reference):
        find_number(reference, SQUEEZED)


def test_a_table_takes_words_too():
    template = "| map | broken by |\n| `rotation` | {text: rotation: lost with} |"
    assert render_template(template, ["rotation: lost with  384 pairs"]).endswith("| `rotation` | 384 pairs |\n")
    with pytest.raises(InputError, match="0 lines of the record begin with 'rotation: lost with'"):
        render_template(template, LINES)


def test_a_table_takes_the_value_or_the_largest():
    template = """| map | pairs |
| `rotation` | {value: rotation pairs, Procrustes 3 / rotation pairs, Procrustes 384} |"""
    assert render_template(template, LINES) == "| map | pairs |\n|---|---|\n| `rotation` | 0.440 |\n"


def test_without_a_table_all_lines_are_shown_with_command_and_machine(tmp_path):
    (tmp_path / "bench").mkdir()
    record = {
        "lines": ["words after 179 ms; n = 60", "a long line " + "of many words " * 12],
        "environment": {"cores": 2, "processor": "Some CPU"},
    }
    (tmp_path / "bench" / "view.json").write_text(json.dumps(record))
    rendered = render_bench("view", tmp_path)
    assert "- words after 179 ms; n = 60\n" in rendered
    assert "`python -m bench view --record`, 2 cores of Some CPU" in rendered
    assert max(map(len, rendered.splitlines())) <= 120


def test_the_commit_that_made_each_record(tmp_path):
    (tmp_path / "bench").mkdir()
    for name, commit, dirty in (("old", "a" * 40, True), ("new", "b" * 40, False)):
        (tmp_path / "bench" / f"{name}.json").write_text(
            json.dumps({"environment": {"commit": commit, "dirty": dirty}})
        )
    assert render_makers("new old", tmp_path).splitlines()[2:] == [
        "| `new` | `bbbbbbbbbb` |",
        "| `old` | `aaaaaaaaaa`, with uncommitted changes |",
    ]
