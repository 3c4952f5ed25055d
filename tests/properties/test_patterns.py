"""Any pattern that a user describes reads back the texts that it generates."""

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vestige.text.patterns import load_pattern

alphabets = st.lists(st.sampled_from('ab.*[(\\"é{0'), min_size=2, unique=True).map("".join)
around = st.text(st.sampled_from("x .+$(\\"), max_size=4)


@settings(max_examples=40, deadline=None)
@given(alphabets, st.integers(1, 4), st.sampled_from(["", " ", "|"]), around, st.integers(0, 10**6))
def test_what_was_generated_is_read_back(alphabet, length, separator, literal, seed):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.toml"
        path.write_text(
            f"template = '{literal}{{code}} {{number}}'\nsecret = ['code']\n[fields]\nnumber.range = [1, 30]\n"
            f"code = {{ alphabet = '{alphabet}', length = {length}, separator = '{separator}' }}\n",
            encoding="utf-8",
        )
        pattern = load_pattern(path)
    records = pattern.generate(20, np.random.default_rng(seed))
    assert pattern.read(records.texts) == records
    for name, values in records.secrets.items():
        assert set(values) <= set(pattern.secrets[name])
        assert len(values) == 20
