"""Who may talk to the server: the browser that was given the token, and nothing that came from another page."""

from dataclasses import dataclass, field
from secrets import compare_digest
from urllib.parse import urlencode, urlsplit

from markupsafe import Markup
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The browser may load and send nothing but to this server, and run no script that a page contains."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

LARGEST_BODY = 200_000
"""Bytes of a request; a text is at most a few pages."""

NAMES = ("127.0.0.1", "localhost")

OWN_SITES = ("same-origin", "none")
"""What a browser says of a request that a page of this server made, or the person; old browsers say nothing."""

ANOTHER_PAGE = "This request came from another page. Open the address that vestige printed in the terminal."

CONTINUE = Markup('<!DOCTYPE html><meta http-equiv="refresh" content="0;url={0}"><a href="{0}">Continue to Vestige</a>')


@dataclass(frozen=True)
class Guard:
    """Refuses requests without the token, for another host, from another origin, or with a large body.

    The token comes in the URL once, and goes into a cookie that scripts cannot read. The name of the cookie has the
    port, since browsers share cookies between the ports of a host. A page of another site that resolves its name to
    this machine has another Host; one that posts a form has another Origin; one on another port of this machine that
    only loads an address gets the cookie sent, but the browser says that the request is not ours.

    A ticket stands for the token once: other users of the machine may see the command that opens the browser.
    """

    app: ASGIApp
    token: str
    port: int
    tickets: set[str] = field(default_factory=set)

    @property
    def cookie(self) -> str:
        """The name of the cookie."""
        return f"vestige-{self.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on; every answer has the headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await (self._answer(HTTPConnection(scope)) or self.app)(scope, receive, send_guarded)

    def _answer(self, request: HTTPConnection) -> Response | None:
        """The answer to a request that goes no further; None for one that may."""
        refusal = self._refuse(request.headers)
        if refusal is not None:
            return refusal
        given = request.query_params.get("token")
        if given is not None:
            return self._exchange(request, given)
        if _is_foreign(request.headers):
            return _forbid(ANOTHER_PAGE)
        if not _equal(request.cookies.get(self.cookie, ""), self.token):
            return _forbid("This page needs a token. Open the address that vestige printed in the terminal.")
        return None

    def _refuse(self, headers: Headers) -> Response | None:
        if headers.get("host") not in [f"{name}:{self.port}" for name in NAMES]:
            return _forbid("This server answers to 127.0.0.1 only.")
        origin = headers.get("origin")
        if origin is not None and not self._is_own(origin):
            return _forbid(ANOTHER_PAGE)
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not length.isdecimal() or int(length) > LARGEST_BODY:
            return PlainTextResponse(f"The request may have at most {LARGEST_BODY:,} bytes, and must say so.", 413)
        return None

    def _is_own(self, origin: str) -> bool:
        parts = urlsplit(origin)
        return parts.scheme == "http" and parts.netloc in [f"{name}:{self.port}" for name in NAMES]

    def _exchange(self, request: HTTPConnection, given: str) -> Response:
        """Put the token into a cookie and out of the address."""
        if given in self.tickets:
            self.tickets.remove(given)
        elif not _equal(given, self.token):
            return _forbid(
                "The token is wrong, or it was used before. Open the address that vestige printed in the terminal."
            )
        kept = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != "token"])
        path = "/" + request.url.path.lstrip("/")
        target = f"{path}?{kept}" if kept else path
        # After a link on another page, such as a terminal in the browser, a redirect would not have the cookie.
        foreign = _is_foreign(request.headers)
        response = HTMLResponse(CONTINUE.format(target)) if foreign else RedirectResponse(target, 303)
        response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")
        return response


def _is_foreign(headers: Headers) -> bool:
    return headers.get("sec-fetch-site", "none") not in OWN_SITES


def _equal(one: str, other: str) -> bool:
    return compare_digest(one.encode(), other.encode())


def _forbid(reason: str) -> Response:
    return PlainTextResponse(reason, 403)
