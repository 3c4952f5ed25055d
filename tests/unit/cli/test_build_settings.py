"""Options become settings, and keywords are given on the command line or in a file."""

from dataclasses import dataclass

import pytest

from vestige.case.settings import Settings, targets_within
from vestige.cli.build_settings import build_settings, parse_budgets, parse_keywords
from vestige.cli.options import (
    AdversaryOptions,
    ProbeOptions,
    SizeOptions,
)
from vestige.errors import InputError


@dataclass(frozen=True)
class Rest:
    """Options that only one command has."""

    probes: list[str] | None = None
    patterns: list[str] | None = None
    within: float | None = None
    out: str = "folder"


def test_options_of_all_groups_are_collected_and_names_counted_once():
    built = build_settings(
        AdversaryOptions(pairs=500, queries=3),
        ProbeOptions(keywords="debt, cancer,debt", attributes=["author", "year", "author"]),
        SizeOptions(shortest=2),
        Rest(probes=["words", "words"], patterns=["genome"]),
    )
    expected = Settings(
        pairs=500,
        queries=3,
        keywords=("debt", "cancer"),
        attributes=("author", "year"),
        shortest=2,
        probes=("words",),
        patterns=("genome",),
    )
    assert built == expected


def test_a_margin_of_error_sets_the_number_of_targets():
    built = build_settings(ProbeOptions(), SizeOptions(targets=50), Rest(within=0.02))
    assert built.targets == targets_within(0.02) == 2401


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ((SizeOptions(targets=3), Rest()), "'targets' parameter must be at least 30. Got 3"),
        ((SizeOptions(), Rest(within=0.5)), "'within' parameter must"),
    ],
)
def test_sizes_that_are_too_small_or_too_large_are_refused(groups, message):
    with pytest.raises(InputError, match=message):
        build_settings(ProbeOptions(), *groups)


def test_keywords_are_separated_by_commas_each_once_in_order():
    assert parse_keywords("cancer, credit card,cancer,,debt ") == ("cancer", "credit card", "debt")


def test_a_list_of_keywords_may_be_longer_than_a_file_name():
    keywords = tuple(f"keyword{number}" for number in range(60))
    assert parse_keywords(",".join(keywords)) == keywords


def test_a_file_of_keywords_has_one_per_line(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("Hong Kong\n\n chest, left \nchest, left\n", encoding="utf-8")
    assert parse_keywords(str(path)) == ("Hong Kong", "chest, left")


@pytest.mark.parametrize(("given", "message"), [(" , ", "no keyword"), ("words.txt", "does not exist")])
def test_an_empty_list_of_keywords_is_refused(given, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        parse_keywords(given)


def test_a_file_of_keywords_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        parse_keywords(str(path))


def test_budgets_are_numbers_with_commas_between_them():
    assert parse_budgets("200, 10,50,10") == (10, 50, 200)
    for wrong in ("many", "10;20", "-5", ","):
        with pytest.raises(InputError, match="such as 10,50,200"):
            parse_budgets(wrong)
