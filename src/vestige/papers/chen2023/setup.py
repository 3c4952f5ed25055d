"""What a run of Chen 2023 uses: the encoders with their stand-ins, and the sizes at each scale."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vestige.errors import InputError
from vestige.papers.run import PaperRun
from vestige.papers.victims import MissingModel, Victim, load_victim, load_victims
from vestige.text.corpus import Corpus

SURROGATE = "SBERT"
"""The adversary's own encoder, unless a table names another."""

MODELS = {
    "SBERT": "minilm",
    "BERT": "hf:bert-base-uncased@mean",
    "ALBERT": "hf:albert-base-v2@mean",
    "ERNIE": "hf:ernie-2.0-base-en@mean",
    "XLNET": "hf:xlnet-base-cased@mean",
    "GPT2": "hf:gpt2@mean",
    "Doc2vec": "doc2vec",
    "granite": "hf:granite-30m-english",
    "USE": "use",
    "potion": "static:potion-base-8M",
    "wordllama": "wordllama",
    "GloVe": "glove-6b",
}
"""The seven encoders of the thesis, then five that it does not attack, each with its stand-in."""


def load_models(
    run: PaperRun[object], names: Iterable[str], texts: Sequence[Corpus], study: Corpus
) -> dict[str, Victim | MissingModel]:
    """The encoders with these names; those that are trained here learn from `study`."""
    return load_victims(run, {model: MODELS[model] for model in names}, texts, study)


def load_surrogate(run: PaperRun[object], model: str, study: Corpus) -> Victim:
    """The adversary's own encoder, which must be available."""
    loaded = load_victim(run, model, MODELS[model], study)
    if isinstance(loaded, MissingModel):
        raise InputError(f"the surrogate {model} is not available: {loaded.reason}")
    return loaded


@dataclass(frozen=True)
class ChenSizes:
    """Sizes of one scale: target documents, documents in the adversary's pool, queries, external documents, steps.

    A word of the vocabulary occurs in at least the share `rarest` of documents; a document has at least `shortest`
    words of the vocabulary and is cut after `longest` words. `queries` and `pools` are the points of Figures 5.2 and
    5.3, the latter with `few` queries; `epsilons` and `dimensions` those of Figures 6.1 and 6.2; `shortened` documents
    lose words to estimate the sensitivity. Networks choose their best epoch on `validation` further documents, without
    any on a fifth of the queried ones, and are trained `repeats` times, of which the mean is shown. With `headers`,
    posts of 20 Newsgroups have theirs. With `tagger`, the vocabulary holds nouns and verbs alone, where a tagger is
    installed. With `labels`, examples show the most important words of a record, which are private. A surrogate is
    fine-tuned for `tuning` steps. With `unit`, the TF-IDF of a document has unit length. A named corpus replaces that
    of every data set.
    """

    targets: int
    pool: int
    budget: int
    external: int
    steps: int
    rarest: float
    shortest: int
    longest: int
    queries: tuple[int, ...]
    pools: tuple[int, ...]
    few: int
    epsilons: tuple[float, ...]
    dimensions: tuple[int, ...]
    shortened: int
    validation: int = 0
    repeats: int = 1
    headers: bool = False
    tagger: bool = True
    labels: bool = False
    tuning: int = 100
    corpus: str = ""
    public_corpus: str = ""
    unit: bool = True


SCALES = {
    "small": ChenSizes(
        targets=300,
        pool=400,
        budget=200,
        external=400,
        steps=1000,
        rarest=0.006,
        shortest=10,
        longest=80,
        queries=(10, 50, 100, 200, 400),
        pools=(100, 200, 400),
        few=100,
        epsilons=(10, 100, 1000),
        dimensions=(16, 64, 192),
        shortened=60,
    ),
    "full": ChenSizes(
        targets=2000,
        pool=1000,
        budget=200,
        external=3000,
        steps=3000,
        rarest=0.003,
        shortest=15,
        longest=400,
        queries=(10, 50, 100, 200, 500, 1000),
        pools=(100, 200, 500, 1000),
        few=100,
        epsilons=(1, 10, 30, 100, 300, 1000, 3000),
        dimensions=(8, 16, 32, 64, 128, 256, 384),
        shortened=1000,
    ),
    "paper": ChenSizes(
        targets=15_000,
        pool=1000,
        budget=200,
        external=10_000,
        steps=10_000,
        rarest=0.003,
        shortest=15,
        longest=100_000,
        queries=(10, 50, 100, 200, 500, 1000),
        pools=(100, 200, 500, 1000),
        few=100,
        epsilons=(1, 10, 30, 100, 300, 1000, 3000),
        dimensions=(8, 16, 32, 64, 128, 256, 384),
        shortened=1000,
        validation=500,
        repeats=5,
        headers=True,
    ),
}
