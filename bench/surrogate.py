"""The open-world attack: 200 queries to a private encoder out of 1,000 documents, a surrogate encoder, and WikiText.

P@5 is the share of the first five words that are in the document; NDCG@5 weights them by their tf-idf. Every seed draws
its own pool, targets and initial weights. A figure is the mean over seeds, with an interval over documents and the
range over seeds. Settings were tuned on the first 2,000 documents of each corpus, which are not used here. Vectors are
cached between runs; the first run encodes ten to a hundred documents per second.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping
from unittest.mock import patch

import numpy as np

from bench.open_world import Attack, Case, draw_case, load_cached, read_texts, score_attack
from vestige.attacks.baselines.domain_adversarial import DomainAdversarialDecoder
from vestige.attacks.baselines.gan import GanDecoder
from vestige.attacks.baselines.mlp import MlpDecoder
from vestige.attacks.baselines.pseudo_labels import PseudoLabelDecoder
from vestige.attacks.surrogate import word_kernel
from vestige.attacks.surrogate.attack import SurrogateAttack
from vestige.encoders.metered import Metered
from vestige.metrics.intervals import document_mean
from vestige.text.importance import ImportantWords, TfidfImportance
from vestige.types import Floats, Guesser

SEEDS, BUDGET = 5, 200
CORPORA = ("agnews", "newsgroups", "imdb")
MINILM, GRANITE, POTION = "minilm", "hf:granite-30m-english", "static:potion-base-8M"


def _surrogate(**settings: object) -> Attack:
    return lambda case: case.fit(SurrogateAttack(**settings))  # type: ignore[arg-type]


MEASURES = ("P@5", "NDCG@5")
OURS = "ours"
BASELINES: Mapping[str, Attack] = {
    "RB, the prior": _surrogate(budget=0),
    "MLP": lambda case: MlpDecoder().fit(*case.pairs, rng=case.rng()),
    "PLD": lambda case: PseudoLabelDecoder().fit(*case.pairs, external_vectors=case.others[0], rng=case.rng()),
    "BERT-GAN": lambda case: GanDecoder().fit(
        *case.pairs, external_vectors=case.others[0], victims=case.targets, rng=case.rng()
    ),
    "DAAM": lambda case: DomainAdversarialDecoder().fit(
        *case.pairs,
        external_vectors=case.others[0],
        external_importance=case.others[1],
        victims=case.targets,
        rng=case.rng(),
    ),
    "SADE-QS": _surrogate(recipe="chen"),
    "SADE": _surrogate(recipe="chen", selection="random"),
}
ATTACKS: Mapping[str, Attack] = {
    OURS: _surrogate(),
    "ours, vectors shuffled": lambda case: case.shuffle().fit(SurrogateAttack()),
    "ours, all 1,000 documents queried": _surrogate(budget=1000),
    **BASELINES,
}
PARTS: Mapping[str, Attack] = {
    OURS: _surrogate(),
    "ours, queries at random": _surrogate(selection="random"),
    "ours, queries by Procrustes": _surrogate(selection="procrustes"),
    "ours, queries by groups": _surrogate(selection="groups"),
    "ours, linear map": _surrogate(adaptation="ridge"),
    "ours, linear words": _surrogate(objective="ridge"),
    "SADE-QS": _surrogate(recipe="chen"),
    "SADE, queries at random": _surrogate(recipe="chen", selection="random"),
    "SADE, queries by k-means": _surrogate(recipe="chen", selection="kmeans"),
    "SADE, queries most similar": _surrogate(recipe="chen", selection="most-similar"),
    "SADE, queries by groups": _surrogate(recipe="chen", selection="groups"),
    "SADE, queries by coverage": _surrogate(recipe="chen", selection="coverage"),
    "SADE-QS, MSE": _surrogate(recipe="chen", objective="mse"),
    "SADE-QS, BCE": _surrogate(recipe="chen", objective="bce"),
    "SADE-QS, surrogate unchanged": _surrogate(recipe="chen", adaptation="none"),
    "SADE-QS, surrogate by ridge": _surrogate(recipe="chen", adaptation="ridge"),
    "SADE-QS, no domain classifier": _surrogate(recipe="chen", domain_weight=0),
    "SADE-QS, neither": _surrogate(recipe="chen", adaptation="none", domain_weight=0),
}


def _without_whitening(case: Case) -> Guesser:
    """Ours without whitening."""
    with patch.object(word_kernel, "WHITENINGS", (0.0,)):
        return case.fit(SurrogateAttack())


WHITENING: Mapping[str, Attack] = {
    OURS: _surrogate(),
    "ours, without whitening": _without_whitening,
    "RB, the prior": BASELINES["RB, the prior"],
}


def run() -> Iterator[str]:
    """A static surrogate, which encodes in no time."""
    for name in _parse_options().corpora:
        yield from compare_attacks(name, MINILM, POTION, ATTACKS)


def run_full() -> Iterator[str]:
    """Two transformers, each in turn as the private encoder."""
    for name in _parse_options().corpora:
        for pair in ((MINILM, GRANITE), (GRANITE, MINILM)):
            yield from compare_attacks(name, *pair, ATTACKS)


def run_parts() -> Iterator[str]:
    """Ablations of SADE and of ours."""
    for name in _parse_options().corpora:
        yield from compare_attacks(name, MINILM, GRANITE, PARTS)


def run_whitening() -> Iterator[str]:
    """Two encoders with most variance in few directions, and two without: ours, and ours without whitening."""
    for name in _parse_options().corpora:
        for private in ("glove-6b", f"doc2vec@{name}", POTION, MINILM):
            yield from compare_attacks(name, private, POTION, WHITENING)


def compare_attacks(name: str, private: str, surrogate: str, attacks: Mapping[str, Attack]) -> Iterator[str]:
    """P@5 and NDCG@5 of every attack over the seeds, and the ratio of ours to the best baseline."""
    cases = [draw_case(name, private, surrogate, seed) for seed in range(_parse_options().seeds)]
    yield f"{name}, private {private}, surrogate {surrogate}, {len(cases)} seeds"
    found: dict[str, list[Floats]] = {}
    for label, attack in attacks.items():
        if label not in (_parse_options().attack or attacks):
            continue
        start = time.perf_counter()
        found[label] = [score_attack(attack(case), case) for case in cases]
        took = (time.perf_counter() - start) / len(cases)
        shown = "  ".join(f"{what} {_describe(found[label], cases, column)}" for column, what in enumerate(MEASURES))
        yield f"  {label:32} {shown}  {took:.0f} s each"
    if OURS not in found or not BASELINES.keys() & found.keys():
        return
    for column, what in enumerate(MEASURES):
        means = {label: [float(each[:, column].mean()) for each in found[label]] for label in found}
        best = max((label for label in BASELINES if label in found), key=lambda label: sum(means[label]))
        ratios = [ours / theirs for ours, theirs in zip(means[OURS], means[best], strict=True)]
        ratio = sum(means[OURS]) / sum(means[best])
        yield f"  ours over {best}, the best baseline by {what}: {ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _describe(found: list[Floats], cases: list[Case], column: int) -> str:
    """The mean, its interval over documents, and the range over seeds."""
    values, owners = np.concatenate(found)[:, column], [text for case in cases for text in case.secret]
    score = document_mean(values, owners, np.random.default_rng(0))
    seeds = [float(each[:, column].mean()) for each in found]
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f}; seeds {min(seeds):.3f} to {max(seeds):.3f})"


def run_speed() -> Iterator[str]:
    """Fit and infer, with every text already encoded: 200 queries, 10,000 external texts, 5,000 targets."""
    texts, external = read_texts("newsgroups")[:6000], read_texts("imdb")[:10_000]
    pool, own, victim = texts[:1000], load_cached(POTION), load_cached("wordllama")
    own.encode([*pool, *external])
    targets = victim.encode(texts)[1000:]
    weigher = TfidfImportance(ImportantWords.build(pool), pool)
    for label, attack in (
        (OURS, SurrogateAttack()),
        ("ours, linear words", SurrogateAttack(objective="ridge")),
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


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench surrogate")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--corpora", nargs="+", default=CORPORA, choices=CORPORA)
    parser.add_argument(
        "--attack", action="append", choices=sorted({*ATTACKS, *PARTS, *WHITENING}), help="this one; may be repeated"
    )
    return parser.parse_known_args(sys.argv[1:])[0]
