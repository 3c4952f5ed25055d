"""Which shipped patterns texts hold."""

import pytest

from vestige.text.personal import FEWEST, WRITTEN, held_patterns


@pytest.mark.parametrize(
    ("name", "there", "not_there"),
    [
        ("birth-date", "born 1984-02-29.", "part 1984-13-02"),
        ("phone-number", "call (415) 555-0134 or 415.555.0134", "order 1415-555-01345"),
        ("card-number", "paid with 4111 1111 1111 1111", "serial 41111111111111112"),
        ("citizen-id", "id 11010519491231002X", "id 110105194913310021"),
    ],
)
def test_a_pattern_is_known_by_how_it_is_written(name, there, not_there):
    assert WRITTEN[name].search(there)
    assert not WRITTEN[name].search(not_there)


def test_a_pattern_is_held_where_enough_texts_hold_it():
    born = ["I was born on 1984-02-29."]
    assert held_patterns(born * FEWEST + ["nothing"]) == ["birth-date"]
    assert held_patterns(born * (FEWEST - 1)) == []
