"""The methods to infer training membership that an encoder allows, the choice among them, and the prior."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from vestige.attacks.attributes.text_baselines import TextTfidf
from vestige.attacks.membership.neighbours import find_neighbours
from vestige.case.case import Training
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.load import load_encoder
from vestige.probes.training_scores import (
    TrainingScores,
    WordProximity,
    measure_word_proximity,
    reduce_dimension,
    score_similarity,
    shuffle_membership,
)
from vestige.types import Encoder, Floats, Progress, Vectors

Method = Literal["learned", "fixed", "words"]

FOLDS = 5
SHUFFLES = 10
"""The control is the mean over this many shuffles: with few documents, one shuffle may be informative by chance."""

BLIND = ("hashing:512", "lsa:tfidf:200")
"""Encoders that cannot know what the encoder was trained on: one is not trained, the other on both sides alike."""

PUBLISHED_METHODS: dict[str, Method] = {
    "song-pair-membership": "learned",
    "song-book-membership": "learned",
    "song-word-membership": "words",
}
"""The method of each published attack that an audit can ask for by name."""

LEARNED, UNLEARNED = "learned", "not learned"


@dataclass(frozen=True)
class TrainingMethods:
    """The vectors of the sentences, and the proximity of words where the encoder averages word vectors."""

    vectors: Vectors
    near: WordProximity | None

    @classmethod
    def query(
        cls, encoder: Encoder, training: Training, settings: Settings, progress: Progress, *, by_words: bool
    ) -> "TrainingMethods":
        """Query the encoder."""
        vectors = reduce_dimension(encoder.encode(training.sentences.texts, progress=progress), training, settings)
        return cls(
            vectors, measure_word_proximity(encoder, training.sentences, settings, progress) if by_words else None
        )

    def score_all(self, training: Training, settings: Settings, progress: Progress) -> dict[Method, TrainingScores]:
        """By each method: similarity of sentences with labels and without, and proximity of words."""
        scores: dict[Method, TrainingScores] = {
            "learned": score_similarity(self.vectors, training, "learned", settings, progress),
            "fixed": score_similarity(self.vectors, training, "fixed", settings, progress),
        }
        return scores if self.near is None else scores | {"words": self.near.score(training)}

    def choose(self, training: Training, settings: Settings, progress: Progress) -> Method:
        """The method that best separates the documents whose membership the adversary knows, or the one asked for."""
        if settings.recipe in PUBLISHED_METHODS:
            return PUBLISHED_METHODS[settings.recipe]
        if self.near is None:
            return "learned"
        auc = self.near.separate(training)
        return "words" if max(auc, 1 - auc) >= self._separate_learned(training, settings, progress) else "learned"

    def score_control(self, training: Training, settings: Settings, progress: Progress) -> list[TrainingScores]:
        """The scores with the method chosen and fitted on shuffled labels, several times."""
        scores = []
        for turn in range(1, SHUFFLES + 1):
            shuffled = shuffle_membership(training, stream(settings.seed, f"shuffle {turn}"))
            if self.near is not None and self.choose(shuffled, settings, progress) == "words":
                scores.append(self.near.score(shuffled))
            else:
                scores.append(score_similarity(self.vectors, shuffled, "learned", settings, progress))
        return scores

    def _separate_learned(self, training: Training, settings: Settings, progress: Progress) -> float:
        """The AUC on known documents, each scored by an attack that was fitted on others."""
        from sklearn.metrics import roc_auc_score

        vectors = self.vectors[training.known]
        folds = [
            score_similarity(vectors, fold, "learned", settings, progress).documents for fold in split_folds(training)
        ]
        return float(
            roc_auc_score(
                np.concatenate([rows.members for rows in folds]), np.concatenate([rows.scores for rows in folds])
            )
        )


def split_folds(training: Training) -> Iterator[Training]:
    """Folds of the documents whose membership the adversary knows; a fifth of each side is treated as unknown."""
    rows = np.flatnonzero(training.known)
    sentences, members = training.sentences.take(rows.tolist()), training.members[rows]
    sides = [
        dict.fromkeys(name for name, flag in zip(sentences.documents, members, strict=True) if flag == side)
        for side in (True, False)
    ]
    fold = {name: turn % FOLDS for side in sides for turn, name in enumerate(side)}
    numbers = np.array([fold[name] for name in sentences.documents])
    for number in range(FOLDS):
        yield replace(training, sentences=sentences, members=members, known=numbers != number)


def score_without_encoder(
    training: Training, settings: Settings, progress: Progress, *, by_words: bool
) -> dict[Method, TrainingScores]:
    """The prior: the same methods on other encoders, whichever scores best, or a classifier of the texts."""
    blind: list[dict[Method, TrainingScores]] = []
    for spec in BLIND:
        encoder = load_encoder(spec, corpus=training.sentences)
        methods = TrainingMethods.query(encoder, training, settings, progress, by_words=by_words)
        blind.append(methods.score_all(training, settings, progress))

    def best(*scores: TrainingScores) -> TrainingScores:
        return max(scores, key=lambda each: each.documents.summarize(settings.seed).advantage.value)

    prior: dict[Method, TrainingScores] = {
        "learned": best(*(each["learned"] for each in blind), score_from_text(training, settings)),
        "fixed": best(*(each["fixed"] for each in blind)),
    }
    if by_words:
        prior["words"] = best(prior["learned"], *(each["words"] for each in blind if "words" in each))
    return prior


def score_from_text(training: Training, settings: Settings) -> TrainingScores:
    """The scores of a text classifier that was fitted on documents whose membership is known."""
    known, names = training.known.tolist(), training.sentences.documents
    whole: dict[str, list[str]] = {}
    for name, text in zip(names, training.sentences.texts, strict=True):
        whole.setdefault(name, []).append(text)
    flags = dict(zip(names, training.members.tolist(), strict=True))
    labelled = list(dict.fromkeys(name for name, is_known in zip(names, known, strict=True) if is_known))
    classifier = TextTfidf().fit(
        [" ".join(whole[name]) for name in labelled],
        [LEARNED if flags[name] else UNLEARNED for name in labelled],
        rng=stream(settings.seed, "attack"),
    )

    def score(texts: list[str]) -> Floats:
        chances: Floats = classifier.infer(texts).probabilities[:, classifier.labels_.index(LEARNED)]
        return chances

    unknown = [name for name, is_known in zip(names, known, strict=True) if not is_known]
    texts = [text for text, is_known in zip(training.sentences.texts, known, strict=True) if not is_known]
    pairs = [f"{texts[row]} {texts[row + 1]}" for row in find_neighbours(unknown)]
    return TrainingScores.align(
        score(pairs), score([" ".join(whole[name]) for name in dict.fromkeys(unknown)]), training
    )
