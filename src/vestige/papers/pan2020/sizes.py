"""How large a run is."""

from dataclasses import dataclass

from vestige.papers.pan2020.strengths import Strengths


@dataclass(frozen=True)
class Sizes:
    """Records under attack, examples to learn them from and iterations of the paper's networks; then, for keywords,
    target sentences a keyword, sentences of the shadow corpus and of the external one, epochs, words to reassemble.

    The four tuples are the points of the curves of Figure 6: sentences of the shadow corpus and of the external one,
    shared dimensions, victims. The last two sizes are sentences a fingerprint learns from and is tested on. `strengths`
    are those of the defenses. An empty corpus means the first that is here.
    """

    records: int
    examples: int
    iterations: int
    each: int
    shadow: int
    external: int
    epochs: int
    words: int
    shadows: tuple[int, ...]
    externals: tuple[int, ...]
    shared: tuple[int, ...]
    victims: tuple[int, ...]
    learned: int
    tested: int
    strengths: Strengths
    airline: str = ""
    medical: str = ""
    elsewhere: str = ""


SCALES = {
    "small": Sizes(
        records=500,
        examples=4000,
        iterations=3000,
        each=24,
        shadow=80,
        external=120,
        epochs=50,
        words=50,
        shadows=(20, 40),
        externals=(6, 30),
        shared=(5, 25, 100),
        victims=(1, 30),
        learned=1000,
        tested=1000,
        strengths=Strengths(
            decimals=(0, 1, 2, 4),
            epsilons=(10, 100, 1000, 10_000),
            fidelities=(0.1, 10),
            rounds=300,
            shares=(0.01, 0.1, 0.5),
            changed=500,
            system=1500,
            models=1,
        ),
    ),
    "full": Sizes(
        records=1000,
        examples=20_000,
        iterations=30_000,
        each=200,
        shadow=500,
        external=1000,
        epochs=50,
        words=50,
        shadows=(20, 50, 100, 300),
        externals=(50, 100, 250, 500),
        shared=(5, 25, 50, 100),
        victims=(1, 10, 100, 1000),
        learned=2000,
        tested=2000,
        strengths=Strengths(
            decimals=tuple(range(10)),
            epsilons=(1, 10, 30, 100, 300, 1000, 3000, 10_000),
            fidelities=(0.01, 0.1, 1, 10, 100),
            rounds=1000,
            shares=(0.01, 0.05, 0.1, 0.25, 0.5, 0.9),
            changed=10_000,
            system=3000,
            models=8,
        ),
    ),
}
