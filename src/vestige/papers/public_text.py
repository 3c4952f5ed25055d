"""Public text: the corpus that stands in for Wikipedia."""

from dataclasses import replace

import numpy as np

from vestige.text.corpora import is_available, load_corpus
from vestige.text.corpus import Corpus


def first_available(*names: str) -> str:
    """The first of these corpora that is available; the last one ships with Vestige."""
    return next(name for name in names if is_available(name) or name == names[-1])


def load_encyclopedia(name: str = "", most: int | None = None) -> Corpus:
    """Paragraphs of Wikipedia if available, else of the shipped speeches, without the marks of unknown words.

    At most `most` of them, evenly spread over the corpus.
    """
    corpus = load_corpus(name or first_available("wikitext", "speeches"))
    rows, paragraphs = [], []
    for row, text in enumerate(corpus.texts):
        for part in text.replace("<unk>", "").split("\n\n"):
            if part.strip():
                rows.append(row)
                paragraphs.append(part)
    chosen = np.linspace(0, len(rows), min(most or len(rows), len(rows)), endpoint=False).astype(int)
    return replace(corpus.take([rows[place] for place in chosen]), texts=[paragraphs[place] for place in chosen])
