"""Sentences, by Wikimedia's segmenter."""

import re

_SPACE = re.compile(r"\s+")


def split_sentences(text: str, language: str = "en") -> list[str]:
    """The sentences of a text in order, white space folded."""
    import sentencex

    return [folded for part in sentencex.segment(language, text) if (folded := _SPACE.sub(" ", part).strip())]
