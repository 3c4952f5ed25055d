"""Patterns by name or from a file, and shipped patterns detected in texts."""

from pathlib import Path

import numpy as np
import pytest

from vestige.errors import InputError
from vestige.text.patterns.load import EXPRESSIONS, FEWEST_TEXTS, detect_patterns, load_pattern, shipped_patterns


@pytest.mark.parametrize(
    ("name", "present", "absent"),
    [
        ("birth-date", "born 1984-02-29.", "part 1984-13-02"),
        ("phone-number", "call (415) 555-0134 or 415.555.0134", "order 1415-555-01345"),
        ("card-number", "paid with 4111 1111 1111 1111", "serial 41111111111111112"),
        ("citizen-id", "id 11010519491231002X", "id 110105194913310021"),
    ],
)
def test_the_expression_of_a_pattern(name, present, absent):
    assert EXPRESSIONS[name].search(present)
    assert not EXPRESSIONS[name].search(absent)


def test_a_pattern_is_detected_in_at_least_five_texts():
    born = ["I was born on 1984-02-29."]
    assert detect_patterns(born * FEWEST_TEXTS + ["nothing"]) == ["birth-date"]
    assert detect_patterns(born * (FEWEST_TEXTS - 1)) == []


def test_every_shipped_pattern_loads_and_reads_its_own_texts():
    assert {"birth-date", "card-number", "citizen-id", "genome", "order-number", "phone-number"} <= set(
        shipped_patterns()
    )
    for name in shipped_patterns():
        pattern = load_pattern(name)
        records = pattern.generate(50, np.random.default_rng(0))
        assert pattern.name == name
        assert pattern.summary
        assert pattern.read(records.texts) == records
        assert len(set(records.texts)) > 40


def test_the_citizen_id_is_that_of_the_paper():
    pattern = load_pattern("citizen-id")
    assert {name: len(values) for name, values in pattern.secrets.items()} == {"year": 100, "month": 12, "day": 31}
    sizes = {field.name: len(field.places[0]) for field in pattern.fields}
    assert sizes["province"] * sizes["city"] * sizes["county"] == 3100
    assert sizes["extra"] == 10_000
    assert {len(text) for text in pattern.generate(50, np.random.default_rng(0)).texts} == {18}


def test_the_genome_has_twenty_positions():
    pattern = load_pattern("genome")
    assert list(pattern.secrets) == [f"sequence[{place}]" for place in range(1, 21)]
    assert set(pattern.secrets.values()) == {("A", "C", "G", "T")}


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(InputError, match="did you mean 'genome'"):
        load_pattern("genom")


@pytest.mark.parametrize("source", [Path("absent"), "absent.toml"])
def test_a_missing_file(source):
    with pytest.raises(InputError, match=r"absent.* does not exist; name a TOML file .* citizen-id"):
        load_pattern(source)


def test_a_folder_or_a_binary_file_is_rejected(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        load_pattern(tmp_path)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="UTF-8"):
        load_pattern(tmp_path / "bytes.toml")
