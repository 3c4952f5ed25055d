"""Lines about the stages of the work, with a clock of the test's own."""

import pytest

from vestige.cli.progress_lines import ProgressLines, format_seconds


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def printed():
    return []


@pytest.fixture
def lines(clock, printed):
    return ProgressLines(printed.append, clock=clock)


def test_a_stage_has_a_line_at_its_start_and_at_its_end(lines, clock, printed):
    advance = lines.start("encoding", 1200)
    lines.tick()
    assert printed == []
    clock.now = 1
    lines.tick()
    clock.now = 8
    advance(1000)
    lines.tick()
    clock.now = 10
    advance(200)
    advance(5)
    assert printed == ["encoding: started, 1,200 steps", "encoding: done in 10 s"]


def test_every_30_seconds_there_is_a_line_with_progress_rate_and_remaining_time(lines, clock, printed):
    advance = lines.start("encoding", 1000)
    clock.now = 1
    lines.tick()
    clock.now = 30
    advance(300)
    lines.tick()
    assert printed == ["encoding: started, 1,000 steps"]
    clock.now = 31
    advance(10)
    lines.tick()
    lines.tick()
    assert printed[1:] == ["encoding: 310 of 1,000 after 31 s, 10/s, 1 min 9 s left"]
    clock.now = 61
    lines.tick()
    assert len(printed) == 3


def test_a_stage_that_reports_nothing_has_its_lines_too(lines, clock, printed):
    lines.start("fitting the attack", 1)
    clock.now = 2
    lines.tick()
    clock.now = 95
    lines.tick()
    assert printed == ["fitting the attack: started", "fitting the attack: 0 of 1 after 1 min 35 s"]


def test_the_current_stage_is_the_one_that_started_or_advanced_last(lines, clock, printed):
    outer = lines.start("probes", 9)
    lines.start("fitting, which ends early", 5)
    outer(1)
    clock.now = 60
    lines.tick()
    assert printed[-1] == "probes: 1 of 9 after 1 min 0 s, 1.0/min, 8 min 0 s left"


def test_the_shortest_stages_have_no_line_and_between_stages_the_work_goes_on(lines, clock, printed):
    lines.start("encoding", 1)(1)
    clock.now = 29
    lines.tick()
    assert printed == []
    clock.now = 100
    lines.tick()
    lines.tick()
    assert printed == ["working, 1 min 40 s after the start"]


def test_a_stage_that_ends_before_its_first_line_has_one_line(lines, clock, printed):
    advance = lines.start("encoding", 1)
    clock.now = 3
    advance(1)
    assert printed == ["encoding: done in 3 s"]


def test_short_stages_of_many_have_no_lines_and_long_ones_do(clock, printed):
    lines = ProgressLines(printed.append, fleeting=True, clock=clock)
    advance = lines.start("short", 1)
    clock.now = 20
    lines.tick()
    advance(1)
    assert printed == []
    advance = lines.start("long", 4)
    clock.now = 60
    advance(2)
    lines.tick()
    advance(2)
    assert printed == ["long: 2 of 4 after 40 s, 3.0/min, 40 s left", "long: done in 40 s"]


def test_the_thread_ends_when_it_is_stopped(lines):
    lines.stop()
    lines.run()


def test_control_characters_are_shown_not_sent(lines, clock, printed):
    lines.start("a\x1b[2Jb\nc é", 1)
    clock.now = 5
    lines.tick()
    assert printed == ["a\\x1b[2Jb\\nc é: started"]


@pytest.mark.parametrize(("seconds", "expected"), [(0.4, "0 s"), (59.6, "1 min 0 s"), (7500, "2 h 5 min")])
def test_spans_of_time(seconds, expected):
    assert format_seconds(seconds) == expected
