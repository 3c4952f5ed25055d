"""The command `defend`: the answer, the saved defense, and bad input."""

import json
import os
from multiprocessing import get_context

import numpy as np
import pytest

from vestige.defenses.saved import load_defense


def build_command(folder, *more):
    return (
        "defend",
        folder / "vectors.npy",
        "--texts",
        folder / "texts.txt",
        "--out",
        folder / "out",
        "--targets",
        60,
        "--pairs",
        210,
        "--quiet",
        *more,
    )


def test_it_names_the_cheapest_defense_and_saves_it(owned, vestige_command):
    ran = vestige_command(
        *build_command(owned, "--defenses", "rotation,gaussian:5", "--limit", "words<0.2", "--limit", "recall@10>0.01")
    )
    assert ran.code == 0, ran.err
    assert "The cheapest defense with words under 0.20 and recall@10 over 0.01 is gaussian:5." in ran.out
    assert ran.out.strip().splitlines()[-1] == f"report: {owned / 'out' / 'frontier.html'}"
    defense = load_defense(owned / "out" / "defense")
    assert defense.epsilon == 5
    vectors = np.load(owned / "vectors.npy")
    assert defense.transform(vectors).shape == vectors.shape
    again = vestige_command(*build_command(owned, "--defenses", "rotation"))
    assert again.code == 2
    assert "already exists" in again.err


def test_without_a_defense_within_the_limits_none_is_saved(owned, vestige_command):
    ran = vestige_command(*build_command(owned, "--defenses", "rotation", "--limit", "words<0.05", "--json"))
    assert ran.code == 1, ran.err
    assert "no defense was saved; relax a --limit" in ran.err
    record = json.loads(ran.out)
    assert record["chosen"] is None
    assert record["headline"].startswith("No defense that was tried has words under 0.05")
    assert not (owned / "out" / "defense").exists()
    assert (owned / "out" / "frontier.md").is_file()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--limit", "words=3"), "cannot be read"),
        (("--defenses", "rond"), "did you mean"),
        (("--defenses", "leace@nope"), "nope"),
        (("--task", "author"), "no column 'author'"),
        (("--limit", "attributes<0.1"), "cannot be checked"),
    ],
)
def test_bad_input_ends_with_a_message_before_any_work(owned, vestige_command, more, message):
    ran = vestige_command(*build_command(owned, *more))
    assert ran.code == 2
    assert message in ran.err
    assert not (owned / "out").exists()


def test_a_run_that_was_killed_before_its_report_can_be_repeated(owned, vestige_command, monkeypatch):
    command = build_command(owned, "--defenses", "gaussian:5", "--limit", "words<0.2", "--limit", "recall@10>0.01")

    def run_and_die():
        monkeypatch.setattr("vestige.report.write.write_frontier", lambda *_: os._exit(9))
        vestige_command(*command)

    process = get_context("fork").Process(target=run_and_die)
    process.start()
    process.join()
    assert process.exitcode == 9
    assert not (owned / "out" / "defense").exists()
    ran = vestige_command(*command)
    assert ran.code == 0, ran.err
    assert load_defense(owned / "out" / "defense").epsilon == 5
    assert not [path.name for path in (owned / "out").iterdir() if path.name.startswith(".")]
