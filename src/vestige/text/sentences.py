"""Sentences, found by Wikimedia's segmenter."""

import re

_SPACE = re.compile(r"\s+")


def split_sentences(text: str, language: str = "en") -> list[str]:
    """The sentences of a text in order, with white space collapsed."""
    import sentencex

    return [sentence for part in sentencex.segment(language, text) if (sentence := _SPACE.sub(" ", part).strip())]
