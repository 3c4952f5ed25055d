import json
import logging
import traceback
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Event

import numpy as np
import pytest

from tests import endpoint_server as serving
from tests.conftest import WordSum
from tests.endpoint_server import EmbeddingServer, failing, served
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.endpoint.address import Endpoint
from vestige.encoders.endpoint.client import Client
from vestige.encoders.endpoint.encoder import EndpointEncoder, load_http, load_https, load_openai
from vestige.encoders.endpoint.spend import Estimate, Spend
from vestige.encoders.endpoint.waiting import Patience, asked_wait, limit_reset
from vestige.encoders.endpoint.work import batches
from vestige.encoders.load import load_encoder
from vestige.encoders.unfinished import RefusedTexts, Unfinished
from vestige.errors import InputError, VestigeError

PATIENCE = Patience()
KEY = "sk-very/secret+key"
TEXTS = [f"text number {row} of many" for row in range(50)]


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self):
        self.now = 0.0
        self.slept = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture(scope="module")
def running():
    with served(EmbeddingServer(WordSum())) as server:
        yield server


@pytest.fixture
def server(running):
    fresh = EmbeddingServer(WordSum(), url=running.url)
    vars(running).update(vars(fresh))
    return running


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def make(server, clock):
    def make(*, key=KEY, dimensions=None, patience=PATIENCE, **settings):
        endpoint = Endpoint(server.url, "toy", "VESTIGE_API_KEY", key)
        client = Client(endpoint, dimensions=dimensions, patience=patience, sleep=clock.sleep, clock=clock)
        return EndpointEncoder(client, name="toy", **{"batch_size": 8, **settings})

    return make


def test_each_text_is_answered_once_in_the_order_given(make, server):
    texts = [*TEXTS, *TEXTS[:5], ""]
    vectors = make().encode(texts)
    assert (vectors == WordSum().encode(texts)).all()
    assert vectors.dtype == np.float32
    assert Counter(server.answered) == Counter([*TEXTS, " "])


def test_a_server_that_ignores_base64_gives_the_same_bits(make, server):
    server.lists = True
    assert (make().encode(TEXTS) == WordSum().encode(TEXTS)).all()
    assert {asked.body["encoding_format"] for asked in server.asked} == {"base64"}


def test_an_answer_out_of_order_is_put_in_order(make, server):
    server.faults.extend([serving.shuffled] * 7)
    assert (make().encode(TEXTS) == WordSum().encode(TEXTS)).all()


def test_progress_counts_every_row(make):
    steps = []
    make().encode([*TEXTS, *TEXTS], progress=lambda _task, _total: steps.append)
    assert sum(steps) == 100


def test_the_dimension_costs_one_word_once_or_nothing(make, server):
    encoder = make()
    assert encoder.encode([]).shape == (0, 64)
    assert encoder.dimension == 64
    assert [asked.texts for asked in server.asked] == [["word"]]
    assert make(dimensions=16).dimension == 16
    assert len(server.asked) == 1
    assert make(dimensions=16).encode(["a", "b"]).shape == (2, 16)


def test_identity_tells_apart_what_changes_the_vectors(make):
    identities = {make().identity, make(dimensions=16).identity, make(most_bytes=9).identity, make(key="").identity}
    assert len(identities) == 3


def test_long_texts_are_cut_between_letters_and_broken_ones_mended(make, server, caplog):
    make(most_bytes=5).encode(["ééé", "word " * 10_000, "a\ud800b"])
    assert server.answered == ["éé", "word ", "a?b"]
    assert "2 of 3 texts are cut after 5 bytes" in caplog.text


def test_batches_keep_both_limits():
    texts = ["a" * 400, "b" * 400, "c" * 8000, "d", "e", "f"]
    assert [len(batch) for batch in batches(texts, 2, most_tokens=250)] == [2, 1, 2, 1]


@pytest.mark.parametrize("settings", [{"batch_size": 0}, {"batch_size": 2049}, {"in_flight": 0}])
def test_settings_out_of_range(make, settings):
    with pytest.raises(InputError, match=r"expected 1 to 2,048"):
        make(**settings)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again_and_nothing_is_lost(make, server, clock, status):
    server.faults.extend([failing(status), failing(status)])
    encoder = make(in_flight=1)
    assert (encoder.encode(TEXTS) == WordSum().encode(TEXTS)).all()
    assert Counter(server.answered) == Counter(TEXTS)
    assert encoder.spent == Spend(9, 2, 50, server.tokens, None)
    assert 0.375 <= clock.slept[0] <= 0.5 < 0.75 <= clock.slept[1] <= 1.0


@pytest.mark.parametrize("fault", [serving.dropped, serving.hanging, serving.garbled, serving.unpackable])
def test_no_answer_or_half_an_answer_is_asked_for_again(make, server, fault):
    server.faults.append(fault)
    encoder = make(patience=Patience(timeout=0.3), batch_size=50)
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
    assert asked_wait({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0


def test_headers_that_make_no_sense_are_passed_over():
    assert asked_wait({"retry-after": "soon", "retry-after-ms": "-3"}) is None
    assert limit_reset({"x-ratelimit-reset-tokens": "soon"}) is None
    assert limit_reset({"x-ratelimit-reset-tokens": "3"}) == 3


def test_a_wait_of_hours_is_not_waited_for(make, server, clock):
    server.faults.append(failing(429, "come back", Retry_After="7200"))
    with pytest.raises(Unfinished, match="asks to wait 7,200 seconds"):
        make().encode(["a"])
    assert not clock.slept


def test_giving_up_tells_how_many_were_answered(make, server):
    server.faults.extend([serving.healthy] * 3 + [failing(503)] * 4)
    with pytest.raises(
        Unfinished, match=r"503 \(not now\) at attempt 4, the last.* 24 of 50 texts were answered"
    ) as caught:
        make(in_flight=1, patience=Patience(attempts=4)).encode(TEXTS)
    assert sorted(caught.value.answered) == list(range(24))
    assert len(server.asked) == 7


def test_a_server_that_is_not_there(clock):
    client = Client(Endpoint("http://127.0.0.1:9/v1", "toy", "VESTIGE_API_KEY", KEY), sleep=clock.sleep, clock=clock)
    with pytest.raises(Unfinished, match=r"127.0.0.1:9/v1 gave no answer \(ConnectError .*attempt 6.* 0 of 1 texts"):
        EndpointEncoder(client, name="toy").encode(["a"])
    assert sum(clock.slept) < 16


def test_an_address_that_no_library_can_ask(clock):
    client = Client(Endpoint("http://é..b/v1", "toy", "VESTIGE_API_KEY"), sleep=clock.sleep, clock=clock)
    with pytest.raises(Unfinished, match=r"InvalidURL.*check the address"):
        EndpointEncoder(client, name="toy").encode(["a"])
    assert not clock.slept


def test_garbled_answers_are_asked_for_once_more_only(make, server):
    server.faults.extend([serving.garbled] * 3)
    with pytest.raises(Unfinished, match=r"no list of embeddings \(JSONDecodeError\) at attempt 2"):
        make().encode(["a"])
    assert len(server.asked) == 2


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
        (failing(307, location="http://elsewhere/v1"), "307 .*not followed.*http://elsewhere/v1"),
        (failing(418), "418 .*expected 200"),
    ],
)
def test_what_another_attempt_would_not_cure_is_not_asked_again(make, server, fault, words):
    server.faults.append(fault)
    with pytest.raises(Unfinished, match=words):
        make().encode(["a", "b"])
    assert len(server.asked) == 1


def test_numbers_too_large_for_a_vector_are_not_finite(make, server):
    server.faults.append(lambda *_: serving.JSONResponse({"data": [{"embedding": [1e300, None]}]}))
    with pytest.raises(Unfinished, match="not finite"):
        make().encode(["a"])


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


def test_a_refused_text_is_named_and_the_others_are_kept(make, server):
    server.refused = {TEXTS[3], TEXTS[41]}
    with pytest.raises(RefusedTexts) as caught:
        make(batch_size=50).encode(TEXTS)
    assert "row 3: " in str(caught.value)
    assert "400 ('$.input' is invalid: 1 of 1); row 41" in str(caught.value)
    assert "text number" not in str(caught.value)
    assert sorted(caught.value.answered) == [row for row in range(50) if row not in (3, 41)]
    assert max(Counter(server.answered).values()) == 1
    assert isinstance(caught.value, InputError)


def test_a_server_that_refuses_everything_is_soon_left_alone(make, server):
    server.refused = set(TEXTS)
    with pytest.raises(RefusedTexts, match="leave these texts out"):
        make(in_flight=4).encode(TEXTS)
    assert len(server.asked) < 35


def test_a_server_of_small_batches_is_learned_once(make, server):
    server.most_texts = 10
    encoder = make(batch_size=32, in_flight=1)
    assert (encoder.encode(TEXTS) == WordSum().encode(TEXTS)).all()
    assert encoder.batch_size == 8
    refused = [asked for asked in server.asked if asked.status == 413]
    assert len(refused) == 3
    assert Counter(server.answered) == Counter(TEXTS)


def test_a_cap_on_requests_is_kept(make, clock):
    make(patience=Patience(per_minute=60), in_flight=1).encode(TEXTS)
    assert clock.now == pytest.approx(6.0)


def test_a_wait_ends_when_another_thread_gives_up(server):
    halted = Event()
    halted.set()
    client = Client(Endpoint(server.url, "toy", "VESTIGE_API_KEY"))
    client._pace.hold(60)
    with pytest.raises(VestigeError, match="stopped"):
        client.embed(["a"], halted)
    assert not server.asked


def test_what_was_answered_is_in_the_cache_although_the_rest_failed(make, server, tmp_path):
    texts = [f"text {row:04d}" for row in range(1200)]
    server.faults.extend([serving.healthy] * 7 + [failing(401)])
    with pytest.raises(Unfinished):
        CachedEncoder(make(batch_size=128, in_flight=1), tmp_path).encode(texts)
    vectors = CachedEncoder(make(batch_size=128), tmp_path).encode(texts)
    assert (vectors == WordSum().encode(texts)).all()
    assert Counter(server.answered) == Counter(texts)


def test_a_refused_text_costs_the_cache_nothing_else(make, server, tmp_path):
    server.refused = {TEXTS[7]}
    for _ in range(2):
        with pytest.raises(RefusedTexts, match=r"^row 7: "):
            CachedEncoder(make(), tmp_path).encode(TEXTS)
    assert Counter(server.answered) == Counter(text for text in TEXTS if text != TEXTS[7])


def test_nothing_answered_leaves_no_block(make, server, tmp_path):
    server.faults.append(failing(401))
    with pytest.raises(Unfinished):
        CachedEncoder(make(batch_size=50), tmp_path).encode(TEXTS)
    assert not list(tmp_path.rglob("*"))


def test_an_interrupt_sends_nothing_more(make, server):
    def interrupted(_steps):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(batch_size=1, in_flight=1).encode(TEXTS, progress=lambda _task, _total: interrupted)
    assert len(server.asked) < len(TEXTS)


def test_an_estimate_asks_nothing_and_the_spend_is_the_servers_count(make, server):
    encoder = make(price=0.02)
    assert encoder.estimate(["abcd", "abcde", "abcd", ""]) == Estimate(3, 4, 4 * 0.02 / 1e6, "127.0.0.1", leaves=False)
    assert not server.asked
    encoder.encode(TEXTS)
    assert encoder.spent == Spend(7, 0, 50, server.tokens, server.tokens * 0.02 / 1e6)
    assert str(encoder.spent) == "7 requests (0 repeated), 50 texts answered, 250 tokens, less than $0.01 at list price"


def test_tokens_that_the_server_does_not_tell_are_not_invented(make, server):
    server.usage = False
    encoder = make(price=0.02)
    encoder.encode(["a"])
    assert encoder.spent == Spend(1, 0, 1, None, None)
    assert str(encoder.spent) == "1 request (0 repeated), 1 text answered, tokens not told by the server"


def test_estimates_read_well():
    paid = Estimate(12_000, 310_000, 310_000 * 0.02 / 1e6, "api.openai.com", leaves=True)
    assert str(paid) == "12,000 texts, about 310,000 tokens, about $0.01 at list price, to api.openai.com"
    little = Estimate(9, 90, 1e-6, "api.openai.com", leaves=True)
    assert str(little) == "9 texts, about 90 tokens, less than $0.01 at list price, to api.openai.com"
    assert (
        str(Estimate(1, 1, None, "::1", leaves=False))
        == "1 text, about 1 token, price not known, to ::1 on this machine"
    )


def _everything_shown(encoder, caught, caplog):
    shown = [repr(encoder), repr(encoder.client), repr(encoder.client.endpoint), encoder.identity, encoder.name]
    ours = caught.value.with_traceback(caught.tb.tb_next)
    lines = traceback.TracebackException.from_exception(ours, capture_locals=True).format()
    return "\n".join([*shown, *lines, repr(caught.value), caplog.text])


@pytest.mark.parametrize("status", [307, 400, 401, 403, 404, 418, 429, 500])
def test_the_key_is_sent_and_never_shown(make, server, caplog, status):
    caplog.set_level(logging.DEBUG)
    server.faults.extend([serving.echoing(status)] * 9)
    encoder = make()
    with pytest.raises(Unfinished, match=r"bad key: Bearer \*\*\*") as caught:
        encoder.encode(["a"])
    assert server.asked[0].authorization == f"Bearer {KEY}"
    assert KEY[:12] not in _everything_shown(encoder, caught, caplog)
    assert KEY[:12] not in json.dumps(str(encoder.spent))


def test_a_key_with_a_line_break_is_refused_without_being_shown(monkeypatch):
    monkeypatch.setenv("VESTIGE_API_KEY", "sk-secret\nmore")
    with pytest.raises(InputError, match=r"VESTIGE_API_KEY holds a space, a line break") as caught:
        load_http("//127.0.0.1:1/v1#toy")
    assert "secret" not in str(caught.value)


def test_openai_reads_the_variables_of_the_vendors_client(monkeypatch, server):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    encoder = load_openai("text-embedding-3-small")
    assert encoder.name == "openai:text-embedding-3-small"
    assert encoder.estimate(["a" * 4_000_000]).tokens == 4_000
    assert encoder.estimate(["a"]).host == "api.openai.com"
    assert encoder.estimate(["a"]).leaves
    assert encoder.price == 0.02
    assert load_openai("another").price is None
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/")
    load_openai("text-embedding-3-small").encode(["a"])
    assert server.asked[0].authorization == f"Bearer {KEY}"


def test_specs_reach_the_endpoint(monkeypatch, server):
    monkeypatch.delenv("VESTIGE_API_KEY", raising=False)
    assert load_encoder(f"{server.url}#toy").encode(TEXTS).shape == (50, 64)
    assert load_encoder("https://example.org/v1#toy").name == "https://example.org/v1#toy"


def test_openai_without_a_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError, match="OPENAI_API_KEY is not set"):
        load_openai("text-embedding-3-small")


def test_the_vendors_key_is_never_sent_to_another_host_nor_this_host_behind_a_proxy(monkeypatch, server):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("VESTIGE_API_KEY", raising=False)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    encoder = load_http(server.url.removeprefix("http:") + "/#toy")
    assert encoder.name == f"{server.url}#toy"
    encoder.encode(["a"])
    assert [asked.authorization for asked in server.asked] == [None]


@pytest.mark.parametrize(
    ("load", "argument", "leaves"),
    [
        (load_http, "//localhost:80/v1#m", False),
        (load_http, "//[::1]:8080/v1#m", False),
        (load_http, "//127.3.2.1/v1#m", False),
        (load_http, "//192.168.0.7:80/v1#m", True),
        (load_https, "//127.0.0.1.example.org/v1#m", True),
    ],
)
def test_whether_texts_leave_this_machine(load, argument, leaves):
    assert load(argument).estimate(["a"]).leaves is leaves


@pytest.mark.parametrize(
    "argument",
    ["", "//", "//host/v1", "//host/v1#", "//:80/v1#m", "//host:x/v1#m", "//u:pw@host/v1#m", "//h/v1?k=pw#m"],
)
def test_addresses_that_are_none(argument):
    with pytest.raises(InputError, match=r"expected|leave it out") as caught:
        load_http(argument)
    assert "pw" not in str(caught.value)


@pytest.mark.encoder
def test_minilm_through_the_server_is_minilm(make, server, minilm):
    server.encoder = minilm
    texts = ["I disputed the charge.", "", "🙂🙃 ünïcödé", "word " * 10_000]
    assert (make(batch_size=2).encode(texts) == minilm.encode(texts)).all()


def test_a_key_never_travels_unencrypted_to_another_machine(monkeypatch):
    monkeypatch.setenv("VESTIGE_API_KEY", "secret")
    with pytest.raises(InputError, match="would get the key in VESTIGE_API_KEY unencrypted"):
        load_http("//embeddings.example/v1#model")
    assert load_https("//embeddings.example/v1#model").client.endpoint.leaves
    assert not load_http("//127.0.0.1:8000/v1#model").client.endpoint.leaves


def test_what_was_answered_is_kept_when_the_user_stops(tmp_path, monkeypatch):
    from vestige.encoders.endpoint.work import Work
    from vestige.encoders.resumable import encode_blocks

    def stopped(self, texts, _in_flight, _done):
        self.answered.update({text: WordSum().encode([text])[0] for text in texts[:3]})
        raise KeyboardInterrupt

    with served(EmbeddingServer(WordSum())) as server:
        encoder = load_encoder(f"{server.url}#toy")
        texts = [f"text {row}" for row in range(5)]
        with monkeypatch.context() as patch:
            patch.setattr(Work, "run", stopped)
            with pytest.raises(KeyboardInterrupt):
                list(encode_blocks(encoder, [texts], tmp_path, total=5))
        found = next(encode_blocks(encoder, [texts], tmp_path, total=5))
        assert sorted(text for asked in server.asked for text in asked.texts) == texts[3:]
    assert np.allclose(found, WordSum().encode(texts))


def test_a_cap_on_requests_is_read_from_the_environment(monkeypatch):
    assert load_http("//127.0.0.1:8000/v1#model").client.patience.per_minute is None
    monkeypatch.setenv("VESTIGE_REQUESTS_PER_MINUTE", "90")
    assert load_http("//127.0.0.1:8000/v1#model").client.patience.per_minute == 90
    monkeypatch.setenv("VESTIGE_REQUESTS_PER_MINUTE", "many")
    with pytest.raises(InputError, match="is 'many'; expected a whole number of requests"):
        load_http("//127.0.0.1:8000/v1#model")
