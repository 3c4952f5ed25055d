"""The command `judge`: the label, the report, and bad input."""

import json

import numpy as np
import pytest

from vestige.defenses.catalogue import make_defense
from vestige.report.read import read_judgement


@pytest.fixture
def protected(owned):
    vectors = np.load(owned / "vectors.npy")
    rotation = make_defense("rotation").fit(vectors, rng=np.random.default_rng(0))
    np.save(owned / "protected.npy", rotation.transform(vectors))
    return owned


def build_command(folder, *more):
    sizes = ("--targets", 60, "--pairs", 210, "--probe", "words", "--quiet")
    files = (folder / "vectors.npy", folder / "protected.npy", "--texts", folder / "texts.txt")
    return ("judge", *files, "--out", folder / "out", *sizes, *more)


def test_a_rotation_is_labelled_as_obscurity_and_the_report_says_how_to_repeat_it(protected, vestige_command):
    ran = vestige_command(*build_command(protected, "--defenses", "rounding:2"))
    assert ran.code == 0, ran.err
    assert "Obscurity: it stops only an attacker who does not know it (words)." in ran.out
    assert ran.out.strip().splitlines()[-1] == f"report: {protected / 'out' / 'judge.html'}"
    result = read_judgement(protected / "out")
    assert result.label == "obscurity"
    assert [trial.defense for trial in result.sweep] == ["none", "judged", "rounding:2"]
    page = (protected / "out" / "judge.html").read_text()
    assert "obscurity" in page
    assert "vestige judge" in page
    assert "--probe words" in (protected / "out" / "judge.md").read_text()


def test_judge_and_defend_print_the_same_digits_of_the_same_defense(owned, vestige_command):
    """Rounding learns nothing, so it is the same defense whatever rows it is fitted on."""
    sizes = ("--targets", 60, "--pairs", 210, "--probe", "words", "--quiet", "--json")
    texts = ("--texts", owned / "texts.txt")
    spec = "rounding:1"
    swept = vestige_command(
        "defend", owned / "vectors.npy", *texts, "--defenses", spec, "--out", owned / "swept", "--no-halving", *sizes
    )
    made = vestige_command("protect", owned / "vectors.npy", owned / "protected.npy", "--defense", spec, "--quiet")
    assert made.code == 0, made.err
    judged = vestige_command(*build_command(owned, "--defenses", "none", "--json"))
    assert judged.code == 0, judged.err
    (expected,) = [each for each in json.loads(swept.out)["trials"] if each["defense"] == spec]
    (found,) = [each for each in json.loads(judged.out)["sweep"]["trials"] if each["defense"] == "judged"]
    words, thief = found["privacy"]
    assert [words] == expected["privacy"]
    assert thief["question"] == "words-thief"
    assert found["utility"] == expected["utility"]
    assert found["obscure"] is expected["obscure"] is False


def test_queries_are_a_file_and_json_is_the_record(protected, vestige_command):
    queries = protected / "queries.npy"
    np.save(queries, np.load(protected / "vectors.npy"))
    ran = vestige_command(*build_command(protected, "--defenses", "none", "--queries", queries, "--json"))
    assert ran.code == 0, ran.err
    record = json.loads(ran.out)
    (recall,) = [each["score"]["value"] for each in record["sweep"]["trials"][1]["utility"] if "@" in each["measure"]]
    assert recall < 0.5, "raw queries find nothing in a rotated store"
    assert record["queries"] == queries.name


def test_files_of_other_lengths_are_bad_input(protected, vestige_command):
    np.save(protected / "protected.npy", np.load(protected / "protected.npy")[1:])
    ran = vestige_command(*build_command(protected))
    assert ran.code == 2
    assert "expected the same texts in the same order" in ran.err
    assert not (protected / "out" / "judge.html").exists()
