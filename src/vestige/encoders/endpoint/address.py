"""The address of an embeddings endpoint and its API key, which is never shown."""

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from vestige.errors import InputError


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A base URL, a model, and the API key, if one is needed, with the environment variable it comes from."""

    url: str
    model: str
    key_variable: str
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """The machine to which texts are sent."""
        return urlsplit(self.url).hostname or ""

    @property
    def leaves(self) -> bool:
        """Whether texts leave this machine."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return False
        try:
            return not ip_address(self.host).is_loopback
        except ValueError:
            return True

    def scrub(self, words: str) -> str:
        """A server's message in one line, safe to show: the key, if it echoes it, is masked before the line is cut."""
        shown = words.replace(self.key, "***") if self.key else words
        line = " ".join("".join(c if c.isprintable() else " " for c in shown).split())
        return line if len(line) <= 300 else line[:299] + "…"


def resolve_endpoint(url: str, model: str, key_variable: str) -> Endpoint:
    """The endpoint at a base URL, with the key from the environment."""
    if not model:
        raise InputError("the encoder names no model; expected openai:MODEL or http://HOST:PORT/v1#MODEL")
    endpoint = Endpoint(_base_url(url), model, key_variable, _key(key_variable))
    if endpoint.key and endpoint.leaves and endpoint.url.startswith("http:"):
        raise InputError(
            f"{endpoint.url} would get the key in {key_variable} unencrypted; name the address with https://, "
            f"or unset {key_variable}"
        )
    return endpoint


def _base_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:
        raise InputError(f"'{url}' is not a valid address ({error}); expected http://HOST:PORT/v1") from error
    if "@" in parts.netloc or parts.query:
        raise InputError(
            f"the address of '{parts.hostname}' contains a user or a query, which reports would show; "
            "remove it and put the key into the environment"
        )
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"'{url}' is not the address of an endpoint; expected http://HOST:PORT/v1")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"


def _key(variable: str) -> str:
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InputError(
            f"{variable} contains a space, a line break or a letter that no key has; copy the key into it again"
        )
    return key
