"""The six representations of Corò's thesis, and the sizes at which they are run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vestige.papers.elsewhere import encyclopedia
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim, victims
from vestige.text.corpus import Corpus
from vestige.utility.linear_probe import SHORT_GRID, Grid

MODELS = {
    "Bag-of-words + tf-idf": "tfidf:{columns}",
    "Hashing": "hashing:{columns}",
    "Reduced bag-of-words": "lsa:tfidf:{directions}",
    "Reduced hashing": "lsa:hashing:{directions}",
    "Doc2Vec": "doc2vec",
    "Sentence-BERT": "minilm",
}


@dataclass(frozen=True)
class Sizes:
    """Sentences on each side, columns and directions, epochs of the thesis' recipe, training sizes, texts a class.

    `named` sentences teach the inverter that looks for names, and at most `naming` with each name are attacked.

    An empty corpus means the first that is here: newsgroups or complaints, Wikipedia or speeches.
    """

    train: int
    cross: int
    targets: int
    columns: int
    directions: int
    vocabulary: int
    epochs: int
    steps: tuple[int, ...]
    per_class: int
    named: int
    naming: int
    probe_columns: int = 2**14
    grid: Grid = field(default_factory=lambda: SHORT_GRID)
    corpus: str = ""
    elsewhere: str = ""
    paragraphs: int | None = None
    jobs: int = 2


def representations(
    run: Run[Sizes], models: Iterable[str], texts: Sequence[Corpus], study: Corpus, columns: int
) -> list[Victim | Absent]:
    """The models asked for, to be attacked with vectors of these texts; those that learn do so from `study`."""
    specs = {model: MODELS[model].format(columns=columns, directions=run.sizes.directions) for model in models}
    return victims(run, specs, texts, study)


def elsewhere(run: Run[Sizes]) -> Corpus:
    """The corpus that stands for Wikipedia."""
    return encyclopedia(run.sizes.elsewhere, run.sizes.paragraphs)
