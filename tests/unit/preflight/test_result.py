from tests.sample_preflight import CHECKS, preflighted


def test_a_preflight_fails_on_an_error_alone():
    warning, error, note, ok = CHECKS
    assert preflighted(warning, error).failed
    assert not preflighted(warning, note, ok).failed


def test_checks_are_found_by_name():
    assert preflighted().named("finite") == [CHECKS[1]]
    assert preflighted().named("order") == []
