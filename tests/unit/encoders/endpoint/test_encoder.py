import json
import logging
import traceback
from collections import Counter

import numpy as np
import pytest

from tests import endpoint_server as serving
from tests.conftest import WordSum
from tests.endpoint_server import EmbeddingServer, failing, served
from tests.unit.encoders.endpoint.conftest import KEY, TEXTS
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.endpoint.encoder import is_remote, load_http, load_openai, refuse_unconfirmed_sending
from vestige.encoders.load import load_encoder
from vestige.encoders.metered import Metered
from vestige.encoders.unfinished import RefusedTexts, Unfinished
from vestige.errors import InputError


def test_each_text_is_answered_once_in_the_order_given(make, server):
    texts = [*TEXTS, *TEXTS[:5], ""]
    vectors = make().encode(texts)
    assert (vectors == WordSum().encode(texts)).all()
    assert vectors.dtype == np.float32
    assert Counter(server.answered) == Counter([*TEXTS, " "])


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


def test_the_identity_changes_with_what_shapes_the_vectors(make):
    identities = {make().identity, make(dimensions=16).identity, make(most_bytes=9).identity, make(key="").identity}
    assert len(identities) == 3


def test_long_texts_are_truncated_between_letters_and_invalid_ones_repaired(make, server, caplog):
    make(most_bytes=5).encode(["ééé", "word " * 10_000, "a\ud800b"])
    assert server.answered == ["éé", "word ", "a?b"]
    assert "2 of 3 texts are truncated after 5 bytes" in caplog.text


@pytest.mark.parametrize("settings", [{"batch_size": 0}, {"batch_size": 2049}, {"in_flight": 0}])
def test_settings_out_of_range(make, settings):
    with pytest.raises(InputError, match=r"expected 1 to 2,048"):
        make(**settings)


def test_answered_texts_are_cached_although_the_rest_failed(make, server, tmp_path):
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


@pytest.mark.encoder
def test_minilm_through_the_server_is_minilm(make, server, minilm):
    server.encoder = minilm
    texts = ["I disputed the charge.", "", "🙂🙃 ünïcödé", "word " * 10_000]
    assert (make(batch_size=2).encode(texts) == minilm.encode(texts)).all()


def test_answered_texts_are_stored_when_the_user_stops(tmp_path, monkeypatch):
    from tests.unit.encoders.test_resumable import encode_blocks
    from vestige.encoders.endpoint.dispatch import Dispatcher

    def stopped(self, texts, _in_flight, _done):
        self.answered.update({text: WordSum().encode([text])[0] for text in texts[:3]})
        raise KeyboardInterrupt

    with served(EmbeddingServer(WordSum())) as server:
        encoder = load_encoder(f"{server.url}#toy")
        texts = [f"text {row}" for row in range(5)]
        with monkeypatch.context() as patch:
            patch.setattr(Dispatcher, "run", stopped)
            with pytest.raises(KeyboardInterrupt):
                encode_blocks(encoder, [texts], tmp_path)
        (found,) = encode_blocks(encoder, [texts], tmp_path)
        assert sorted(text for asked in server.asked for text in asked.texts) == texts[3:]
    assert np.allclose(found, WordSum().encode(texts))


def test_a_cap_on_requests_is_read_from_the_environment(monkeypatch):
    assert load_http("//127.0.0.1:8000/v1#model").client.retry.per_minute is None
    monkeypatch.setenv("VESTIGE_REQUESTS_PER_MINUTE", "90")
    assert load_http("//127.0.0.1:8000/v1#model").client.retry.per_minute == 90
    monkeypatch.setenv("VESTIGE_REQUESTS_PER_MINUTE", "many")
    with pytest.raises(InputError, match="is 'many'; expected a whole number of requests"):
        load_http("//127.0.0.1:8000/v1#model")


def test_texts_go_to_another_machine_only_with_consent(server):
    local = load_encoder(f"{server.url}#toy")
    remote = Metered(load_encoder("https://example.org/v1#toy"))
    assert (is_remote(local), is_remote(remote), is_remote(WordSum())) == (False, True, False)
    refuse_unconfirmed_sending(local, [["a"]])
    with pytest.raises(
        InputError, match=r"would send 3 texts, about 4 tokens, .* nothing was sent; .* --send"
    ) as caught:
        refuse_unconfirmed_sending(remote, [["secret", "b"], ["b"]])
    assert "secret" not in str(caught.value)
