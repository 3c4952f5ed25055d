"""Text from elsewhere: what stands for Wikipedia."""

from dataclasses import replace

import numpy as np

from vestige.text.corpus import Corpus
from vestige.text.named import is_present, load_corpus


def first_present(*names: str) -> str:
    """The first of these corpora that is here; the last is shipped."""
    return next(name for name in names if is_present(name) or name == names[-1])


def encyclopedia(name: str = "", most: int | None = None) -> Corpus:
    """Paragraphs of Wikipedia where they are here, else of the shipped speeches; marks of left-out words removed.

    At most `most` of them, spread over the whole.
    """
    corpus = load_corpus(name or first_present("wikitext", "speeches"))
    rows, paragraphs = [], []
    for row, text in enumerate(corpus.texts):
        for part in text.replace("<unk>", "").split("\n\n"):
            if part.strip():
                rows.append(row)
                paragraphs.append(part)
    chosen = np.linspace(0, len(rows), min(most or len(rows), len(rows)), endpoint=False).astype(int)
    return replace(corpus.take([rows[place] for place in chosen]), texts=[paragraphs[place] for place in chosen])
