"""The open-world attack: 200 queries to a private encoder out of 1,000 documents, an encoder of one's own, WikiText.

P@5 is the share of the first five words that stand in the document, NDCG@5 weighs them by their tf-idf. Settings were
tuned on the first 2,000 documents of each set, and none of these is used here. A vector is kept between runs; the first
run encodes, at ten to forty documents a second and core.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from vestige.attacks.rivals.domain_adversarial import DomainAdversarialDecoder
from vestige.attacks.rivals.gan import GanDecoder
from vestige.attacks.rivals.mlp import MlpDecoder
from vestige.attacks.rivals.pseudo_labels import PseudoLabelDecoder
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
from vestige.types import Encoder, Guesser, Progress, Score, Vectors, silent

CACHE = Path("vestige-audit/bench")
POOL, TARGETS, EXTERNAL, BUDGET = 1000, 300, 1000, 200
MINILM, GRANITE, POTION = "minilm", "hf:granite-30m-english", "static:potion-base-8M"

TUNED_ON = 2000

QUICK = tuple((name, MINILM, POTION) for name in ("agnews", "newsgroups", "imdb"))
FULL = tuple(
    (name, *pair) for name in ("agnews", "newsgroups", "imdb") for pair in ((MINILM, GRANITE), (GRANITE, MINILM))
)

OURS = {
    "the prior, no query": SurrogateAttack(budget=0),
    "ours": SurrogateAttack(),
    "ours, 50 queries": SurrogateAttack(budget=50),
    "ours, 1,000 queries": SurrogateAttack(budget=POOL),
    "ours, queries at random": SurrogateAttack(selection="random"),
    "ours, linear map": SurrogateAttack(adaptation="ridge"),
    "ours, linear reader": SurrogateAttack(objective="ridge"),
    "Chen's": SurrogateAttack(recipe="chen"),
}
CHENS = {
    "ours, queries by Procrustes": SurrogateAttack(selection="procrustes"),
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
    """A static surrogate, which costs nothing to ask."""
    for case in QUICK:
        yield from measured(*case, OURS)


def run_full() -> Iterator[str]:
    """Transformers on both sides: hours to encode where little is kept."""
    for case in FULL:
        yield from measured(*case, OURS | CHENS)


def measured(name: str, private: str, surrogate: str, attacks: Mapping[str, SurrogateAttack]) -> Iterator[str]:
    """P@5 and NDCG@5 of every attack on one corpus, and of the rivals of the thesis."""
    texts = documents(name, POOL + TARGETS)
    pool, external = texts[:POOL], documents("wikitext", EXTERNAL)
    weigher = TfidfImportance(ImportantWords.of(pool), pool)
    truth = weigher.weigh(texts[POOL:])
    scored = np.flatnonzero(np.diff(truth.weights.indptr)).tolist()
    truth, secret = truth.take(scored), [texts[POOL + row] for row in scored]
    victim, own = kept(private), kept(surrogate)
    targets = victim.encode(secret)
    yield f"{name}, private {private}, surrogate {surrogate}, {len(weigher.words)} words, {len(secret)} targets"

    def row(label: str, fit: Callable[[], Guesser]) -> str:
        start = time.perf_counter()
        ranked = fit().infer(targets).ranked
        seconds = time.perf_counter() - start
        found = keyword_ranking(ranked, truth, rng=np.random.default_rng(0), depths=(5,))[5]
        return f"  {label:30} P@5 {_shown(found.precision)}  NDCG@5 {_shown(found.ndcg)}  {seconds:.0f} s"

    def fitted(attack: SurrogateAttack, encoder: Encoder) -> Guesser:
        return attack.fit(
            targets,
            pool,
            encoder=Metered(encoder, attack.budget),
            surrogate=own,
            weigher=weigher,
            external=external,
            rng=np.random.default_rng(0),
        )

    for label, attack in attacks.items():
        yield row(label, lambda attack=attack: fitted(attack, victim))  # type: ignore[misc]
    yield row("ours, answers shuffled", lambda: fitted(SurrogateAttack(), Shuffled(victim)))
    asked = [pool[place] for place in np.random.default_rng(0).permutation(POOL)[:BUDGET]]
    pairs, known = (victim.encode(asked), weigher.weigh(asked)), (own.encode(external), weigher.weigh(external))
    rng = np.random.default_rng(0)
    yield row("MLP", lambda: MlpDecoder().fit(*pairs, rng=rng))
    yield row("PLD", lambda: PseudoLabelDecoder().fit(*pairs, external=known[0], rng=rng))
    yield row("BERT-GAN", lambda: GanDecoder().fit(*pairs, external=known[0], victims=targets, rng=rng))
    yield row(
        "DAAM",
        lambda: DomainAdversarialDecoder().fit(
            *pairs, external=known[0], external_importance=known[1], victims=targets, rng=rng
        ),
    )


def run_speed() -> Iterator[str]:
    """Fit and infer once every text is encoded: 200 queries, 10,000 external texts, 5,000 targets."""
    texts, external = documents("agnews", 6000), documents("imdb", 10_000)
    pool, own, victim = texts[:1000], kept(POTION), kept("wordllama")
    own.encode(external)
    targets = victim.encode(texts)[1000:]
    weigher = TfidfImportance(ImportantWords.of(pool), pool)
    for label, attack in (
        ("ours", SurrogateAttack()),
        ("ours, linear reader", SurrogateAttack(objective="ridge")),
        ("Chen's", SurrogateAttack(recipe="chen")),
    ):
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
    """So many distinct texts of at least 15 words that nothing was tuned on, in an order of their own."""
    distinct = list(dict.fromkeys(load_corpus(name).texts))
    texts = [text for text in distinct if count_words(text) >= 15]
    tuned_on = set() if name == "wikitext" else set(distinct[:TUNED_ON])
    order = np.random.default_rng(0).permutation(len(texts))
    return [texts[row] for row in order if texts[row] not in tuned_on][:count]


def kept(spec: str) -> Encoder:
    return CachedEncoder(load_encoder(located(spec)), CACHE)


def _shown(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
