"""Words as the Penn Treebank splits them, which is how Skip-thought and InferSent were trained.

The rules are those of the Treebank's own script, applied sentence by sentence: punctuation marks are words, "don't" is
"do n't", and a full stop is split off at the end of a sentence only.
"""

import re

from vestige.text.sentences import split_sentences

_RULES = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r'^"', "`` "),
        (r'([ (\[{<])("|\'{2})', r"\1 `` "),
        (r"(\w)([:,])(\D|$)", r"\1 \2 \3"),
        (r"\.{2,}", r" \g<0> "),
        (r"[;@#$%&?!*]", r" \g<0> "),
        (r'([^.])(\.)([\])}>"\'»”’ ]*)\s*$', r"\1 \2 \3 "),
        (r"([^'])' ", r"\1 ' "),
        (r"[\]\[(){}<>]", r" \g<0> "),
        (r"--", " -- "),
        (r"''", " '' "),
        (r'"', " '' "),
        (r"$", " "),
        (r"([^' ])('[sSmMdD]|') ", r"\1 \2 "),
        (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
        (r"(?i)\b(can)(not)\b", r" \1 \2 "),
        (r"(?i)\b(gon|wan)(na)\b", r" \1 \2 "),
    )
]


def treebank_words(text: str) -> list[str]:
    """The words and punctuation marks of a text, in order."""
    return [word for sentence in split_sentences(text) for word in _split(sentence)]


def _split(sentence: str) -> list[str]:
    for pattern, replacement in _RULES:
        sentence = pattern.sub(replacement, sentence)
    return sentence.split()
