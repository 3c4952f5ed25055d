"""Time and logs of an attack."""

from tests.unit.papers.sample import GOOD
from vestige.papers.record import CLOSED_FORM, PAPER
from vestige.papers.timed_attack import AttackSeries, TimedAttack, build_line, merge_logs, select_device
from vestige.types import TrainingLog, WordGuesses

TRAINED, DESCENDED = TrainingLog("until it ends", True, 7), TrainingLog("until it ends", False, 9)


class Attack:
    """Guesses nothing; what it records is given."""

    def __init__(self, *, device="cpu"):
        self.device = device

    def recording(self, training=None, descent=None):
        self.log_ = training
        self.descent = descent
        return self

    def infer(self, vectors):
        return WordGuesses([frozenset()] * len(vectors), [[]] * len(vectors), self.descent)


def timed(training=None, descent=None, **settings):
    attack = TimedAttack(lambda: Attack().recording(training, descent), **settings)
    attack.infer([1, 2])
    return attack


def test_logs_are_those_of_the_training_and_of_every_descent():
    assert timed(TRAINED).logs == (TRAINED,)
    assert timed(TRAINED, DESCENDED).logs == (TRAINED, DESCENDED)


def test_an_attack_that_records_nothing_is_a_closed_form_only_if_it_says_so():
    assert timed().logs == ()
    assert timed(closed_form=True).logs == (CLOSED_FORM,)
    assert timed(TRAINED, closed_form=True).logs == (TRAINED,)


def test_a_line_adds_up_its_attacks():
    first, second = timed(TRAINED), timed(DESCENDED)
    first.seconds, second.seconds = 1.5, 2.0
    line = build_line(PAPER, [GOOD, None], [first, second])
    assert (line.scores, line.logs, line.seconds) == ((GOOD, None), (TRAINED, DESCENDED), 3.5)
    assert line.converged is False


def test_time_is_that_of_the_processor():
    attack = timed()
    before = attack.seconds
    attack.infer([1])
    assert attack.seconds >= before >= 0


def test_the_device_goes_to_attacks_that_have_one():
    assert select_device(Attack, "cuda") == {"device": "cuda"}
    assert select_device(TimedAttack, "cuda") == {}


def test_logs_of_one_rule_are_merged_by_hand():
    logs = TrainingLog("30 epochs", True, 2, ((1, 4.0), (2, 2.0))), TrainingLog("30 epochs", False, 3, ((1, 2.0),))
    assert merge_logs(logs) == TrainingLog("30 epochs; 1 of 2 trainings did", False, 3, ((1, 3.0),))


def test_a_series_has_one_log_for_all_its_attacks():
    series = AttackSeries(lambda: Attack().recording(TRAINED))
    assert series() is not series()
    line = series.build_line(PAPER, (GOOD,))
    assert (line.by, line.scores, line.converged) == (PAPER, (GOOD,), True)
    assert line.logs[0].rule == "until it ends; 2 of 2 trainings did"
    assert line.seconds >= 0


def test_a_series_without_logs_is_solved_or_unknown():
    for closed_form, logs in ((True, (CLOSED_FORM,)), (False, ())):
        series = AttackSeries(Attack, closed_form=closed_form)
        series()
        assert series.build_line(PAPER, (GOOD,)).logs == logs
