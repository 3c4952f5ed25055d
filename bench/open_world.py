"""One draw of the open world (Chen 2023): documents of one kind, some of them secret, and two encoders."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from vestige.attacks.surrogate.attack import SurrogateAttack
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.encoders.metered import Metered
from vestige.encoders.wrapper import Wrapper
from vestige.metrics.keyword_ranking import ndcg_at, precision_at
from vestige.papers.victims import locate_spec
from vestige.text.corpora import load_corpus
from vestige.text.importance import Importance, ImportantWords, TfidfImportance, Weigher
from vestige.text.words import count_words
from vestige.types import Encoder, Floats, Guesser, Progress, Vectors, silent

CACHE = Path("vestige-audit/bench")
POOL, TARGETS, EXTERNAL, BUDGET = 1000, 300, 1000, 200
TUNED_ON, SHORTEST, DRAWN_FROM = 2000, 15, 2600


class Shuffled(Wrapper):
    """The control: an encoder that returns every vector for another text."""

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """The vectors in a random order."""
        return np.random.default_rng(1).permutation(self.encoder.encode(texts, progress=progress))


@dataclass(frozen=True)
class Case:
    """What the adversary holds, and the truth that scores it; `seed` is the seed of every attack on the case."""

    pool: list[str]
    external: list[str]
    targets: Vectors
    weigher: Weigher
    truth: Importance
    secret: list[str]
    private: Encoder
    surrogate: Encoder
    seed: int

    def rng(self) -> np.random.Generator:
        """A fresh generator, the same for every attack."""
        return np.random.default_rng(self.seed)

    def shuffle(self) -> "Case":
        """The control: the same case with an encoder that returns every vector for another text."""
        return replace(self, private=Shuffled(self.private))

    def fit(self, attack: SurrogateAttack) -> Guesser:
        """Fit the attack, which chooses its own queries."""
        return attack.fit(
            self.targets,
            self.pool,
            encoder=Metered(self.private, attack.budget),
            surrogate=self.surrogate,
            weigher=self.weigher,
            external=self.external,
            rng=self.rng(),
        )

    @cached_property
    def pairs(self) -> tuple[Vectors, Importance]:
        """Documents that the baselines query, drawn as SADE without query selection draws them."""
        texts = [self.pool[row] for row in self.rng().permutation(len(self.pool))[:BUDGET]]
        return Metered(self.private, BUDGET).encode(texts), self.weigher.weigh(texts)

    @cached_property
    def others(self) -> tuple[Vectors, Importance]:
        """External texts, encoded by the surrogate, with the importance of their words."""
        return self.surrogate.encode(self.external), self.weigher.weigh(self.external)


Attack = Callable[[Case], Guesser]


def draw_case(name: str, private: str, surrogate: str, seed: int) -> Case:
    """Draw a case from 2,600 documents; every seed draws another one."""
    texts = read_texts(name)[:DRAWN_FROM]
    order = np.random.default_rng(seed).permutation(len(texts)).tolist()[: POOL + TARGETS]
    pool, secret = ([texts[row] for row in rows] for rows in (order[:POOL], order[POOL:]))
    weigher = TfidfImportance(ImportantWords.build(pool), pool)
    truth = weigher.weigh(secret)
    rows = np.flatnonzero(np.diff(truth.weights.indptr)).tolist()
    truth, secret, victim = truth.take(rows), [secret[row] for row in rows], load_cached(private)
    external = read_texts("wikitext")[:EXTERNAL]
    return Case(pool, external, victim.encode(secret), weigher, truth, secret, victim, load_cached(surrogate), seed)


def score_attack(attack: Guesser, case: Case) -> Floats:
    """Precision@5 and NDCG@5, one row per target."""
    ranked = attack.infer(case.targets).ranked
    return np.stack([precision_at(ranked, case.truth, 5), ndcg_at(ranked, case.truth, 5)], axis=1)


@cache
def read_texts(name: str) -> list[str]:
    """Distinct texts of at least 15 words that nothing was tuned on, in a random order."""
    distinct = list(dict.fromkeys(load_corpus(name).texts))
    tuned_on = set() if name == "wikitext" else set(distinct[:TUNED_ON])
    texts = [text for text in distinct if count_words(text) >= SHORTEST and text not in tuned_on]
    return [texts[row] for row in np.random.default_rng(0).permutation(len(texts))]


@cache
def load_cached(spec: str) -> Encoder:
    """An encoder whose vectors are cached between runs."""
    return CachedEncoder(load_encoder(locate_spec(spec)), CACHE)
