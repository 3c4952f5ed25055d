"""Only the browser with the token gets an answer, and no other page can use it."""

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from vestige.view.security import LARGEST_BODY, Guard

TOKEN, PORT = "right-token", 4321


@pytest.fixture
def client():
    app = Starlette(routes=[Route("/page", lambda _request: PlainTextResponse("inside"), methods=["GET", "POST"])])
    return TestClient(Guard(app, TOKEN, PORT), base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False)


@pytest.fixture
def trusted(client):
    client.cookies.set(f"vestige-{PORT}", TOKEN)
    return client


def test_the_token_becomes_a_cookie_and_leaves_the_address(client):
    answer = client.get(f"/page?token={TOKEN}&band=2")
    assert (answer.status_code, answer.headers["location"]) == (303, "/page?band=2")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert client.get("/page").text == "inside"


def test_the_address_stays_escaped_and_on_this_server(client):
    answer = client.get(f"http://127.0.0.1:{PORT}//evil.example/page?token={TOKEN}&a=%0d%0aset-cookie%3Ax%26b")
    assert answer.headers["location"] == "/evil.example/page?a=%0D%0Aset-cookie%3Ax%26b"


@pytest.mark.parametrize("path", ["/page?token=wrong", "/page"])
def test_without_the_token_there_is_no_answer(client, path):
    assert client.get(path).status_code == 403


def test_a_wrong_cookie_is_refused(client):
    client.cookies.set(f"vestige-{PORT}", "wrong")
    assert client.get("/page").status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", f"evil.example:{PORT}", "127.0.0.1:80", ""])
def test_another_host_is_refused(trusted, host):
    assert trusted.get("/page", headers={"host": host}).status_code == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1", "file://"]
)
def test_another_origin_is_refused(trusted, origin):
    assert trusted.post("/page", headers={"origin": origin}).status_code == 403


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_the_own_origin_is_accepted(trusted, name):
    own = {"host": f"{name}:{PORT}", "origin": f"http://{name}:{PORT}", "cookie": f"vestige-{PORT}={TOKEN}"}
    assert trusted.post("/page", headers=own).status_code == 200


def test_a_large_body_is_refused(trusted):
    assert trusted.post("/page", content=b"x" * (LARGEST_BODY + 1)).status_code == 413


def test_a_body_of_unknown_length_is_refused(trusted):
    assert trusted.post("/page", content=b"x", headers={"content-length": "many"}).status_code == 413
    assert trusted.post("/page", content=iter([b"x"])).status_code == 413


@pytest.mark.parametrize("path", ["/page", "/nothing", "/page?token=wrong"])
def test_every_answer_forbids_scripts_and_frames_of_others(trusted, path):
    headers = trusted.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; style-src 'self'; script-src 'self'")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert headers["x-frame-options"] == "DENY"


def test_a_ticket_opens_the_door_once():
    app = Starlette(routes=[Route("/page", lambda _request: PlainTextResponse("inside"))])
    guard = Guard(app, TOKEN, PORT, {"ticket"})
    first, second = (TestClient(guard, base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False) for _ in range(2))
    assert first.get("/page?token=ticket").status_code == 303
    assert first.get("/page").text == "inside"
    assert second.get("/page?token=ticket").status_code == 403
    assert second.get(f"/page?token={TOKEN}").status_code == 303


@pytest.mark.parametrize(
    ("site", "status"), [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)]
)
def test_a_page_of_another_server_on_this_machine_is_refused_though_it_has_the_cookie(trusted, site, status):
    assert trusted.get("/page", headers={"sec-fetch-site": site}).status_code == status


def test_a_link_on_another_page_leads_on_from_a_page_of_ours_with_the_cookie(client):
    answer = client.get(f"/page?token={TOKEN}&a=%22%3E%3Cb%3E", headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 200
    assert 'content="0;url=/page?a=%22%3E%3Cb%3E"' in answer.text
    assert TOKEN not in answer.text
    assert client.get("/page", headers={"sec-fetch-site": "same-origin"}).text == "inside"
    assert client.get("/page?token=wrong", headers={"sec-fetch-site": "cross-site"}).status_code == 403
