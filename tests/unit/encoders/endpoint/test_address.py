import pytest

from vestige.encoders.endpoint.encoder import load_http, load_https
from vestige.errors import InputError


def test_a_key_with_a_line_break_is_refused_without_being_shown(monkeypatch):
    monkeypatch.setenv("VESTIGE_API_KEY", "sk-secret\nmore")
    with pytest.raises(InputError, match=r"VESTIGE_API_KEY contains a space, a line break") as caught:
        load_http("//127.0.0.1:1/v1#toy")
    assert "secret" not in str(caught.value)


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
    with pytest.raises(InputError, match=r"expected|remove it") as caught:
        load_http(argument)
    assert "pw" not in str(caught.value)


def test_a_key_never_travels_unencrypted_to_another_machine(monkeypatch):
    monkeypatch.setenv("VESTIGE_API_KEY", "secret")
    with pytest.raises(InputError, match="would get the key in VESTIGE_API_KEY unencrypted"):
        load_http("//embeddings.example/v1#model")
    assert load_https("//embeddings.example/v1#model").client.endpoint.leaves
    assert not load_http("//127.0.0.1:8000/v1#model").client.endpoint.leaves
