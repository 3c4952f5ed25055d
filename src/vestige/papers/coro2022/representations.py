"""The six representations of Corò's thesis, and the sizes at which they are run."""

from dataclasses import dataclass, field

from vestige.papers.elsewhere import encyclopedia
from vestige.papers.table import Run
from vestige.papers.victims import Absent, Victim, victim
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
    probe_columns: int = 2**14
    grid: Grid = field(default_factory=lambda: SHORT_GRID)
    corpus: str = ""
    elsewhere: str = ""
    paragraphs: int | None = None
    jobs: int = 2

    def told(self, columns: int) -> str:
        """What differs in the representations."""
        return (
            f"Representations: tf-idf and hashing have {columns:,} columns (262,144 in the thesis), since their "
            f"vectors are held dense here; LSA has {self.directions:,} directions (1,000); the corpus from elsewhere "
            "is a few thousand paragraphs in place of Wikipedia; a Sentence-BERT of English stands for an Italian one."
        )


def learned_elsewhere(run: Run, columns: int) -> list[Victim | Absent]:
    """All six, those that learn fitted on a corpus from elsewhere."""
    return representations(run, columns, encyclopedia(run.sizes.elsewhere, run.sizes.paragraphs))


def representations(run: Run, columns: int, corpus: Corpus) -> list[Victim | Absent]:
    """All six, those that learn fitted on a corpus."""
    sizes: Sizes = run.sizes
    specs = {model: spec.format(columns=columns, directions=sizes.directions) for model, spec in MODELS.items()}
    return [victim(run, model, spec, corpus) for model, spec in specs.items()]
