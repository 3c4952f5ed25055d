"""Guided inversion: whole sentences, by a search that queries the encoder. Ours."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from time import process_time
from typing import Self

import numpy as np
from scipy import sparse

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.guided.learned import EditorView
from vestige.attacks.guided.lexicon import BigramModel, Lexicon, WordStock
from vestige.attacks.guided.search import LONGEST, Search
from vestige.attacks.linear_words import fit_discriminant
from vestige.attacks.prefix.inverter import PrefixDecoder
from vestige.attacks.ridge import sparse_ridge
from vestige.attacks.rows import unit_length
from vestige.checks import as_vectors
from vestige.errors import NotFitted
from vestige.types import Advance, Encoder, Progress, TextGuesses, Trial, Vectors, silent

STARTS = 10
SAMPLES = 8
LIKELY_WORDS, NEIGHBOURS, FREQUENT_WORDS = 150, 4, 80
AT_ONCE = 128
LEXICON = 10_000
MAP_PENALTY, WORD_PENALTY = 1.0, 1.0


class GuidedInverter:
    """Writes a text whose vector comes as close to the target as the queries allow.

    The adversary sees: pairs of vectors and texts, the target vectors, and the encoder as a black box, which it may
    query once for each word it knows, and with `queries` texts for each target. Shapes: `fit` takes (n, d) vectors and
    n texts; `infer` takes (m, d) and returns m texts, each with the trail of the best text after so many queries.

    The search starts from the nearest auxiliary texts and proceeds by changes: a word is replaced, inserted, deleted or
    moved, a few neighbouring words are exchanged at once, spans of other texts are taken over, and changes that were
    tried alone are made together. Words come from a palette: those that a linear discriminant finds likeliest, those of
    the nearest texts, and the most frequent. All changes are ranked without queries, by a linear model of what each
    word does to a vector and by a bigram model of the auxiliary texts; only the best are queried. A change that brings
    the vector closer is accepted; `fluency` is how much cosine one unit of log probability is traded for. Only the
    direction of vectors counts.

    An adversary who has the encoder's weights pays for queries with time alone: with `seconds`, no round begins after
    so many seconds of processor time per target, and results depend on the speed of the machine. A search that is stuck
    restarts up to `restarts` times from its best text with a part taken out, while queries and time last.
    """

    info = AttackInfo(
        name="guided",
        summary="writes a sentence by a search that queries the encoder",
        output=TextGuesses,
        access=("pairs", "queries"),
    )

    def __init__(
        self,
        *,
        queries: int = 3000,
        seconds: float | None = None,
        beam: int = 3,
        fluency: float = 0.001,
        vocabulary_size: int = LEXICON,
        restarts: int = 0,
    ) -> None:
        self.restarts = restarts
        self.queries = queries
        self.seconds = seconds
        self.beam = beam
        self.fluency = fluency
        self.vocabulary_size = vocabulary_size

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        encoder: Encoder,
        further_texts: Sequence[str] = (),
        further_words: Iterable[str] = (),
        decoder: PrefixDecoder | None = None,
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs what words do to vectors and which word follows which; each single word is queried once.

        `further_texts` are texts of the same kind without vectors: they add words, and which word follows which.
        `further_words` are words of a public list that the texts may lack. With a fitted `decoder`, the search starts
        from texts that it writes, and tries edits that it proposes.
        """
        for name, floor in {"queries": 1, "beam": 1, "fluency": 0, "vocabulary_size": 1, "restarts": 0}.items():
            check_floor(name, getattr(self, name), floor)
        if self.seconds is not None:
            check_floor("seconds", self.seconds, 0)
        vectors = as_pairs(vectors, texts)
        advance = progress("learning what words do to vectors", 3)
        self.encoder_ = encoder
        self.decoder_ = decoder
        self.lexicon_ = Lexicon.build([*texts, *further_texts], self.vocabulary_size).add(further_words)
        counts = self.lexicon_.counts(texts)
        self.vectors_ = unit_length(vectors)
        effects = fit_word_effects(self.vectors_, counts, unit_length(encoder.encode(self.lexicon_.words)))
        advance(1)
        self.scorer_ = fit_discriminant(self.vectors_, counts.minimum(1))
        advance(1)
        self.texts_ = [self.lexicon_.parse(text) for text in texts]
        language = BigramModel([*self.texts_, *map(self.lexicon_.parse, further_texts)], self.lexicon_.edge)
        outputs = None if decoder is None else decoder.list_outputs(self.lexicon_.words)
        self.stock_ = WordStock(np.vstack([effects, np.zeros_like(effects[:1])]), language, outputs)
        advance(1)
        return self

    def infer(self, vectors: Vectors, *, progress: Progress = silent) -> TextGuesses:
        """The best text for each vector, by cosine and fluency.

        Many searches run together, so that batches are full.
        """
        if not hasattr(self, "encoder_"):
            raise NotFitted("GuidedInverter.infer was called before fit; call fit(vectors, texts, encoder=...) first")
        vectors = as_vectors(vectors, self.vectors_.shape[1])
        advance = progress("searching for the texts", len(vectors) * self.queries)
        trails: list[list[Trial]] = []
        for start in range(0, len(vectors), AT_ONCE):
            targets = unit_length(vectors[start : start + AT_ONCE])
            end = self._find_end(len(targets))
            searches = self._open(targets)
            while self._round(searches, advance) and process_time() < end:
                pass
            trails += [self._trail(search) for search in searches]
            advance(sum(self.queries - search.spent for search in searches))
        return TextGuesses([trail[-1].text for trail in trails], trails)

    def follow(self, vector: Vectors) -> Iterator[Trial]:
        """The search for one vector as it runs: the best text after each round of queries."""
        if not hasattr(self, "encoder_"):
            raise NotFitted("GuidedInverter.follow was called before fit; call fit(vectors, texts, encoder=...) first")
        end = self._find_end(1)
        (search,) = self._open(unit_length(as_vectors(vector[None], self.vectors_.shape[1])))
        while self._round([search], silent("searching", self.queries)):
            yield self._trail(search)[-1]
            if process_time() >= end:
                return

    def _find_end(self, targets: int) -> float:
        """When the time for so many targets is over."""
        return inf if self.seconds is None else process_time() + self.seconds * targets

    def _open(self, targets: Vectors) -> list[Search]:
        """One search for each target."""
        decoder = self.decoder_
        if decoder is None:
            return [self._search(target, []) for target in targets]
        drawn = decoder.draw(targets, SAMPLES)
        return [
            self._search(target, [self.lexicon_.parse(decoder.spell(text)) for text in texts])
            for target, texts in zip(targets, drawn, strict=True)
        ]

    def _search(self, target: Vectors, written: Sequence[tuple[int, ...]]) -> Search:
        """The starting texts of the search for one target, and the words it may use."""
        nearest = np.argsort(-(self.vectors_ @ target), kind="stable")[:STARTS]
        likely = np.argsort(-self.scorer_.logits(target[None])[0], kind="stable")[:LIKELY_WORDS].tolist()
        nearby = [word for row in nearest[:NEIGHBOURS] for word in self.texts_[row]]
        frequent = range(min(FREQUENT_WORDS, len(self.lexicon_.words)))
        decoded = [word for text in written for word in text]
        palette = self.stock_.palette([*likely, *nearby, *frequent, *decoded])
        place = {number: place for place, number in enumerate(palette.numbers.tolist())}
        texts = [*written, *(self.texts_[row] for row in nearest[:STARTS])]
        starts = [tuple(place[word] for word in text if word in place)[:LONGEST] for text in texts]
        starts = [text for text in starts if text] or [(place[likely[0]],)]
        return Search(target, palette, starts, self.stock_, weight=self.fluency, beam=self.beam, restarts=self.restarts)

    def _round(self, searches: Sequence[Search], advance: Advance) -> int:
        """One round of all searches in one call of the encoder; returns the number of texts queried."""
        self._ask_editor([search for search in searches if not search.is_over(self.queries - search.spent)])
        batch = [search.propose(self.queries - search.spent) for search in searches]
        spelled = [
            self.lexicon_.spell(search.palette.numbers[list(text)].tolist())
            for search, texts in zip(searches, batch, strict=True)
            for text in texts
        ]
        if spelled:
            vectors = unit_length(self.encoder_.encode(spelled))
            for search, texts, end in zip(searches, batch, np.cumsum([len(texts) for texts in batch]), strict=True):
                if texts:
                    search.update(texts, vectors[end - len(texts) : end])
            advance(len(spelled))
        return len(spelled)

    def _ask_editor(self, searches: Sequence[Search]) -> None:
        """Ask the decoder about the candidates that are new."""
        decoder = self.decoder_
        asked = [(search, candidate) for search in searches for candidate in search.unedited]
        if decoder is None or not decoder.edits or not asked:
            return
        assert self.stock_.outputs is not None
        texts = [search.palette.numbers[list(candidate.text)] for search, candidate in asked]
        words = self.lexicon_.words
        features = decoder.edit(
            np.array([search.target for search, _ in asked]),
            np.array([candidate.vector for _, candidate in asked]),
            [decoder.number([words[number] for number in text]) for text in texts],
        )
        nothing = decoder.nothing
        for (search, candidate), found in zip(asked, features, strict=True):
            search.learn(candidate.text, EditorView(found.replace, found.insert, nothing))

    def _trail(self, search: Search) -> list[Trial]:
        return [Trial(each.spent, self.lexicon_.spell(each.words), each.cosine) for each in search.trail]


def fit_word_effects(vectors: Vectors, counts: sparse.csr_array, single: Vectors) -> Vectors:
    """The effect of each word, such that a text's vector is the mean plus their sum over the root of its length.

    `single` has the vectors of the words by themselves. Two ridge regressions: one matrix that maps every word's own
    vector to its effect, and for each word a correction, which is small for a rare word. With the sum divided by the
    length, or not at all, the model explains less of unseen texts.
    """
    lengths = np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)
    scaled = sparse.csr_array(sparse.diags_array((1 / np.sqrt(lengths)).astype(np.float32)) @ counts)
    centred = vectors - vectors.mean(axis=0)
    summed = np.asarray(scaled @ single, dtype=np.float32)
    penalty = MAP_PENALTY * np.eye(summed.shape[1], dtype=np.float32)
    shared = np.linalg.solve(summed.T @ summed + penalty, summed.T @ centred)
    own = sparse_ridge(scaled, centred - summed @ shared, WORD_PENALTY)
    return np.asarray(single @ shared + own, dtype=np.float32)
