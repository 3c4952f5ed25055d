"""What a run of Pan et al. 2020 uses: the models with their stand-ins, and the sizes at each scale."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log10

from vestige.papers.run import PaperRun
from vestige.papers.victims import MissingModel, Victim, load_victims
from vestige.text.corpus import Corpus

MODELS = {
    "Bert": "minilm",
    "Transformer-XL": "hf:transfo-xl-wt103@last",
    "XLNet": "hf:xlnet-base-cased@last",
    "GPT": "hf:openai-gpt@last",
    "GPT-2": "hf:gpt2@last",
    "RoBERTa": "hf:granite-30m-english",
    "XLM": "hf:xlm-mlm-enfr-1024@last",
    "Ernie 2.0": "hf:ernie-2.0-base-en@last",
    "USE": "use",
    "potion": "static:potion-base-8M",
    "GPT-2 Medium": "hf:gpt2-medium@last",
    "GPT-2 Large": "hf:gpt2-large@last",
    "Bert, CLS": "minilm@cls",
    "Bert, half way": "minilm@mean:3",
}
"""The eight language models of the paper, encoders that it does not attack, and the larger versions of GPT-2.

The last two are the Bert stand-in with another readout: models that a fingerprint has to distinguish.
"""


def load_models(
    run: PaperRun[object], names: Iterable[str], texts: Sequence[Corpus]
) -> dict[str, Victim | MissingModel]:
    """The models with these names, to be attacked with vectors of these texts."""
    return load_victims(run, {model: MODELS[model] for model in names}, texts)


@dataclass(frozen=True)
class DefenseStrengths:
    """The points of the curves of Figure 7, and the sizes of its other parts.

    The points are the decimals that rounding leaves, epsilon, lambda of the mapping (trained for so many rounds) and
    the share of the directions. `changed` counts the pairs that estimate the sensitivity, `system` the texts from which
    downstream systems learn, `models` the models that are defended.
    """

    decimals: tuple[int, ...]
    epsilons: tuple[float, ...]
    fidelities: tuple[float, ...]
    rounds: int
    shares: tuple[float, ...]
    changed: int
    system: int
    models: int


@dataclass(frozen=True)
class PanSizes:
    """Sizes of one scale.

    For records: how many are attacked, how many examples and iterations the networks learn from; with `fresh`, every
    batch of the paper's networks is generated anew, as in the paper, and the examples are those of our default. For
    keywords: target sentences per keyword, sentences of the shadow and of the external corpus, epochs, words to
    reassemble. The four tuples are the points of the curves of Figure 6: sentences of the shadow corpus, of the
    external one, shared dimensions, victims. A fingerprint learns from `learned` sentences and is tested on `tested`.
    Perceptrons stop when they converge, and after `perceptron_epochs` at the latest; the decoder of
    Figure 10 is trained for `decoder_epochs` too. An empty corpus name means the
    first corpus that is available.
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
    strengths: DefenseStrengths
    fresh: bool = False
    perceptron_epochs: int = 5000
    decoder_epochs: int = 50
    airline: str = ""
    medical: str = ""
    public_corpus: str = ""


SCALES = {
    "small": PanSizes(
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
        strengths=DefenseStrengths(
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
    "full": PanSizes(
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
        strengths=DefenseStrengths(
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
    "paper": PanSizes(
        records=1000,
        examples=20_000,
        iterations=100_000,
        fresh=True,
        each=20_000,
        shadow=12_000,
        external=2000,
        epochs=50,
        words=50,
        shadows=(10, 100, 300, 1000),
        externals=(100, 500, 1000),
        shared=(5, 25, 50, 100),
        victims=(1, 10, 100, 1000),
        learned=2000,
        tested=1000,
        strengths=DefenseStrengths(
            decimals=tuple(range(10)),
            epsilons=(1, 10, 30, 100, 300, 1000, 3000, 10_000),
            fidelities=(0.01, 0.1, 1, 10, 100),
            rounds=1000,
            shares=(0.01, 0.05, 0.1, 0.25, 0.5, 0.9),
            changed=10_000,
            system=31_680,
            models=8,
        ),
    ),
}


@dataclass(frozen=True)
class DefenseSweep:
    """A defense: the values of its strength on the x-axis, and the spec at each of them.

    With `singly`, the defense hides one keyword at a time, and each is attacked behind the defense that hides it.
    """

    name: str
    across: str
    specs: Mapping[float, str]
    singly: bool = False


WRITTEN, BETWEEN, MAPPING = "subspace, as written", "subspace, between the means", "PPM"
SINGLY = "one keyword at a time"


def defense_sweeps(strengths: DefenseStrengths) -> tuple[DefenseSweep, ...]:
    """The defenses that hide any attribute, ours included."""
    mappings = {log10(value): f"ppm:{value:g},rounds={strengths.rounds}" for value in strengths.fidelities}
    return (
        DefenseSweep("rounding", "decimals", {value: f"rounding:{value}" for value in strengths.decimals}),
        DefenseSweep(
            "Laplace", "log10 of epsilon", {log10(value): f"laplace:{value:g}" for value in strengths.epsilons}
        ),
        DefenseSweep(MAPPING, "log10 of lambda", {at: f"{spec},recipe=pan" for at, spec in mappings.items()}),
        DefenseSweep("PPM, ours", "log10 of lambda", mappings),
    )


def keyword_sweeps(strengths: DefenseStrengths) -> tuple[DefenseSweep, ...]:
    """Subspace projection, which hides keywords: by the scatter within classes, as written, and between their means.

    Then, as in the paper, the published defenses that use labels against one keyword at a time.
    """
    written = {value: f"subspace:{value:g},scatter=within,norm=true" for value in strengths.shares}
    together = (
        DefenseSweep(WRITTEN, "share of the directions", written),
        DefenseSweep(BETWEEN, "", {0: "subspace"}),
    )
    mapping = next(sweep for sweep in defense_sweeps(strengths) if sweep.name == MAPPING)
    singly = (replace(sweep, name=f"{sweep.name}, {SINGLY}", singly=True) for sweep in (*together, mapping))
    return (*together, *singly)
