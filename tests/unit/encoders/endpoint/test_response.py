import pytest

from tests import endpoint_server as serving
from tests.conftest import WordSum
from tests.endpoint_server import failing
from tests.unit.encoders.endpoint.conftest import TEXTS
from vestige.encoders.endpoint.response import parse_limit_reset, parse_retry_after
from vestige.encoders.unfinished import Unfinished


def test_a_server_that_ignores_base64_gives_the_same_bits(make, server):
    server.lists = True
    assert (make().encode(TEXTS) == WordSum().encode(TEXTS)).all()
    assert {asked.body["encoding_format"] for asked in server.asked} == {"base64"}


def test_an_answer_out_of_order_is_put_in_order(make, server):
    server.faults.extend([serving.shuffled] * 7)
    assert (make().encode(TEXTS) == WordSum().encode(TEXTS)).all()


def test_headers_that_make_no_sense_are_ignored():
    assert parse_retry_after({"retry-after": "soon", "retry-after-ms": "-3"}) is None
    assert parse_limit_reset({"x-ratelimit-reset-tokens": "soon"}) is None
    assert parse_limit_reset({"x-ratelimit-reset-tokens": "3"}) == 3


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (serving.missing_row, "vectors for 1 of the 2 texts"),
        (serving.repeated_row, "vectors for 1 of the 2 texts"),
        (serving.not_finite, "not finite"),
        (serving.ragged, r"shapes \[\(1,\), \(2,\)\]"),
        (failing(401), "401 .*check the key in VESTIGE_API_KEY"),
        (failing(403), "403 .*VESTIGE_API_KEY may not use model 'toy'"),
        (failing(404), "404 .*check the model 'toy'.*/v1"),
        (failing(429, code="insufficient_quota"), "429 .*quota .*billing"),
        (failing(307, location="http://example.org/v1"), "307 .*not followed.*http://example.org/v1"),
        (failing(418), "418 .*expected 200"),
    ],
)
def test_what_a_retry_would_not_cure_is_not_retried(make, server, fault, words):
    server.faults.append(fault)
    with pytest.raises(Unfinished, match=words):
        make().encode(["a", "b"])
    assert len(server.asked) == 1


def test_numbers_too_large_for_a_vector_are_not_finite(make, server):
    server.faults.append(lambda *_: serving.JSONResponse({"data": [{"embedding": [1e300, None]}]}))
    with pytest.raises(Unfinished, match="not finite"):
        make().encode(["a"])
