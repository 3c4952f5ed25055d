"""The secrets of a pattern by number."""

from collections import Counter

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.patterns import load_pattern
from vestige.text.patterns.load import shipped_patterns
from vestige.text.secrets import SecretSpace


def pattern(folder, template, secret, fields, date=()):
    path = folder / "made.toml"
    path.write_text(f"template = {template!r}\nsecret = {secret}\ndate = {list(date)}\n[fields]\n{fields}")
    return load_pattern(path)


CODE = 'prefix.choices = ["x", "y"]\nfirst = { alphabet = "AB", length = 2, separator = "." }\nlast.range = [7, 9]'


def test_all_secrets_in_order_by_hand(tmp_path):
    space = SecretSpace.of(pattern(tmp_path, "{prefix}: code {first}-{last}!", ["first", "last"], CODE))
    assert space.size == 2 * 2 * 3
    assert space.secrets(range(4)) == ["A.A-7", "A.A-8", "A.A-9", "A.B-7"]
    assert space.secrets([11]) == ["B.B-9"]
    assert len(set(space.secrets(range(12)))) == 12
    assert space.before.filled({"prefix": "y"}) == "y: code "
    assert space.after.filled({}) == "!"


def test_a_secret_date_is_a_day_of_the_calendar(tmp_path):
    fields = "y.range = [2023, 2024]\nm.range = [2, 3]\nd.range = [29, 30]"
    space = SecretSpace.of(pattern(tmp_path, "born {y}-{m}-{d}", ["y", "m", "d"], fields, ["y", "m", "d"]))
    assert space.secrets(range(space.size)) == ["2023-3-29", "2023-3-30", "2024-2-29", "2024-3-29", "2024-3-30"]


def test_secrets_drawn_are_all_different_and_all_come_up(tmp_path):
    space = SecretSpace.of(pattern(tmp_path, "{prefix}{first}{last}", ["first", "last"], CODE))
    assert sorted(space.drawn(12, np.random.default_rng(0))) == sorted(space.secrets(range(12)))
    rng = np.random.default_rng(1)
    counts = Counter(secret for _ in range(600) for secret in space.drawn(2, rng))
    assert len(counts) == 12
    assert min(counts.values()) > 60
    with pytest.raises(InputError, match="allows 12 secrets; 13 were asked for"):
        space.drawn(13, rng)


def test_an_open_field_between_secret_ones_is_refused(tmp_path):
    with pytest.raises(InputError, match="field 'prefix' stands between secret ones"):
        SecretSpace.of(pattern(tmp_path, "{first}{prefix}{last}", ["first", "last"], CODE))


@pytest.mark.parametrize("name", shipped_patterns())
def test_shipped_patterns_follow_their_own_secrets(name):
    known = load_pattern(name)
    space = SecretSpace.of(known)
    assert space.size == pytest.approx(1 / known.whole_chance)
    rng = np.random.default_rng(0)
    record = known.generate(1, rng).texts[0]
    assert known.read([record])
    values = {field.name: field.separator.join(field.spelled(field.draw(1, rng))[0]) for field in known.fields}
    made = [space.before.filled(values) + secret + space.after.filled(values) for secret in space.drawn(5, rng)]
    assert len(known.read(made).texts) == 5
