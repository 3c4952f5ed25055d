"""The server is on this machine only, and says where."""

import builtins
import json
import logging
from asyncio import CancelledError
from http.client import HTTPConnection

import pytest

from tests.sample_view import running
from vestige.errors import InputError, MissingExtra
from vestige.view.server import HOST, Address, check_extra, serve


def get(address, path, **headers):
    connection = HTTPConnection(HOST, address.port, timeout=30)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.getheader("set-cookie"), answer.read()


def test_a_real_request_needs_the_token(model):
    with running(model) as address:
        assert address.url == f"http://127.0.0.1:{address.port}/?token={address.token}"
        assert get(address, "/live/status")[0] == 403
        status, cookie, _ = get(address, f"/live/status?token={address.token}")
        assert status == 303
        status, _, body = get(address, "/live/status", cookie=cookie.partition(";")[0])
        assert status == 200
        assert json.loads(body)["ready"]
        assert get(address, "/live/status", cookie=cookie.partition(";")[0], host="evil.example")[0] == 403


def test_an_answer_that_is_given_up_at_the_end_is_no_fault(model, caplog):
    with running(model):
        pass
    log = logging.getLogger("uvicorn.error")
    log.addHandler(caplog.handler)
    for error in (CancelledError(), ValueError("a fault")):
        log.error("Exception in ASGI application", exc_info=error)
    log.removeHandler(caplog.handler)
    assert [str(record.exc_info[1]) for record in caplog.records] == ["a fault"]


def test_every_start_has_another_token(model):
    with running(model) as one, running(model) as other:
        assert one.token != other.token
        assert one.port != other.port
        assert len(one.token) >= 32


def test_a_missing_extra_names_the_command(monkeypatch):
    check_extra()
    plain = builtins.__import__

    def fail(name, *arguments, **keywords):
        if name == "uvicorn":
            raise ImportError(name="uvicorn")
        return plain(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", fail)
    with pytest.raises(MissingExtra, match=r"uvicorn is not installed; get it with: pip install '.*\[view\]'"):
        check_extra()


def test_the_address_has_the_token():
    assert Address(1234, "abc", "once").url == "http://127.0.0.1:1234/?token=abc"


def test_the_command_that_opens_the_browser_does_not_have_the_token():
    address = Address(1234, "secret", "once")
    assert address.url_once == "http://127.0.0.1:1234/?token=once"


def test_a_port_that_is_taken_is_explained(model):
    with running(model) as address, pytest.raises(InputError, match=rf"port {address.port} cannot be used \(.*--port"):
        serve(None, print, port=address.port)
