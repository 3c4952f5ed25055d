"""What an answer other than 200 means, and what to do about it."""

import json
from typing import TYPE_CHECKING

from vestige.encoders.endpoint.address import Endpoint
from vestige.encoders.endpoint.failures import Again, Failure, Refusal
from vestige.encoders.endpoint.waiting import Patience, asked_wait, limit_reset

if TYPE_CHECKING:
    import httpx

_BUSY = {408, 409, 429, *range(500, 600)} - {501, 505}
_REFUSED = {400, 413, 422}


def failure_of(response: "httpx.Response", endpoint: Endpoint, patience: Patience) -> Failure:
    """The failure behind a status, in the server's own words without the key."""
    words = _words(response.text) or response.reason_phrase
    said = f"{endpoint.url} answered {response.status_code} ({endpoint.scrub(words)})"
    if response.status_code in _REFUSED:
        return Refusal(said)
    if response.status_code in _BUSY and "insufficient_quota" not in response.text:
        return Again(said, wait=_wait(response, patience))
    return Failure(f"{said}; {_remedy(response, endpoint)}")


def _wait(response: "httpx.Response", patience: Patience) -> float | None:
    asked, reset = asked_wait(response.headers), limit_reset(response.headers)
    if asked is None and reset is not None and response.status_code == 429:
        # The limit is whole again then; a part of it, which may do, comes sooner. So this wait never means giving up.
        return min(reset, patience.longest_wait)
    return asked


def _remedy(response: "httpx.Response", endpoint: Endpoint) -> str:
    key, model = endpoint.key_variable, endpoint.model
    if response.is_redirect:
        target = endpoint.scrub(response.headers.get("location", ""))
        return f"redirects are not followed; name the address it points to, if you trust it: {target}"
    remedies = {
        401: f"check the key in {key}" if endpoint.key else f"set {key} to your key",
        403: f"the key in {key} may not use model '{model}'",
        404: f"check the model '{model}', and that the address is the one before /embeddings, often ending in /v1",
        429: f"the quota of the key in {key} is used up; check the vendor's billing page",
    }
    return remedies.get(response.status_code, "expected 200 with a list of embeddings")


def _words(body: str) -> str:
    """What a server says in an error: the message where vendors put it, else the body as it is."""
    try:
        parsed = json.loads(body)
        error = parsed.get("error", parsed.get("detail", parsed.get("message", body)))
        return str(error.get("message", error) if isinstance(error, dict) else error)
    except (ValueError, AttributeError):
        return body
