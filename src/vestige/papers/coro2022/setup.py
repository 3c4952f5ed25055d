"""What a run of Corò 2022 uses: the representations with their stand-ins, and the sizes at each scale."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vestige.papers.public_text import load_encyclopedia
from vestige.papers.run import PaperRun
from vestige.papers.victims import MissingModel, Victim, load_victims
from vestige.text.corpus import Corpus
from vestige.utility.linear_probe import ONE_PATIENCE, PUBLISHED_GRID, SHORT_GRID, Grid

MODELS = {
    "Bag-of-words + tf-idf": "tfidf:{columns}",
    "Hashing": "hashing:{columns}",
    "Reduced bag-of-words": "lsa:tfidf:{directions}",
    "Reduced hashing": "lsa:hashing:{directions}",
    "Doc2Vec": "doc2vec",
    "Sentence-BERT": "minilm@mean",
}
"""The six representations of the thesis, each with its stand-in."""


@dataclass(frozen=True)
class CoroSizes:
    """Sizes of one scale.

    Sentences to train on in the domain and across domains, targets, columns and directions, words of the vocabulary,
    epochs of the thesis' recipe (None: as many as in the thesis), training sizes of Figure 5.1, texts per class.
    `named` sentences train the inverter of names, `enriched` with the names or not, and at most `naming` with each name
    are attacked. An empty corpus name means the first corpus that is available: newsgroups or complaints, Wikipedia or
    speeches. For a corpus of your own, a file, `domain` gives the attribute and how its values begin in the domain
    under attack, as in "category:Economy". `language` is that of the texts. `listed` trains Table 5.2 by
    Algorithm 1 as it is listed as well.
    """

    train: int
    cross: int
    targets: int
    columns: int
    directions: int
    vocabulary: int
    epochs: int | None
    steps: tuple[int, ...]
    per_class: int
    named: int
    naming: int
    probe_columns: int = 2**14
    grid: Grid = field(default_factory=lambda: SHORT_GRID)
    corpus: str = ""
    public_corpus: str = ""
    paragraphs: int | None = None
    jobs: int = 2
    enriched: bool = False
    listed: bool = True
    domain: str = ""
    language: str = "en"


SCALES = {
    "small": CoroSizes(
        train=1000,
        cross=1000,
        targets=400,
        columns=1024,
        directions=200,
        vocabulary=2000,
        epochs=5,
        steps=(250, 500),
        per_class=60,
        named=3000,
        naming=30,
    ),
    "full": CoroSizes(
        train=6000,
        cross=10_000,
        targets=2000,
        columns=4096,
        directions=1000,
        vocabulary=5000,
        epochs=None,
        steps=(500, 1000, 2000, 4000),
        per_class=600,
        named=20_000,
        naming=100,
        grid=ONE_PATIENCE,
    ),
    "paper": CoroSizes(
        train=166_377,
        cross=849_692,
        targets=71_398,
        columns=2**18,
        directions=1000,
        vocabulary=20_000,
        epochs=None,
        steps=(10_000, 20_000, 40_000, 80_000),
        per_class=2000,
        named=849_692,
        naming=10**6,
        probe_columns=2**18,
        grid=PUBLISHED_GRID,
    ),
}


def load_representations(
    run: PaperRun[CoroSizes], models: Iterable[str], texts: Sequence[Corpus], study: Corpus, columns: int
) -> dict[str, Victim | MissingModel]:
    """The models with these names, to be attacked with vectors of these texts; vectorizers learn from `study`."""
    specs = {model: MODELS[model].format(columns=columns, directions=run.sizes.directions) for model in models}
    return load_victims(run, specs, texts, study)


def load_public_corpus(run: PaperRun[CoroSizes]) -> Corpus:
    """The corpus that stands in for Wikipedia."""
    return load_encyclopedia(run.sizes.public_corpus, run.sizes.paragraphs)
