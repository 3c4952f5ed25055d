"""Records in JSON, whatever they hold."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from vestige.case.codec import dumps, from_plain
from vestige.case.findings import Bar, Chart
from vestige.types import Score

finite = st.floats(-1e3, 1e3)
scores = st.builds(Score, finite, finite, finite, st.integers(0, 10**6), st.none() | finite)


@settings(max_examples=50)
@given(st.builds(Chart, st.text(), st.text(), st.lists(st.builds(Bar, st.text(), scores)).map(tuple)))
def test_a_record_survives_json(chart):
    written = dumps(chart)
    assert dumps(from_plain(Chart, json.loads(written))) == written
