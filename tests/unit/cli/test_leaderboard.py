"""The command `leaderboard`: the table, the report, and bad input."""

import json

import pytest

from vestige.report.read import read_leaderboard


def build_command(folder, *more):
    sizes = ("--targets", 60, "--pairs", 210, "--probe", "words", "--lengths", "none", "--quiet")
    return ("leaderboard", "--texts", folder / "texts.txt", "--out", folder / "out", *sizes, *more)


def test_two_encoders_are_ranked_and_an_unknown_one_is_named(owned, vestige_command):
    encoders = ("--encoder", "tfidf:64", "--encoder", "hashing:64", "--encoder", "static:nowhere")
    ran = vestige_command(*build_command(owned, *encoders))
    assert ran.code == 0, ran.err
    assert "By 'words', " in ran.out
    assert "not ranked: static:nowhere: " in ran.out
    assert ran.out.strip().splitlines()[-1] == f"report: {owned / 'out' / 'leaderboard.html'}"
    result = read_leaderboard(owned / "out")
    assert {row.encoder for row in result} == {"tfidf:64", "hashing:64"}
    assert "vestige leaderboard" in (owned / "out" / "leaderboard.md").read_text()


def test_json_is_the_record(owned, vestige_command):
    ran = vestige_command(*build_command(owned, "--encoder", "tfidf:64", "--json"))
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["ranked"][0]["encoder"] == "tfidf:64"
    assert ran.out == (owned / "out" / "leaderboard.json").read_text()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--lengths", "long"), "--lengths 'long' is not a list of numbers"),
        (("--probe", "word"), "did you mean 'words'"),
        (("--encoder", "minilm", "--encoder", "minilm"), "named twice"),
    ],
)
def test_bad_input_ends_with_code_2(owned, vestige_command, more, message):
    ran = vestige_command(*build_command(owned), *more)
    assert ran.code == 2
    assert message in ran.err
