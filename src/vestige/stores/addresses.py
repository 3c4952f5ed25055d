"""Addresses of servers as they may be shown: without who asks, and without a password."""

from urllib.parse import urlsplit

from vestige.errors import InputError


def without_user(address: str) -> str:
    """Scheme, host, port and path of a URL; PostgreSQL may have several hosts, parted by commas."""
    try:
        parts = urlsplit(address)
        hosts = parts.netloc.rpartition("@")[2]
        for host in hosts.split(","):
            _ = urlsplit(f"//{host}").port  # raises where it is no number
    except ValueError:  # what it says may hold a piece of the password
        raise InputError(
            "the address of the server has no host and port that can be told apart; "
            "expected one as in 'http://HOST:PORT', with every / ? # and @ of a password written as %2F %3F %23 and %40"
        ) from None
    return f"{parts.scheme}://{hosts}{parts.path}"
