import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.preflight.conftest import get_check
from vestige.preflight import check_vectors


@pytest.mark.parametrize(
    ("form", "keep", "description"),
    [
        ("float16", lambda v: v.astype(np.float16), "in half precision"),
        ("float32", lambda v: v.astype(np.float16), "in half precision"),
        ("float32", lambda v: (v.view(np.uint32) & 0xFFFF0000).view(np.float32), "in half precision"),
        ("int8", lambda v: np.rint(v * 200), "as integers of one byte"),
        ("binary", lambda v: v > 0, "as one bit each"),
        ("PQ8x4", lambda v: np.round(v, 1) + 0.013, "in a lossy code"),
    ],
)
def test_coarse_forms_are_named_and_the_encoder_recognised(make_sample, clean, library, form, keep, description):
    result = check_vectors(make_sample(keep(clean).astype(np.float32), form=form), WordSum(), library=library)
    assert description in get_check(result, "form").sentence
    assert get_check(result, "form").level == "note"
    assert get_check(result, "encoder").level in ("ok", "note")
    assert not result.failed
