"""Print the id of the first comment that starts with a marker; the comments come as JSON on standard input."""

import json
import sys
from collections.abc import Iterator
from typing import Any


def read_pages(text: str) -> Iterator[dict[str, Any]]:
    """All comments; each page is an array of its own."""
    decoder = json.JSONDecoder()
    while text := text.lstrip():
        page, end = decoder.raw_decode(text)
        yield from page
        text = text[end:]


def main() -> None:
    """Print nothing if no comment has the marker."""
    marker = sys.argv[1]
    found = (comment["id"] for comment in read_pages(sys.stdin.read()) if comment["body"].startswith(marker))
    print(next(found, ""))


if __name__ == "__main__":
    main()
