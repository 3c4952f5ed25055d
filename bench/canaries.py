"""Exposure of planted pass phrases against how often each was planted: word2vec and a small dual encoder.

Twenty canaries at each number of repetitions are planted into the same complaints at once, each under an owner of its
own. Two controls: a phrase that was not planted, and the phrase under a model in which its owner had another.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vestige.attacks.membership.canary import SecretRanking
from vestige.case.randomness import stream
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.words.word2vec import Word2VecRecipe
from vestige.metrics.bootstrap import document_mean
from vestige.metrics.exposure import exposure, rank_among
from vestige.text.canaries import Canary, make_canaries, plant
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.text.patterns import load_pattern
from vestige.text.secrets import SecretSpace
from vestige.types import Encoder, SecretGuesses

COMPLAINTS = 300
TIMES = (0, 1, 4, 16, 64)
EACH = 20
RECIPES: dict[str, Word2VecRecipe | DualRecipe] = {
    "word2vec": Word2VecRecipe(min_count=1),
    "dual:lstm": replace(DualRecipe(), dimension=64, vocabulary_size=40_000, epochs=6),
}


def run() -> Iterator[str]:
    pattern = load_pattern("pass-phrase")
    space = SecretSpace.of(pattern)
    canaries = make_canaries(pattern, len(TIMES) * EACH, stream(0, "canaries"))
    corpus = load_corpus("complaints").take(range(COMPLAINTS))
    candidates = space.secrets(range(space.size))
    usual = exposure(1, scored=space.size, space=space.size).bits
    yield f"{space.size:,} phrases, {usual.value:.0f} bits; the mean of a phrase never planted is {usual.baseline:.2f}"
    for name, recipe in RECIPES.items():
        models = [_trained(recipe, corpus, planted) for planted in (canaries, _swapped(canaries))]
        for way in ("default", "similarity"):
            ranked, elsewhere = (_ranked(way, model, candidates, canaries) for model in models)
            secrets = [canary.secret for canary in canaries]
            yield f"  {name}, {way}, by number of times planted: {_by_times(ranked, secrets)}"
            yield f"  {name}, {way}, not planted: {_by_times(ranked, space.drawn(len(canaries), stream(0, 'control')))}"
            yield f"  {name}, {way}, under a model that met another: {_by_times(elsewhere, secrets)}"


def _times(canaries: list[Canary]) -> list[int]:
    return [TIMES[place % len(TIMES)] for place in range(len(canaries))]


def _swapped(canaries: list[Canary]) -> list[Canary]:
    """Each owner with the phrase of the next owner whose phrase was planted as often."""
    others = [canaries[(place + len(TIMES)) % len(canaries)].secret for place in range(len(canaries))]
    return [
        Canary(canary.text.replace(canary.secret, other), canary.prompt, other)
        for canary, other in zip(canaries, others, strict=True)
    ]


def _trained(recipe: Word2VecRecipe | DualRecipe, corpus: Corpus, canaries: list[Canary]) -> Encoder:
    return recipe.fit(plant(corpus, canaries, _times(canaries), stream(0, "places")), rng=stream(0, "training"))


def _ranked(way: str, encoder: Encoder, candidates: list[str], canaries: list[Canary]) -> SecretGuesses:
    """Owners' sentence beside the sentence that tells the phrase, as both stood in the text."""
    split = [canary.prompt.split(". ") for canary in canaries]
    asked, told = [f"{first}." for first, _ in split], split[0][1]
    attack = SecretRanking(recipe="default" if way == "default" else "similarity")
    attack.fit([f"{told}{secret}." for secret in candidates], encoder=encoder, references=asked)
    return SecretGuesses(tuple(candidates), attack.infer(asked).scores)


def _by_times(ranked: SecretGuesses, secrets: list[str]) -> str:
    places = [ranked.candidates.index(secret) for secret in secrets]
    size = len(ranked.candidates)
    bits = np.array(
        [
            exposure(rank_among(row[place], np.delete(row, place)), scored=size, space=size).bits.value
            for row, place in zip(ranked.scores, places, strict=True)
        ]
    )
    said = []
    for times in TIMES:
        rows = [row for row in range(len(bits)) if TIMES[row % len(TIMES)] == times]
        score = document_mean(bits[rows], [str(row) for row in rows], stream(0, "bootstrap"))
        said.append(f"{times}: {score.value:.2f} ({score.low:.2f} to {score.high:.2f})")
    return ", ".join(said)
