"""Contents of files, drawn at random, and how many of them a test tries."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FEW = settings(QUICK, max_examples=8)
CONTENT = st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
DEEP = b"[" * 200_000 + b"]" * 200_000
