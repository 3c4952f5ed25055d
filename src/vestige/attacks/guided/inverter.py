"""Guided inversion: text back in order, with the encoder in the loop. Ours."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.guided.language import BigramModel
from vestige.attacks.guided.lexicon import Lexicon
from vestige.attacks.guided.palette import Text, WordStock
from vestige.attacks.guided.search import LONGEST, Search
from vestige.attacks.guided.word_effects import word_effects
from vestige.attacks.linear_words import discriminant
from vestige.attacks.nearest_text import unit_length
from vestige.checks import as_vectors
from vestige.errors import NotFitted
from vestige.types import Advance, Encoder, Progress, TextGuesses, Trial, Vectors, silent

STARTS = 10
LIKELY_WORDS, NEIGHBOURS, FREQUENT_WORDS = 150, 4, 80
AT_ONCE = 128
LEXICON = 10_000


class GuidedInverter:
    """Writes a text whose vector comes as close to the target as the queries allow.

    The adversary sees: pairs of vectors and texts, the target vectors, and the encoder as a black box, which it may ask
    each word it knows, once, and `queries` texts for each target. Shapes: `fit` takes (n, d) vectors and n texts,
    `infer` takes (m, d) and gives m texts, each with the trail of what was best after so many queries.

    The search starts from the nearest auxiliary texts and goes by edits of one word: another for it, one more, one
    less, one elsewhere. Words come from a palette: those that a linear discriminant finds likeliest, those of the
    nearest texts, and the most frequent. All edits of a text are ranked at no cost, by what a linear model says each
    word does to a vector and by a bigram model of the auxiliary texts; only the best are asked. What brings the vector
    closer is kept; `fluency` says how much cosine one unit of log probability is worth. Of vectors only the direction
    counts.
    """

    def __init__(
        self, *, queries: int = 3000, beam: int = 3, fluency: float = 0.0005, vocabulary_size: int = LEXICON
    ) -> None:
        self.queries = queries
        self.beam = beam
        self.fluency = fluency
        self.vocabulary_size = vocabulary_size

    def fit(self, vectors: Vectors, texts: Sequence[str], *, encoder: Encoder, progress: Progress = silent) -> Self:
        """Learn from pairs what words do to vectors and which follow which; the encoder is asked each word alone."""
        for name, floor in {"queries": 1, "beam": 1, "fluency": 0, "vocabulary_size": 1}.items():
            check_floor(name, getattr(self, name), floor)
        vectors = as_pairs(vectors, texts)
        advance = progress("learning what words do to vectors", 3)
        self.encoder_ = encoder
        self.lexicon_ = Lexicon.build(texts, self.vocabulary_size)
        counts = self.lexicon_.counts(texts)
        self.vectors_ = unit_length(vectors)
        effects = word_effects(self.vectors_, counts, unit_length(encoder.encode(self.lexicon_.words)))
        advance(1)
        self.scorer_ = discriminant(self.vectors_, counts.minimum(1))
        advance(1)
        self.texts_ = [self.lexicon_.read(text) for text in texts]
        language = BigramModel(self.texts_, self.lexicon_.edge)
        self.stock_ = WordStock(np.vstack([effects, np.zeros_like(effects[:1])]), language)
        advance(1)
        return self

    def infer(self, vectors: Vectors, *, progress: Progress = silent) -> TextGuesses:
        """The text that is worth most for each vector, by cosine and fluency.

        Many searches go side by side, so that batches are full.
        """
        if not hasattr(self, "encoder_"):
            raise NotFitted("GuidedInverter.infer was called before fit; call fit(vectors, texts, encoder=...) first")
        vectors = as_vectors(vectors, self.vectors_.shape[1])
        advance = progress("searching for the texts", len(vectors) * self.queries)
        trails: list[list[Trial]] = []
        for start in range(0, len(vectors), AT_ONCE):
            searches = [self._search(vector) for vector in unit_length(vectors[start : start + AT_ONCE])]
            while self._round(searches, advance):
                pass
            trails += [self._trail(search) for search in searches]
            advance(sum(self.queries - search.spent for search in searches))
        return TextGuesses([trail[-1].text for trail in trails], trails)

    def _search(self, target: Vectors) -> Search:
        """Where the search for one target starts, and the words it may use."""
        nearest = np.argsort(-(self.vectors_ @ target), kind="stable")[:STARTS]
        likely = np.argsort(-self.scorer_.logits(target[None])[0], kind="stable")[:LIKELY_WORDS].tolist()
        nearby = [word for row in nearest[:NEIGHBOURS] for word in self.texts_[row]]
        frequent = range(min(FREQUENT_WORDS, len(self.lexicon_.words)))
        palette = self.stock_.palette([*likely, *nearby, *frequent])
        place = {number: place for place, number in enumerate(palette.numbers.tolist())}
        starts = [tuple(place[word] for word in self.texts_[row] if word in place)[:LONGEST] for row in nearest]
        starts = [text for text in starts if text] or [(place[likely[0]],)]
        return Search(target, palette, starts, self.stock_, weight=self.fluency, beam=self.beam)

    def _round(self, searches: Sequence[Search], advance: Advance) -> int:
        """One round of all searches in one call of the encoder; gives the number of texts asked."""
        asked = [search.ask(self.queries - search.spent) for search in searches]
        spelled = [self._spell(search, text) for search, texts in zip(searches, asked, strict=True) for text in texts]
        if spelled:
            answers = unit_length(self.encoder_.encode(spelled))
            for search, texts, end in zip(searches, asked, np.cumsum([len(texts) for texts in asked]), strict=True):
                if texts:
                    search.answer(texts, answers[end - len(texts) : end])
            advance(len(spelled))
        return len(spelled)

    def _spell(self, search: Search, text: Text) -> str:
        return self.lexicon_.spell(search.palette.numbers[list(text)].tolist())

    def _trail(self, search: Search) -> list[Trial]:
        return [Trial(spent, self._spell(search, best.text), best.cosine) for spent, best in search.trail]
