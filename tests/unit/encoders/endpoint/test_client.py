from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Event

import pytest

from tests import endpoint_server as serving
from tests.conftest import WordSum
from tests.endpoint_server import failing
from tests.unit.encoders.endpoint.conftest import KEY, TEXTS
from vestige.encoders.endpoint.address import Endpoint
from vestige.encoders.endpoint.client import EmbeddingClient, RetryPolicy
from vestige.encoders.endpoint.encoder import EndpointEncoder
from vestige.encoders.endpoint.response import parse_retry_after
from vestige.encoders.endpoint.spend import Spend
from vestige.encoders.unfinished import Unfinished
from vestige.errors import VestigeError


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504])
def test_a_busy_server_is_retried_and_nothing_is_lost(make, server, clock, status):
    server.faults.extend([failing(status), failing(status)])
    encoder = make(in_flight=1)
    assert (encoder.encode(TEXTS) == WordSum().encode(TEXTS)).all()
    assert Counter(server.answered) == Counter(TEXTS)
    assert encoder.spent == Spend(9, 2, 50, server.tokens, None)
    assert 0.375 <= clock.slept[0] <= 0.5 < 0.75 <= clock.slept[1] <= 1.0


@pytest.mark.parametrize("fault", [serving.dropped, serving.hanging, serving.garbled, serving.unpackable])
def test_a_missing_or_broken_response_is_retried(make, server, fault):
    server.faults.append(fault)
    encoder = make(retry=RetryPolicy(timeout=0.3), batch_size=50)
    assert (encoder.encode(TEXTS) == WordSum().encode(TEXTS)).all()
    assert encoder.spent == Spend(2, 1, 50, server.tokens, None)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry_After": "7"}, 7),
        ({"retry_after_ms": "1500", "Retry_After": "2"}, 1.5),
        ({"x_ratelimit_reset_requests": "20ms", "x_ratelimit_reset_tokens": "1m6s"}, 66),
        ({"x_ratelimit_reset_requests": "8h0m"}, 120),
    ],
)
def test_the_server_says_how_long_to_wait(make, server, clock, headers, seconds):
    server.faults.append(failing(429, "slow down", "rate_limit_exceeded", **headers))
    make().encode(["a"])
    assert clock.slept == [pytest.approx(seconds)]


def test_the_server_may_name_a_date(make, server, clock):
    server.faults.append(
        failing(503, Retry_After=format_datetime(datetime.now(UTC) + timedelta(minutes=2), usegmt=True))
    )
    make().encode(["a"])
    assert 90 < clock.slept[0] <= 120
    assert parse_retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0


def test_a_wait_of_hours_is_a_reason_to_give_up(make, server, clock):
    server.faults.append(failing(429, "come back", Retry_After="7200"))
    with pytest.raises(Unfinished, match="asks to wait 7,200 seconds"):
        make().encode(["a"])
    assert not clock.slept


def test_giving_up_reports_how_many_were_answered(make, server):
    server.faults.extend([serving.healthy] * 3 + [failing(503)] * 4)
    with pytest.raises(
        Unfinished, match=r"503 \(not now\) at attempt 4, the last.* 24 of 50 texts were answered"
    ) as caught:
        make(in_flight=1, retry=RetryPolicy(attempts=4)).encode(TEXTS)
    assert sorted(caught.value.answered) == list(range(24))
    assert len(server.asked) == 7


def test_a_server_that_does_not_exist(clock):
    client = EmbeddingClient(
        Endpoint("http://127.0.0.1:9/v1", "toy", "VESTIGE_API_KEY", KEY), sleep=clock.sleep, clock=clock
    )
    with pytest.raises(Unfinished, match=r"127.0.0.1:9/v1 gave no answer \(ConnectError .*attempt 6.* 0 of 1 texts"):
        EndpointEncoder(client, name="toy").encode(["a"])
    assert sum(clock.slept) < 16


def test_an_address_that_is_not_valid(clock):
    client = EmbeddingClient(Endpoint("http://é..b/v1", "toy", "VESTIGE_API_KEY"), sleep=clock.sleep, clock=clock)
    with pytest.raises(Unfinished, match=r"InvalidURL.*check the address"):
        EndpointEncoder(client, name="toy").encode(["a"])
    assert not clock.slept


def test_unreadable_responses_are_retried_once_only(make, server):
    server.faults.extend([serving.garbled] * 3)
    with pytest.raises(Unfinished, match=r"no list of embeddings \(JSONDecodeError\) at attempt 2"):
        make().encode(["a"])
    assert len(server.asked) == 2


def test_without_a_key_the_variable_is_named(make, server):
    server.faults.append(failing(401))
    with pytest.raises(Unfinished, match="set VESTIGE_API_KEY to your key"):
        make(key="").encode(["a"])
    assert server.asked[0].authorization is None


@pytest.mark.parametrize("dimensions", [None, 64])
def test_another_width_between_batches_is_an_error(make, server, dimensions):
    server.faults.extend([serving.healthy, serving.narrow])
    with pytest.raises(Unfinished, match=r"7 columns, expected 64.*; 8 of 50 texts were answered"):
        make(in_flight=1, dimensions=dimensions).encode(TEXTS)


def test_the_rate_limit_is_respected(make, clock):
    make(retry=RetryPolicy(per_minute=60), in_flight=1).encode(TEXTS)
    assert clock.now == pytest.approx(6.0)


def test_a_wait_ends_when_another_thread_gives_up(server):
    halted = Event()
    halted.set()
    client = EmbeddingClient(Endpoint(server.url, "toy", "VESTIGE_API_KEY"))
    client._pacer.hold(60)
    with pytest.raises(VestigeError, match="stopped"):
        client.embed(["a"], halted)
    assert not server.asked


@pytest.mark.parametrize("fault", [serving.endless, serving.bomb])
def test_an_answer_without_end_is_refused(make, server, fault):
    server.faults.append(fault)
    with pytest.raises(VestigeError, match=r"sent more than .* MB for 50 texts; check the address"):
        make(batch_size=50).encode(TEXTS)


def test_an_answer_that_drips_for_ever_is_given_up(make, server):
    server.faults.extend([serving.dripping, serving.dripping])
    with pytest.raises(VestigeError, match="did not complete its answer in time at attempt 2, the last"):
        make(retry=RetryPolicy(attempts=2, timeout=0.2), batch_size=50).encode(TEXTS)
