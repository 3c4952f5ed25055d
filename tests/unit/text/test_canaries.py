"""Canaries are planted as often as requested and nothing else changes; the secrets of a pattern by number."""

from collections import Counter

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.canaries import SecretSpace, make_canaries, plant
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.text.patterns.load import shipped_patterns


def pattern(folder, template, secret, fields, date=()):
    path = folder / "made.toml"
    path.write_text(f"template = {template!r}\nsecret = {secret}\ndate = {list(date)}\n[fields]\n{fields}")
    return load_pattern(path)


CODE = 'prefix.choices = ["x", "y"]\nfirst = { alphabet = "AB", length = 2, separator = "." }\nlast.range = [7, 9]'


def test_all_secrets_in_order_by_hand(tmp_path):
    space = SecretSpace.build(pattern(tmp_path, "{prefix}: code {first}-{last}!", ["first", "last"], CODE))
    assert space.size == 2 * 2 * 3
    assert space.decode(range(4)) == ["A.A-7", "A.A-8", "A.A-9", "A.B-7"]
    assert space.decode([11]) == ["B.B-9"]
    assert len(set(space.decode(range(12)))) == 12
    assert space.before.fill({"prefix": "y"}) == "y: code "
    assert space.after.fill({}) == "!"


def test_a_secret_date_is_a_day_of_the_calendar(tmp_path):
    fields = "y.range = [2023, 2024]\nm.range = [2, 3]\nd.range = [29, 30]"
    space = SecretSpace.build(pattern(tmp_path, "born {y}-{m}-{d}", ["y", "m", "d"], fields, ["y", "m", "d"]))
    assert space.decode(range(space.size)) == ["2023-3-29", "2023-3-30", "2024-2-29", "2024-3-29", "2024-3-30"]


def test_drawn_secrets_are_different_and_uniform(tmp_path):
    space = SecretSpace.build(pattern(tmp_path, "{prefix}{first}{last}", ["first", "last"], CODE))
    assert sorted(space.draw(12, np.random.default_rng(0))) == sorted(space.decode(range(12)))
    rng = np.random.default_rng(1)
    counts = Counter(secret for _ in range(600) for secret in space.draw(2, rng))
    assert len(counts) == 12
    assert min(counts.values()) > 60
    with pytest.raises(InputError, match="allows 12 secrets; 13 were requested"):
        space.draw(13, rng)


def test_an_open_field_between_secret_ones_is_rejected(tmp_path):
    with pytest.raises(InputError, match="field 'prefix' is between secret fields"):
        SecretSpace.build(pattern(tmp_path, "{first}{prefix}{last}", ["first", "last"], CODE))


@pytest.mark.parametrize("name", shipped_patterns())
def test_shipped_patterns_follow_their_own_secrets(name):
    known = load_pattern(name)
    space = SecretSpace.build(known)
    assert space.size == pytest.approx(1 / known.whole_chance)
    rng = np.random.default_rng(0)
    record = known.generate(1, rng).texts[0]
    assert known.read([record])
    values = {field.name: field.separator.join(field.spell(field.draw(1, rng))[0]) for field in known.fields}
    made = [space.before.fill(values) + secret + space.after.fill(values) for secret in space.draw(5, rng)]
    assert len(known.read(made).texts) == 5


CORPUS = Corpus("few", ["one", "two", "three", "four"], ["a", "a", "b", "c"], {"topic": [1, 2, 3, 4]})


def some(count, seed=0):
    return make_canaries(load_pattern("pass-phrase"), count, np.random.default_rng(seed))


def test_a_canary_is_its_prompt_and_then_its_secret():
    for canary in some(20):
        assert canary.text == f"{canary.prompt}{canary.secret}."
        assert len(canary.secret.split()) == 3
    assert len({canary.secret for canary in some(20)}) == len({canary.prompt for canary in some(20)}) == 20
    assert some(5) == some(5) != some(5, seed=1)


def test_each_canary_is_planted_as_often_as_requested_and_the_rest_stays_in_order():
    canaries = some(3)
    planted = plant(CORPUS, canaries, [0, 1, 5], np.random.default_rng(0))
    counts = Counter(planted.texts)
    assert [counts[canary.text] for canary in canaries] == [0, 1, 5]
    originals = [row for row, name in enumerate(planted.documents) if not name.startswith("canary")]
    assert planted.take(originals) == CORPUS
    assert len(set(planted.documents)) == 3 + 6
    assert planted.attributes["topic"].count(None) == 6


def test_no_document_is_split_and_every_place_is_used():
    canaries = some(1)
    found = set()
    for seed in range(40):
        documents = plant(CORPUS, canaries, [1], np.random.default_rng(seed)).documents
        assert documents.index("a") + 1 == len(documents) - 1 - documents[::-1].index("a")
        found.add(next(row for row, name in enumerate(documents) if name.startswith("canary")))
    assert found == {0, 2, 3, 4}


def test_invalid_counts_and_planted_corpora_are_rejected():
    with pytest.raises(InputError, match=r"2 canaries but times \[1\]"):
        plant(CORPUS, some(2), [1], np.random.default_rng(0))
    with pytest.raises(InputError, match="a number of 0 or more"):
        plant(CORPUS, some(1), [-1], np.random.default_rng(0))
    planted = plant(CORPUS, some(1), [1], np.random.default_rng(0))
    with pytest.raises(InputError, match="already has a document 'canary 0 copy 0'"):
        plant(planted, some(1), [1], np.random.default_rng(0))
    with pytest.raises(InputError, match="2 canaries need one each"):
        make_canaries(load_pattern("genome"), 2, np.random.default_rng(0))
