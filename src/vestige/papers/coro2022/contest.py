"""One section of Corò's inversion tables: who learns from what, and which words count."""

from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from vestige.attacks.fixed_words import FixedWords
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.case.randomness import stream
from vestige.papers.coro2022.representations import Sizes
from vestige.papers.coro2022.texts import Side, Sides
from vestige.papers.run import Run
from vestige.papers.scores import Truth, Words
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words

Recipe = Literal["coro", "default"]


@dataclass(frozen=True)
class Contest:
    """One section of a table: the training side, the words that count there, and the test."""

    run: Run[Sizes]
    training: Side
    test: Side
    counted: frozenset[str]

    def inverter(self, target: Victim, recipe: Recipe, pairs: Corpus, first: int | None = None) -> MultiSetInverter:
        """The inverter, trained on pairs, or on the first few of them."""
        sizes = self.run.sizes
        epochs = sizes.epochs if recipe == "coro" else None
        attack = MultiSetInverter(recipe=recipe, vocabulary_size=sizes.vocabulary, epochs=epochs)
        return attack.fit(
            target.vectors(pairs)[:first],
            pairs.texts[:first],
            rng=stream(self.run.seed, "attack"),
            documents=pairs.documents[:first],
            progress=self.run.progress,
        )

    def guessed(
        self, fitted: MultiSetInverter, target: Victim, corpus: Corpus, alike: Corpus | None = None
    ) -> list[Words]:
        """What it reads out of the vectors of a corpus, of the words that count.

        By the thesis' recipe in as many steps as training texts of the same kind, those `alike`, have words.
        """
        steps = mean_words(alike, fitted.vocabulary_) if alike is not None and fitted.recipe == "coro" else None
        return [words & self.counted for words in fitted.infer(target.vectors(corpus), steps=steps).sets]

    def prior(self, pairs: Corpus, texts: int, first: int | None = None) -> list[Words]:
        """The best fixed set of the words that count, once a text."""
        known = [content_words(text) & self.counted for text in pairs.texts[:first]]
        return [FixedWords().fit_sets(known).words_] * texts

    def truth(self, corpus: Corpus) -> Truth:
        """The words of each text that count."""
        return Truth([content_words(text) for text in corpus.texts], corpus.documents, self.run.seed).among(
            self.counted
        )


def mean_words(corpus: Corpus, vocabulary: Vocabulary) -> int:
    """L of Section 4.3.3: how many words of the vocabulary a text has, on average."""
    known = frozenset(vocabulary.words)
    return max(1, round(fmean(len(content_words(text) & known) for text in corpus.texts)))


def contest(run: Run[Sizes], sides: Sides, section: str) -> Contest:
    """In its own domain the words of its vocabulary count; across domains those that both vocabularies have (5.2.1)."""

    def known(side: Side) -> frozenset[str]:
        words = Vocabulary.build(map(content_words, side.sentences.texts), run.sizes.vocabulary).words
        return frozenset(words)

    training = sides.training(section)
    return Contest(run, training, sides.test, known(sides.in_domain) & known(training))
