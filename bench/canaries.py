"""Exposure of planted pass phrases by how often each was planted: word2vec and a small dual encoder.

Twenty canaries for each number of repetitions are planted in the same complaints, each with an owner of its own. Two
controls: a phrase that was not planted, and the phrase under a model in which its owner had another.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vestige.attacks.membership.canary import SecretRanking
from vestige.case.randomness import stream
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.words.word2vec import Word2VecRecipe
from vestige.metrics.exposure import exposure, rank_among
from vestige.metrics.intervals import document_mean
from vestige.text.canaries import Canary, SecretSpace, make_canaries, plant
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
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
    space = SecretSpace.build(pattern)
    canaries = make_canaries(pattern, len(TIMES) * EACH, stream(0, "canaries"))
    corpus = load_corpus("complaints").take(range(COMPLAINTS))
    candidates = space.decode(range(space.size))
    usual = exposure(1, scored=space.size, space=space.size).bits
    yield f"{space.size:,} phrases, {usual.value:.0f} bits; the mean of a phrase never planted is {usual.baseline:.2f}"
    for name, recipe in RECIPES.items():
        models = [_train(recipe, corpus, planted) for planted in (canaries, _swap_secrets(canaries))]
        for recipe_name in ("default", "similarity"):
            ranked, control = (_rank_secrets(recipe_name, model, candidates, canaries) for model in models)
            secrets = [canary.secret for canary in canaries]
            yield f"  {name}, {recipe_name}, by number of times planted: {_describe_by_times(ranked, secrets)}"
            unplanted = space.draw(len(canaries), stream(0, "control"))
            yield f"  {name}, {recipe_name}, not planted: {_describe_by_times(ranked, unplanted)}"
            yield f"  {name}, {recipe_name}, under a model that saw another: {_describe_by_times(control, secrets)}"


def _list_times(canaries: list[Canary]) -> list[int]:
    return [TIMES[place % len(TIMES)] for place in range(len(canaries))]


def _swap_secrets(canaries: list[Canary]) -> list[Canary]:
    """Each owner with the phrase of the next owner whose phrase was planted as often."""
    others = [canaries[(place + len(TIMES)) % len(canaries)].secret for place in range(len(canaries))]
    return [
        Canary(canary.text.replace(canary.secret, other), canary.prompt, other)
        for canary, other in zip(canaries, others, strict=True)
    ]


def _train(recipe: Word2VecRecipe | DualRecipe, corpus: Corpus, canaries: list[Canary]) -> Encoder:
    return recipe.fit(plant(corpus, canaries, _list_times(canaries), stream(0, "places")), rng=stream(0, "training"))


def _rank_secrets(recipe_name: str, encoder: Encoder, candidates: list[str], canaries: list[Canary]) -> SecretGuesses:
    """Rank every phrase for each owner, by the owner's sentence and the sentence with the phrase, as planted."""
    split = [canary.prompt.split(". ") for canary in canaries]
    prompts, pronoun = [f"{first}." for first, _ in split], split[0][1]
    attack = SecretRanking(recipe="default" if recipe_name == "default" else "similarity")
    attack.fit([f"{pronoun}{secret}." for secret in candidates], encoder=encoder, references=prompts)
    return SecretGuesses(tuple(candidates), attack.infer(prompts).scores)


def _describe_by_times(ranked: SecretGuesses, secrets: list[str]) -> str:
    places = [ranked.candidates.index(secret) for secret in secrets]
    size = len(ranked.candidates)
    bits = np.array(
        [
            exposure(rank_among(row[place], np.delete(row, place)), scored=size, space=size).bits.value
            for row, place in zip(ranked.scores, places, strict=True)
        ]
    )
    shown = []
    for times in TIMES:
        rows = [row for row in range(len(bits)) if TIMES[row % len(TIMES)] == times]
        score = document_mean(bits[rows], [str(row) for row in rows], stream(0, "bootstrap"))
        shown.append(f"{times}: {score.value:.2f} ({score.low:.2f} to {score.high:.2f})")
    return ", ".join(shown)
