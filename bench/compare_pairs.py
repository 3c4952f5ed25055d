"""How alike the scores of real pairs of configurations are, and what that does to the power of a comparison.

The same texts are attacked as float32 vectors and as vectors of another configuration. `compare` simulates pairs with
a given correlation of their gains; this says which correlation real pairs have. Then the mean difference of the pair
is replaced by a planted one, and 200 draws of target documents are compared.
"""

from collections.abc import Callable, Iterator

import numpy as np

from bench.compare import (
    ATTACKS,
    PLANTED,
    PROBES,
    TARGETS,
    Attacked,
    Gains,
    disturb,
    draw_targets,
    name_probes,
    prepare,
    score_fit,
)
from vestige.attacks.priors import FixedWords
from vestige.audit.difference import FIT_SPREAD, PRIMARY, share_error
from vestige.defenses.catalogue import make_defense
from vestige.metrics.word_recovery import word_recovery
from vestige.text.words import content_words
from vestige.types import Floats, Vectors

ENCODER, OTHER, SEED, DRAWS = "minilm", "wordllama", 7000, 200
ATTACK, KNOWN, POOL = "multi-label", 1000, 2000
"""The attack, its pairs, and the sentences that targets are drawn from."""

DEFENSES = ("int8", "pca:192")
NOISES = (0.02, 0.5)


def run() -> Iterator[str]:
    case, other = (prepare(encoder, SEED, KNOWN, POOL) for encoder in (ENCODER, OTHER))
    prior = _score_prior(case)
    base = _score(case) - prior
    for change, apply in _list_changes(case):
        yield f"{change}: {describe_pair(base, _score(case, apply) - prior, case.targets.documents)}"
    yield f"{OTHER}: {describe_pair(base, _score(other) - prior, case.targets.documents)}"


def _score(case: Attacked, change: Callable[[Vectors], Vectors] = lambda vectors: vectors) -> Floats:
    return score_fit(ATTACKS[ATTACK](), case, change, SEED)


def _list_changes(case: Attacked) -> Iterator[tuple[str, Callable[[Vectors], Vectors]]]:
    for spec in DEFENSES:
        yield spec, make_defense(spec).fit(case.known_vectors).transform
    for noise in NOISES:
        yield f"noise of {noise} of the length", disturb(SEED, noise)


def _score_prior(case: Attacked) -> Floats:
    guesses = FixedWords().fit(case.known.texts).infer(case.target_vectors)
    return word_recovery(guesses.sets, [content_words(text) for text in case.targets.texts]).f1


def describe_pair(base: Floats, new: Floats, documents: list[str]) -> str:
    """The correlation of the gains of a pair, and how often a planted difference of the same pair is called worse."""
    planted = new - (new - base).mean() + PLANTED
    rng, found, half = np.random.default_rng(0), [0, 0], []
    for rows, numbers in (draw_targets(documents, rng) for _ in range(DRAWS)):
        gains = Gains(base[rows], planted[rows] + rng.normal(0, FIT_SPREAD), numbers)
        scores = [gains.compare(share_error(name_probes(probes))[PRIMARY]) for probes in (1, PROBES)]
        found = [count + (score.low > 0) for count, score in zip(found, scores, strict=True)]
        half.append((scores[0].high - scores[0].low) / 2)
    return (
        f"correlation {np.corrcoef(base, new)[0, 1]:.2f} of {len(base)} gains with an SD of {base.std():.2f}, "
        f"difference with an SD of {(new - base).std():.2f} and a mean of {(new - base).mean():+.3f}; {PLANTED:+} in "
        f"about {TARGETS} targets called worse in {found[0] / DRAWS:.3f} with 1 probe and {found[1] / DRAWS:.3f} with "
        f"{PROBES} probes of {DRAWS}; the interval reaches {np.median(half):.3f} on either side"
    )
