"""Control characters, made visible."""


def escape_controls(text: str) -> str:
    """The text without control characters, which would let a name take over a terminal; they are shown as \\x1b."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
