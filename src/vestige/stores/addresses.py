"""Addresses of servers as they may be shown: without who asks, and without a password."""

from urllib.parse import urlsplit


def without_user(address: str) -> str:
    """Scheme, host, port and path of a URL."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"
