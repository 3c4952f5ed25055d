"""The open-world attack: 200 queries to a private encoder out of 1,000 documents, an encoder of one's own, WikiText.

P@5 is the share of the first five words that stand in the document, NDCG@5 weighs them by their tf-idf. A vector is
kept between runs; the first run encodes, at ten to forty documents a second and core.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from vestige.attacks.surrogate import SurrogateAttack
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.encoders.metered import Metered
from vestige.encoders.wrapper import Wrapper
from vestige.metrics.keyword_ranking import keyword_ranking
from vestige.papers.specs import located
from vestige.text.importance.tfidf import TfidfImportance
from vestige.text.importance.vocabulary import ImportantWords
from vestige.text.named import load_corpus
from vestige.text.words import count_words
from vestige.types import Encoder, Progress, Score, Vectors, silent

CACHE = Path("vestige-audit/bench")
POOL, TARGETS, EXTERNAL, BUDGET = 1000, 500, 1000, 200
MINILM, GRANITE, POTION = "minilm", "hf:granite-30m-english", "static:potion-base-8M"

QUICK = (("agnews", MINILM, GRANITE), ("agnews", GRANITE, MINILM), ("agnews", MINILM, POTION))
QUICK_LONG = (("newsgroups", MINILM, POTION), ("imdb", MINILM, POTION))
FULL = tuple((name, *pair) for name in ("newsgroups", "imdb") for pair in ((MINILM, GRANITE), (GRANITE, MINILM)))

ATTACKS = {
    "the prior, no query": SurrogateAttack(budget=0),
    "ours": SurrogateAttack(),
    "ours, queries at random": SurrogateAttack(selection="random"),
    "ours, queries by Procrustes": SurrogateAttack(selection="procrustes"),
    "ours, linear map": SurrogateAttack(adaptation="ridge"),
    "Chen's": SurrogateAttack(recipe="chen"),
    "Chen's, queries at random": SurrogateAttack(recipe="chen", selection="random"),
    "Chen's, no domain classifier": SurrogateAttack(recipe="chen", domain_weight=0),
    "Chen's, surrogate as it is": SurrogateAttack(recipe="chen", adaptation="none"),
    "Chen's, surrogate by ridge": SurrogateAttack(recipe="chen", adaptation="ridge"),
}


class Shuffled(Wrapper):
    """The control: every answer belongs to another text."""

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """The answers in another order."""
        return np.random.default_rng(1).permutation(self.encoder.encode(texts, progress=progress))


def run() -> Iterator[str]:
    """Short documents with transformers on both sides, long ones with a static surrogate."""
    for case in (*QUICK, *QUICK_LONG):
        yield from measured(*case)
    yield from timed()


def run_full() -> Iterator[str]:
    """Long documents with transformers on both sides: hours to encode where little is kept."""
    for case in FULL:
        yield from measured(*case)


def measured(name: str, private: str, surrogate: str) -> Iterator[str]:
    """P@5 and NDCG@5 of every attack on one corpus."""
    texts = documents(name, POOL + TARGETS)
    pool, external = texts[:POOL], documents("wikitext", EXTERNAL)
    weigher = TfidfImportance(ImportantWords.of(pool), pool)
    truth = weigher.weigh(texts[POOL:])
    scored = np.flatnonzero(truth.weights.sum(axis=1) > 0).tolist()
    truth, secret = truth.take(scored), [texts[POOL + row] for row in scored]
    victim, own = kept(private), kept(surrogate)
    targets = victim.encode(secret)
    yield f"{name}, private {private}, surrogate {surrogate}, {len(weigher.words)} words, {len(secret)} targets"

    def row(label: str, attack: SurrogateAttack, encoder: Encoder, others: list[str] = external) -> str:
        start = time.perf_counter()
        attack.fit(
            targets,
            pool,
            encoder=Metered(encoder, attack.budget),
            surrogate=own,
            weigher=weigher,
            external=others,
            rng=np.random.default_rng(0),
        )
        found = keyword_ranking(attack.infer(targets).ranked, truth, rng=np.random.default_rng(0), depths=(5,))[5]
        seconds = time.perf_counter() - start
        return f"  {label:30} P@5 {_shown(found.precision)}  NDCG@5 {_shown(found.ndcg)}  {seconds:.0f} s"

    for label, attack in ATTACKS.items():
        yield row(label, attack, victim)
    yield row("ours, no external texts", SurrogateAttack(), victim, [])
    yield row("pairs alone (MLP)", SurrogateAttack(recipe="chen", selection="random"), victim, [])
    yield row("ours, answers shuffled", SurrogateAttack(), Shuffled(victim))


def timed() -> Iterator[str]:
    """Fit and infer once every text is encoded: 10,000 external texts, 5,000 targets."""
    texts, external = documents("agnews", 6000), documents("imdb", 10_000)
    pool, own = texts[:1000], kept(POTION)
    own.encode(external)
    weigher = TfidfImportance(ImportantWords.of(pool), pool)
    for label, attack in (("ours", SurrogateAttack()), ("Chen's", SurrogateAttack(recipe="chen"))):
        victim = kept("wordllama")
        targets = victim.encode(texts)[1000:]
        start = time.perf_counter()
        attack.fit(
            targets,
            pool,
            encoder=Metered(victim, BUDGET),
            surrogate=own,
            weigher=weigher,
            external=external,
            rng=np.random.default_rng(0),
        )
        attack.infer(targets)
        yield f"  {label}: {time.perf_counter() - start:.0f} s, 10,000 external texts, 5,000 targets"


def documents(name: str, count: int) -> list[str]:
    """So many distinct texts of at least 15 words, in an order of their own."""
    texts = [text for text in dict.fromkeys(load_corpus(name).texts) if count_words(text) >= 15]
    return [texts[row] for row in np.random.default_rng(0).permutation(len(texts))[:count]]


def kept(spec: str) -> Encoder:
    return CachedEncoder(load_encoder(located(spec)), CACHE)


def _shown(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
