"""Chat messages of the package chitchat-dataset, whose authors are pseudonymous; the package itself is not imported."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from vestige.errors import InputError
from vestige.text.corpus import Corpus

PACKAGE, FILE = "chitchat_dataset", "dataset.json"


def find_chat() -> Path | None:
    """The file of the installed package, or None if it is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / FILE
    return path if path.is_file() else None


def read_chat(path: Path, name: str = "chat") -> Corpus:
    """One row per message with text; a conversation is a document, and `author` is who sent the message."""
    try:
        conversations: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        rows = [
            (message["text"], key, message["sender"])
            for key, conversation in conversations.items()
            for turn in conversation["messages"]
            for message in turn
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{path} is not the file of chitchat-dataset 0.9.0 ({error!r}); install that version"
        ) from error
    kept = [row for row in rows if isinstance(row[0], str) and row[0].strip()]
    texts, documents, authors = ([row[column] for row in kept] for column in range(3))
    return Corpus(name, texts, documents, {"author": authors}, "text", "conversation")
