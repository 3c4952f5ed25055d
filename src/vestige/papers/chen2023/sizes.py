"""How large a run is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Documents under attack, documents of the adversary's pool, queries, external documents; steps of each network.

    `rarest` is the share of documents that a word of the vocabulary is in; `shortest` counts the words of it that a
    document has; `longest` is how many words of a document are read. `queries` and `pools` are the points of Figures
    5.2 and 5.3, the latter with `few` queries; `epsilons` and `dimensions` those of Figures 6.1 and 6.2;
    `shortened` documents lose words to tell how far a word moves a vector. A corpus that is named stands for all.
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
    corpus: str = ""
    elsewhere: str = ""


SCALES = {
    "small": Sizes(
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
    "full": Sizes(
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
}
