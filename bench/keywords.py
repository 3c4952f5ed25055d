"""Keyword inference on sentences of airport lounge reviews: from a tenth of the reviews, and from film reviews alone.

Needs lounge_reviews and imdb in VESTIGE_DATA; VESTIGE_MODELS names the folder of encoders.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from vestige.attacks.keywords.ablations import CrossDomainSizes, infer_by_shadow_size
from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword
from vestige.attacks.keywords.examples import Examples
from vestige.attacks.keywords.inference import (
    EPOCHS,
    KeywordClassifier,
    KeywordInference,
    Perceptrons,
    SupportVectorMachines,
)
from vestige.case.randomness import stream
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.metrics.keyword_accuracy import BalancedTests, KeywordAccuracy, accuracy_gain, keyword_accuracy
from vestige.papers.victims import locate_spec
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.keywords import keyword_table
from vestige.text.split import sample_rows, split_documents
from vestige.text.substitution import build_external_examples
from vestige.types import Encoder, Flags, KeywordGuesses, Score, Vectors

CACHE = Path("vestige-audit/bench")
PLACES = ["Singapore", "Heathrow", "Sydney", "London", "Dubai", "Hong Kong", "Frankfurt", "Bangkok", "Chicago", "Doha"]
EVERYDAY = ["coffee", "wine", "shower", "staff", "breakfast", "internet", "quiet", "crowded", "cheese", "view"]
ENCODERS = ("minilm", "use", "static:potion-base-8M", "hf:granite-30m-english")
EXTERNAL = 500


@dataclass(frozen=True)
class Lounges:
    """Sentences and their vectors: a tenth of the documents is the adversary's, and the rest is attacked."""

    encoder: Encoder
    shadow: Corpus
    known: Vectors
    victims: Vectors
    tests: BalancedTests

    @classmethod
    def build(cls, spec: str, keywords: Sequence[str]) -> "Lounges":
        """Split the reviews and encode both parts."""
        encoder = CachedEncoder(load_encoder(locate_spec(spec)), CACHE)
        corpus = load_corpus("lounge_reviews").sentences(4, 40)
        split = split_documents(corpus.documents, 0.9, stream(0, "split"))
        shadow, rest = corpus.take(split.auxiliary), corpus.take(split.target)
        truth = keyword_table(rest.texts, keywords)
        tests = BalancedTests.draw(keywords, truth, rest.documents, stream(0, "tests"))
        return cls(encoder, shadow, encoder.encode(shadow.texts), encoder.encode(rest.texts), tests)

    def accuracy(self, guesses: KeywordGuesses) -> Score:
        """The mean over keywords."""
        return self.score(guesses).mean

    def score(self, guesses: KeywordGuesses) -> KeywordAccuracy:
        """Each keyword, and the mean."""
        return keyword_accuracy(self.tests, guesses, stream(0, "bootstrap"))

    def describe_each(self, found: Mapping[str, KeywordGuesses]) -> Iterator[str]:
        """One line per keyword with the accuracy of every attack, the highest first."""
        scored = {attack: self.score(guesses).by_keyword for attack, guesses in found.items()}
        *_, last = scored.values()
        yield f"  each keyword: {' / '.join(scored)}"
        for keyword in sorted(last, key=lambda each: -last[each].value):
            scores = " / ".join(
                f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
                for score in (by_keyword[keyword] for by_keyword in scored.values())
            )
            yield f"    {keyword}, n {last[keyword].n}: {scores}"

    def gain(self, guesses: KeywordGuesses, others: KeywordGuesses) -> str:
        """The difference in accuracy, paired by text."""
        return describe_score(accuracy_gain(self.tests, guesses, others, stream(0, "bootstrap")))


def describe_score(score: Score) -> str:
    return f"{score.value:.4f} ({score.low:.4f} to {score.high:.4f}, n {score.n})"


def run() -> Iterator[str]:
    """Twenty keywords from a tenth of the reviews, with and without substitution."""
    keywords = [*PLACES, *EVERYDAY]
    world = Lounges.build("minilm", keywords)
    places = Lounges.build("minilm", PLACES)
    yield f"{len(world.known)} shadow sentences, {len(world.victims)} under attack; places: {', '.join(PLACES)}"
    found = {}
    for recipe in ("svm", "mlp", "default"):
        for substitutes in (False, True):
            attack = KeywordInference(recipe=recipe)
            start = time.perf_counter()
            attack.fit(
                world.known,
                world.shadow.texts,
                keywords=keywords,
                rng=stream(0, "attack"),
                encoder=world.encoder if substitutes else None,
            )
            found[recipe, substitutes] = guesses = attack.infer(world.victims)
            ten = KeywordGuesses(tuple(PLACES), guesses.probabilities[:, : len(PLACES)])
            yield (
                f"  {recipe}, {'with' if substitutes else 'without'} substitution: "
                f"{describe_score(world.accuracy(guesses))}, "
                f"places alone {places.accuracy(ten).value:.4f}; {time.perf_counter() - start:.0f} s"
            )
    yield f"  gain of default over svm, with substitution: {world.gain(found['default', True], found['svm', True])}"
    yield from world.describe_each({recipe: guesses for (recipe, substitutes), guesses in found.items() if substitutes})


def run_cross_domain() -> Iterator[str]:
    """Ten places, learned from sentences of film reviews with the places inserted, against every encoder."""
    for spec in ENCODERS:
        world = Lounges.build(spec, PLACES)
        vectors, labels = encode_external(world.encoder, EXTERNAL)
        yield f"{spec}: {len(vectors)} sentences of film reviews, {EXTERNAL} with each place"
        yield from _compare_cross_domain(world, vectors, labels)


def encode_external(encoder: Encoder, size: int) -> tuple[Vectors, Flags]:
    films = load_corpus("imdb")
    some = films.take(sample_rows(range(len(films)), 1500, stream(0, "films"))).sentences(4, 40)
    made = build_external_examples(some.texts, PLACES, size=size, rng=stream(0, "external"))
    return encoder.encode(made.texts), made.labels


def _compare_cross_domain(world: Lounges, vectors: Vectors, labels: Flags) -> Iterator[str]:
    keywords, examples = world.tests.keywords, Examples.build(vectors, labels)
    transferred: dict[str, KeywordGuesses] = {}
    learned: dict[str, KeywordClassifier] = {
        "svm": SupportVectorMachines(examples, stream(0, "attack")),
        "mlp": Perceptrons(examples, EPOCHS, torch.device("cpu"), stream(0, "attack")),
    }
    for name, classifier in learned.items():
        probabilities = classifier.probabilities(world.victims)
        transferred[name] = KeywordGuesses(keywords, probabilities)
        yield f"  {name}: {describe_score(world.accuracy(transferred[name]))}"
    found: dict[str, KeywordGuesses] = {}
    for centred in (False, True):
        for adapt in (False, True):
            name = f"network {'with' if adapt else 'without'} adaptation{', domains centred' if centred else ''}"
            attack = DomainAdversarialKeyword(adapt=adapt, centred=centred)
            attack.fit(vectors, labels, keywords=keywords, victims=world.victims, rng=stream(0, "attack"))
            epochs = [world.accuracy(guesses).value for guesses in attack.by_epoch(world.victims)]
            found[name] = attack.infer(world.victims)
            yield (
                f"  {name}: {describe_score(world.accuracy(found[name]))}; over {len(epochs)} epochs "
                f"average {np.mean(epochs):.4f}, worst case {max(epochs):.4f}"
            )
    base, *others = found
    for name in others:
        yield f"  gain over {base}, {name}: {world.gain(found[name], found[base])}"
    adapted = {"adapted": found["network with adaptation"], "adapted, centred": found[others[-1]]}
    yield from world.describe_each(transferred | adapted)


def run_many() -> Iterator[str]:
    """Fifty keywords on 5,000 sentences against five, encoding included both times."""
    corpus = load_corpus("lounge_reviews").sentences(4, 40)
    texts = corpus.take(sample_rows(range(len(corpus)), 5000, stream(0, "many"))).texts
    keywords = list_frequent_words(texts, 50)
    encoder = load_encoder("minilm")
    encoder.encode(texts[:50])
    seconds = {}
    for count in (5, 50):
        start = time.perf_counter()
        vectors = encoder.encode(texts)
        encoded = time.perf_counter()
        KeywordInference().fit(vectors, texts, keywords=keywords[:count], rng=stream(0, "attack"), encoder=encoder)
        whole, fit = seconds[count] = (time.perf_counter() - start, time.perf_counter() - encoded)
        yield f"  {count} keywords on {len(texts)} texts: {whole:.1f} s, of which fit {fit:.1f} s"
    whole, fit = (seconds[50][part] / seconds[5][part] for part in (0, 1))
    yield f"  fifty keywords take {whole:.2f}x the time of five, the fit alone {fit:.2f}x"


def list_frequent_words(texts: Sequence[str], count: int) -> list[str]:
    from vestige.text.vocabulary import Vocabulary
    from vestige.text.words import content_words

    return list(Vocabulary.build(map(content_words, texts), count).words)


def run_curves() -> Iterator[str]:
    """The effect of each size on the accuracy (Pan et al. 2020, Figure 6), on MiniLM."""
    world = Lounges.build("minilm", PLACES)
    vectors, labels = encode_external(world.encoder, EXTERNAL)
    sizes = CrossDomainSizes(
        DomainAdversarialKeyword(), vectors, labels, world.victims, keywords=PLACES, rng=stream(0, "elsewhere")
    )
    shadow = infer_by_shadow_size(
        KeywordInference(),
        world.known,
        world.shadow.texts,
        world.victims,
        sizes=(20, 50, 100, 200, 500, 1000),
        keywords=PLACES,
        rng=stream(0, "shadow"),
        encoder=world.encoder,
    )
    curves = {
        "shadow sentences": shadow,
        "external sentences": sizes.by_examples((275, 550, 1375, 2750, 5500)),
        "shared dimensions": sizes.by_shared((5, 10, 25, 50, 100)),
        "victims": sizes.by_victims((1, 10, 100, 1000, 10_000)),
    }
    for name, curve in curves.items():
        for size, guesses in curve:
            yield f"  {size} {name}: {describe_score(world.accuracy(guesses))}"
