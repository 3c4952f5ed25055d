"""Differentially private training of a dual encoder: canaries and training membership before and after, with utility.

Private texts are complaints with planted pass phrases (twenty for each number of times), public texts film reviews and
lists of the words of phrases and owners, so that no encoder is protected by its vocabulary alone. Encoders: trained on
private text as usual; on public text and then privately, with several epsilons; the same without noise, as a control
of the procedure; and on public text alone, which no private document can have changed. One line per encoder: exposure
of the phrases in bits, the advantage of an attacker who infers whether a document was trained on (with the gain over
the texts alone), and the mean reciprocal rank of the next sentence among 1,000 of unseen complaints. `private_choice`
compares settings on newsgroups, which are not scored here; the defaults were not chosen by it. `private_curve` shows,
there too, how the next sentence fares while a private training without noise goes on: whether there is anything for
noise to cost.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

import numpy as np

from bench.canaries import EACH
from vestige.attacks.membership.canary import SecretRanking
from vestige.case.case import Training
from vestige.case.inputs import read_inputs
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.case.training import find_training
from vestige.encoders.dual.encoder import DualEncoder
from vestige.encoders.dual.private_training import PrivateRecipe
from vestige.encoders.dual.recipe import DualRecipe
from vestige.metrics.exposure import Exposure, exposure, mean_exposure, rank_among
from vestige.metrics.intervals import document_mean
from vestige.probes.training_methods import score_without_encoder
from vestige.probes.training_scores import TrainingScores, reduce_dimension, score_gain, score_similarity
from vestige.text.canaries import Canary, SecretSpace, make_canaries, plant
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.text.patterns import load_pattern
from vestige.types import Encoder, Progress, Score, silent

DOCUMENTS, HELD_OUT, PUBLIC, CANDIDATES = 800, 400, 800, 1000
TIMES = (1, 4, 16)


class PublicRecipe(DualRecipe):
    """The first training, on public text, which is the same before every private one."""

    trained: ClassVar[list[DualEncoder]] = []

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> DualEncoder:
        """Train once, and return a copy that may be trained further."""
        if not self.trained:
            self.trained.append(super().fit(corpus, rng=rng, progress=progress))
        return deepcopy(self.trained[0])


BASE = PublicRecipe(dimension=128, vocabulary_size=20_000, longest_studied=32)
USUAL = DualRecipe(dimension=128, vocabulary_size=20_000, longest_studied=32, epochs=10)
EPSILONS = (8.0, 1.0, inf)
CURVE_DOCUMENTS = ((0, 500), (500, 900), (900, 1700))
"""The places of private, unseen and public documents in a random order."""

CURVE_RATES, CURVE_PASSES = (1e-3, 1e-4), (2, 6)
SETTINGS = Settings()


@dataclass(frozen=True)
class NextSentence:
    """Which of the following sentences of unseen documents is the next one? The mean reciprocal rank says how well."""

    queries: list[str]
    following: list[str]
    documents: list[str]

    @classmethod
    def draw(cls, unseen: Corpus) -> "NextSentence":
        """Pairs of consecutive sentences."""
        sentences = unseen.sentences(3, 60)
        follows = [row for row in range(len(sentences) - 1) if _is_next(sentences, row)]
        rows = stream(0, "next").choice(follows, min(CANDIDATES, len(follows)), replace=False)
        return cls(
            [sentences.texts[row] for row in rows],
            [sentences.texts[row + 1] for row in rows],
            [sentences.documents[row] for row in rows],
        )

    def score(self, encoder: Encoder) -> Score:
        """The mean reciprocal rank."""
        products = encoder.encode(self.queries) @ encoder.encode(self.following).T
        ranks = (products >= np.diag(products)[:, None]).sum(axis=1)
        return document_mean(1 / ranks, self.documents, stream(0, "bootstrap"))


@dataclass(frozen=True)
class PrivateTask:
    """Private text with canaries, public text, and what the encoders are judged by."""

    private: Corpus
    public: Corpus
    canaries: list[Canary]
    training: Training
    prior: TrainingScores
    ranking: "NextSentence"

    @classmethod
    def read(cls, corpus: str, public: str) -> "PrivateTask":
        """Private documents, unseen ones of the same kind, and public ones of another."""
        whole, known = load_corpus(corpus), load_corpus(public)
        order = stream(0, "documents").permutation(len(whole.texts)).tolist()
        own, unseen = whole.take(sorted(order[:DOCUMENTS])), whole.take(sorted(order[DOCUMENTS:][:HELD_OUT]))
        pattern = load_pattern("pass-phrase")
        canaries = make_canaries(pattern, len(TIMES) * EACH, stream(0, "canaries"))
        planted = plant(own, canaries, _list_times(canaries), stream(0, "places"))
        training = _find_training(own, unseen)
        prior = score_without_encoder(training, SETTINGS, silent, by_words=False)["learned"]
        return cls(
            Corpus(planted.name, planted.texts, planted.documents),
            _add_words(known.take(range(PUBLIC)), canaries),
            canaries,
            training,
            prior,
            NextSentence.draw(unseen),
        )

    def score(self, encoder: Encoder) -> Iterator[str]:
        """Exposure by number of times, membership and the next sentence."""
        bits = self._expose(encoder)
        for times in TIMES:
            rows = [each for each, planted in zip(bits, _list_times(self.canaries), strict=True) if planted == times]
            yield f"exposure of phrases planted {times} times {_cell(mean_exposure(rows, stream(0, 'bootstrap')))} bits"
        yield from self._infer_membership(encoder)
        yield f"mean reciprocal rank of the next sentence {_cell(self.ranking.score(encoder))}"

    def _expose(self, encoder: Encoder) -> list[Exposure]:
        space = SecretSpace.build(load_pattern("pass-phrase"))
        secrets = space.decode(range(space.size))
        split = [canary.prompt.split(". ") for canary in self.canaries]
        prompts, pronoun = [f"{first}." for first, _ in split], split[0][1]
        attack = SecretRanking().fit([f"{pronoun}{secret}." for secret in secrets], encoder=encoder, references=prompts)
        places = [secrets.index(canary.secret) for canary in self.canaries]
        return [
            exposure(rank_among(row[place], np.delete(row, place)), scored=space.size, space=space.size)
            for row, place in zip(attack.infer(prompts).scores, places, strict=True)
        ]

    def _infer_membership(self, encoder: Encoder) -> Iterator[str]:
        vectors = reduce_dimension(encoder.encode(self.training.sentences.texts), self.training, SETTINGS)
        scores = score_similarity(vectors, self.training, "learned", SETTINGS, silent)
        advantage = scores.documents.summarize(0).advantage
        yield f"advantage on training documents {_cell(advantage)}"
        yield f"gain over their texts alone {_cell(score_gain(scores.documents, self.prior.documents, 0))}"


def run() -> Iterator[str]:
    """Complaints, with film reviews as public text."""
    task = PrivateTask.read("complaints", "imdb")
    yield f"{len(task.private):,} private documents with canaries, {len(task.public):,} public ones"
    yield from _judge("usual training", USUAL.fit(task.private, rng=stream(0, "training")), task)
    yield from _judge("public text alone", BASE.fit(task.public, rng=stream(0, "training")), task)
    for epsilon in EPSILONS:
        encoder = _train(task, epsilon, PrivateRecipe(epsilon, BASE, task.public, noise_seed=0))
        yield from _judge(_describe(encoder), encoder, task)


def run_choice() -> Iterator[str]:
    """Newsgroups: which weights to train, for how long, at epsilon 8; by the next sentence alone."""
    task = PrivateTask.read("newsgroups", "imdb")
    yield f"public text alone: {_cell(task.ranking.score(BASE.fit(task.public, rng=stream(0, 'training'))))}"
    yield f"usual training: {_cell(task.ranking.score(USUAL.fit(task.private, rng=stream(0, 'training'))))}"
    for trained, passes, rate in (("biases", 10, 3e-3), ("biases", 10, 1e-2), ("layers", 10, 1e-3)):
        recipe = PrivateRecipe(8.0, BASE, task.public, noise_seed=0)
        recipe = replace(recipe, trained=trained, passes=passes, learning_rate=rate)  # type: ignore[arg-type]
        encoder = _train(task, 8.0, recipe)
        yield f"{trained}, {passes} passes, rate {rate:g}: {_cell(task.ranking.score(encoder))}; {_describe(encoder)}"


def run_curve() -> Iterator[str]:
    """Newsgroups, with other newsgroups as public text: private training without noise after more and more passes."""
    whole = load_corpus("newsgroups")
    order = stream(0, "documents").permutation(len(whole.texts)).tolist()
    own, unseen, public = (whole.take(sorted(order[first:last])) for first, last in CURVE_DOCUMENTS)
    ranking = NextSentence.draw(unseen)
    PublicRecipe.trained.clear()
    yield f"{len(own.texts)} private documents, {len(public.texts)} public ones"
    yield f"public text alone: {_cell(ranking.score(BASE.fit(public, rng=stream(0, 'training'))))}"
    for rate in CURVE_RATES:
        for passes in CURVE_PASSES:
            recipe = PrivateRecipe(inf, BASE, public, noise_seed=0, trained="layers", passes=passes, batch=64)
            encoder = replace(recipe, learning_rate=rate).fit(own, rng=stream(0, "training"))
            steps = (encoder.recipe or {})["privacy"]["steps"]
            yield f"private, no noise, rate {rate:g}, {steps} steps: {_cell(ranking.score(encoder))}"


def _train(task: PrivateTask, epsilon: float, recipe: PrivateRecipe) -> DualEncoder:
    return replace(recipe, epsilon=epsilon).fit(task.private, rng=stream(0, "training"))


def _judge(name: str, encoder: Encoder, task: PrivateTask) -> Iterator[str]:
    yield from (f"{name}: {line}" for line in task.score(encoder))


def _describe(encoder: DualEncoder) -> str:
    promise = (encoder.recipe or {})["privacy"]
    if promise["epsilon"] == inf:
        return f"private training without noise ({promise['steps']} steps)"
    noise = f"noise {promise['noise_multiplier']:.2f}, {promise['steps']} steps"
    return f"epsilon {promise['epsilon']:.2f}, delta {promise['delta']:g} ({noise})"


def _find_training(own: Corpus, unseen: Corpus) -> Training:
    inputs = read_inputs(None, unseen, "minilm", None, SETTINGS, trained_on=own)
    training = find_training(inputs, SETTINGS)
    assert isinstance(training, Training)
    return training


def _add_words(public: Corpus, canaries: list[Canary]) -> Corpus:
    """Public text, and a document that has every owner and every word of a phrase, in no relation to each other."""
    owners = [canary.prompt.split(". ")[0].split()[-1] for canary in canaries]
    choices = sorted({word for canary in canaries for word in canary.secret.split()})
    listed = [f"There is {word}. There is {word}." for word in (*owners, *choices)]
    return Corpus(public.name, [*public.texts, *listed])


def _list_times(canaries: list[Canary]) -> list[int]:
    return [TIMES[place % len(TIMES)] for place in range(len(canaries))]


def _is_next(sentences: Corpus, row: int) -> bool:
    return sentences.documents[row] == sentences.documents[row + 1]


def _cell(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f}, n={score.n})"
