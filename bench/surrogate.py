"""The open-world attack: 200 queries to a private encoder out of 1,000 documents, an encoder of one's own, WikiText.

P@5 is the share of the first five words that stand in the document, NDCG@5 weighs them by their tf-idf. Every seed
draws pool, targets and weights anew; a figure is the mean over seeds, with an interval that draws documents, and the
least and the most of the seeds. Settings were tuned on the first 2,000 documents of each set, and none of these is used
here. A vector is kept between runs; the first run encodes, at ten to a hundred documents a second.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping
from unittest.mock import patch

import numpy as np

from bench.open_world import Attack, Case, case_of, kept, named_texts, scored
from vestige.attacks.rivals.domain_adversarial import DomainAdversarialDecoder
from vestige.attacks.rivals.gan import GanDecoder
from vestige.attacks.rivals.mlp import MlpDecoder
from vestige.attacks.rivals.pseudo_labels import PseudoLabelDecoder
from vestige.attacks.surrogate import SurrogateAttack, word_kernel
from vestige.encoders.metered import Metered
from vestige.metrics.bootstrap import document_mean
from vestige.text.importance.tfidf import TfidfImportance
from vestige.text.importance.vocabulary import ImportantWords
from vestige.types import Floats, Guesser

SEEDS, BUDGET = 5, 200
CORPORA = ("agnews", "newsgroups", "imdb")
MINILM, GRANITE, POTION = "minilm", "hf:granite-30m-english", "static:potion-base-8M"


def _sade(**settings: object) -> Attack:
    return lambda case: case.fitted(SurrogateAttack(**settings))  # type: ignore[arg-type]


MEASURES = ("P@5", "NDCG@5")
OURS = "ours"
RIVALS: Mapping[str, Attack] = {
    "RB, the prior": _sade(budget=0),
    "MLP": lambda case: MlpDecoder().fit(*case.pairs, rng=case.rng()),
    "PLD": lambda case: PseudoLabelDecoder().fit(*case.pairs, external=case.others[0], rng=case.rng()),
    "BERT-GAN": lambda case: GanDecoder().fit(
        *case.pairs, external=case.others[0], victims=case.targets, rng=case.rng()
    ),
    "DAAM": lambda case: DomainAdversarialDecoder().fit(
        *case.pairs,
        external=case.others[0],
        external_importance=case.others[1],
        victims=case.targets,
        rng=case.rng(),
    ),
    "SADE-QS": _sade(recipe="chen"),
    "SADE": _sade(recipe="chen", selection="random"),
}
ATTACKS: Mapping[str, Attack] = {
    OURS: _sade(),
    "ours, answers shuffled": lambda case: case.shuffled().fitted(SurrogateAttack()),
    "ours, all 1,000 documents asked": _sade(budget=1000),
    **RIVALS,
}
PARTS: Mapping[str, Attack] = {
    OURS: _sade(),
    "ours, queries at random": _sade(selection="random"),
    "ours, queries by Procrustes": _sade(selection="procrustes"),
    "ours, queries by groups": _sade(selection="groups"),
    "ours, linear map": _sade(adaptation="ridge"),
    "ours, linear reader": _sade(objective="ridge"),
    "SADE-QS": _sade(recipe="chen"),
    "SADE, queries at random": _sade(recipe="chen", selection="random"),
    "SADE, queries by k-means": _sade(recipe="chen", selection="kmeans"),
    "SADE, queries most similar": _sade(recipe="chen", selection="most-similar"),
    "SADE, queries by groups": _sade(recipe="chen", selection="groups"),
    "SADE, queries by coverage": _sade(recipe="chen", selection="coverage"),
    "SADE-QS, MSE": _sade(recipe="chen", objective="mse"),
    "SADE-QS, BCE": _sade(recipe="chen", objective="bce"),
    "SADE-QS, surrogate as it is": _sade(recipe="chen", adaptation="none"),
    "SADE-QS, surrogate by ridge": _sade(recipe="chen", adaptation="ridge"),
    "SADE-QS, no domain classifier": _sade(recipe="chen", domain_weight=0),
    "SADE-QS, neither": _sade(recipe="chen", adaptation="none", domain_weight=0),
}


def _as_they_lie(case: Case) -> Guesser:
    """Ours without whitening."""
    with patch.object(word_kernel, "WHITENINGS", (0.0,)):
        return case.fitted(SurrogateAttack())


WHITENING: Mapping[str, Attack] = {
    OURS: _sade(),
    "ours, never whitened": _as_they_lie,
    "RB, the prior": RIVALS["RB, the prior"],
}


def run() -> Iterator[str]:
    """A static surrogate, which costs nothing to ask."""
    for name in _asked().corpora:
        yield from compared(name, MINILM, POTION, ATTACKS)


def run_full() -> Iterator[str]:
    """Transformers on both sides, each as the private one."""
    for name in _asked().corpora:
        for pair in ((MINILM, GRANITE), (GRANITE, MINILM)):
            yield from compared(name, *pair, ATTACKS)


def run_parts() -> Iterator[str]:
    """What each part of SADE and of ours is worth."""
    for name in _asked().corpora:
        yield from compared(name, MINILM, GRANITE, PARTS)


def run_whitening() -> Iterator[str]:
    """Encoders whose vectors lie along few directions, and two whose do not: ours as it is, and never whitened."""
    for name in _asked().corpora:
        for private in ("glove-6b", f"doc2vec@{name}", POTION, MINILM):
            yield from compared(name, private, POTION, WHITENING)


def compared(name: str, private: str, surrogate: str, attacks: Mapping[str, Attack]) -> Iterator[str]:
    """P@5 and NDCG@5 of every attack over the seeds, and how ours stands to the best rival."""
    cases = [case_of(name, private, surrogate, seed) for seed in range(_asked().seeds)]
    yield f"{name}, private {private}, surrogate {surrogate}, {len(cases)} seeds"
    found: dict[str, list[Floats]] = {}
    for label, attack in attacks.items():
        if label not in (_asked().attack or attacks):
            continue
        start = time.perf_counter()
        found[label] = [scored(attack(case), case) for case in cases]
        took = (time.perf_counter() - start) / len(cases)
        shown = "  ".join(f"{what} {_shown(found[label], cases, column)}" for column, what in enumerate(MEASURES))
        yield f"  {label:32} {shown}  {took:.0f} s each"
    if OURS not in found or not RIVALS.keys() & found.keys():
        return
    for column, what in enumerate(MEASURES):
        means = {label: [float(each[:, column].mean()) for each in found[label]] for label in found}
        best = max((label for label in RIVALS if label in found), key=lambda label: sum(means[label]))
        ratios = [ours / theirs for ours, theirs in zip(means[OURS], means[best], strict=True)]
        ratio = sum(means[OURS]) / sum(means[best])
        yield f"  ours over {best}, the best rival by {what}: {ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _shown(found: list[Floats], cases: list[Case], column: int) -> str:
    """The mean, its interval over documents, and the least and most of the seeds."""
    values, owners = np.concatenate(found)[:, column], [text for case in cases for text in case.secret]
    score = document_mean(values, owners, np.random.default_rng(0))
    seeds = [float(each[:, column].mean()) for each in found]
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f}; seeds {min(seeds):.3f} to {max(seeds):.3f})"


def run_speed() -> Iterator[str]:
    """Fit and infer once every text is encoded: 200 queries, 10,000 external texts, 5,000 targets."""
    texts, external = named_texts("newsgroups")[:6000], named_texts("imdb")[:10_000]
    pool, own, victim = texts[:1000], kept(POTION), kept("wordllama")
    own.encode([*pool, *external])
    targets = victim.encode(texts)[1000:]
    weigher = TfidfImportance(ImportantWords.of(pool), pool)
    for label, attack in (
        (OURS, SurrogateAttack()),
        ("ours, linear reader", SurrogateAttack(objective="ridge")),
        ("SADE-QS", SurrogateAttack(recipe="chen")),
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
        ).infer(targets)
        took = time.perf_counter() - start
        yield f"  {label}: {took:.0f} s, {len(external):,} external texts, {len(targets):,} targets"


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench surrogate")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--corpora", nargs="+", default=CORPORA, choices=CORPORA)
    parser.add_argument(
        "--attack", action="append", choices=sorted({*ATTACKS, *PARTS, *WHITENING}), help="this one; may be repeated"
    )
    return parser.parse_known_args(sys.argv[1:])[0]
