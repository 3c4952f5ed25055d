"""Steps of a probe that an earlier run finished are not computed again."""

from vestige.case.checkpoints import NO_CHECKPOINTS, Checkpoints
from vestige.types import TrainingLog, WordGuesses

GUESSES = WordGuesses(
    [frozenset({"card", "bank"}), frozenset()],
    [[("bank", 1 / 3), ("card", 0.1 + 0.2)], []],
    TrainingLog("a rule", converged=False, steps=3, curve=((1, 0.5),)),
)


def test_a_stored_step_is_read_back_to_the_last_bit(tmp_path):
    checkpoints = Checkpoints(tmp_path / "steps" / "budget-abc")
    assert checkpoints.run("10-attack", lambda: GUESSES) is GUESSES
    again = checkpoints.run("10-attack", lambda: 1 / 0)
    assert again == GUESSES
    assert again.ranked[0][1][1] == 0.1 + 0.2
    assert again.log == GUESSES.log


def test_steps_have_names(tmp_path):
    checkpoints, other = Checkpoints(tmp_path / "a-1"), WordGuesses([], [])
    checkpoints.run("attack", lambda: GUESSES)
    assert checkpoints.run("control", lambda: other) is other


def test_a_damaged_step_is_computed_again(tmp_path):
    checkpoints = Checkpoints(tmp_path / "budget-abc")
    checkpoints.run("attack", lambda: GUESSES)
    (place,) = tmp_path.iterdir()
    place.write_text(place.read_text().replace("bank", "firm"))
    other = WordGuesses([], [])
    assert checkpoints.run("attack", lambda: other) is other


def test_steps_are_deleted_and_those_of_another_case_stay(tmp_path):
    for stem in ("budget-abc", "budget-xyz"):
        Checkpoints(tmp_path / stem).run("attack", lambda: GUESSES)
    Checkpoints(tmp_path / "budget-abc").delete()
    assert [place.name for place in tmp_path.iterdir()] == ["budget-xyz-attack.json"]


def test_nothing_is_stored_without_a_folder():
    assert NO_CHECKPOINTS.run("attack", lambda: GUESSES) is GUESSES
    NO_CHECKPOINTS.delete()
