"""Foreign strings made printable: names, texts and paths from files must not control a terminal or a page."""

from unicodedata import category


def printable(text: str) -> str:
    r"""The text on one line, with every control, invisible or undecodable character as an escape such as \x1b.

    That includes line ends, terminal sequences, marks that reverse the direction of writing, and the surrogates by
    which Python names the bytes of a path that is not UTF-8.
    """
    if text.isprintable():
        return text
    return "".join(sign if _is_shown(sign) else sign.encode("unicode_escape").decode() for sign in text)


def printable_lines(text: str) -> str:
    """The same for text of several lines: line ends and tabs stay."""
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))


def _is_shown(sign: str) -> bool:
    return sign.isprintable() or category(sign) == "Zs"
