"""The default decoder of sets: greedy decoding under an additive model of the encoder, with a chosen threshold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from vestige.attacks.multiset.additive import AdditiveData, GreedyDecoder, choose_settings, fit_additive
from vestige.attacks.thresholding import Candidates, Decision, RankedWords, ScoredCandidates, decide
from vestige.attacks.training_set import CountedWords, TrainingSet, choose_words
from vestige.attacks.word_vectors import WordVectors, match_words
from vestige.text.split import sample_rows
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_form, words
from vestige.types import Progress, Singles, Vectors

STRENGTHS = (0.0, 0.4, 0.6, 0.75, 0.9, 1.1)
MOST_TEXTS = 300
FEWEST_TEXTS = 20
_STAGES = 4


@dataclass(frozen=True)
class ClosedFormDecoder:
    """A fitted decoder; the first `vocabulary` columns may be predicted, `depth` of them are ranked."""

    greedy: GreedyDecoder
    decision: Decision
    vocabulary: int
    depth: int

    def decode_singly(self) -> "ClosedFormDecoder":
        """The same decoder for one vector at a time: sooner and smaller, with the same words up to rounding."""
        model = self.greedy.model
        slim = replace(model, plain=model.plain[:0])
        return replace(self, greedy=GreedyDecoder(slim, self.greedy.most, at_once=1))

    def rank(self, vectors: Vectors) -> RankedWords:
        """Greedy decoding down to the threshold."""
        blocks = self.greedy.scores(vectors, self.decision.strength, self.decision.threshold)
        best = Candidates.build(blocks, self.vocabulary, self.depth)
        return RankedWords(best.words, self.decision.probability(best.scores), best.scores > self.decision.threshold)


def fit_closed_form(
    pairs: TrainingSet, single_words: WordVectors | None, rng: np.random.Generator, progress: Progress
) -> ClosedFormDecoder:
    """Choose the settings, fit, choose the threshold on a tenth of the documents, then fit again on all pairs.

    The last step does not bias the threshold: strength, threshold and calibration come from texts outside the fit.
    """
    advance = progress("fitting the attack", _STAGES)
    columns = WordColumns.build(pairs.texts, pairs.vocabulary, pairs.words).indicator(pairs.labels, pairs.texts)
    data = AdditiveData(pairs.vectors, columns, pairs.sizes, _prior(pairs, single_words, columns.shape[1]))
    settings = choose_settings(data.take(pairs.train), data.take(pairs.held_out), rng)
    advance(1)
    most = int(np.quantile(np.diff(columns.indptr), 0.95)) + 1
    model = fit_additive(data.take(pairs.train), settings)
    greedy = GreedyDecoder(model, most)
    advance(1)
    decision = decide_threshold(greedy, _held_out(pairs, rng), pairs.depth)
    advance(1)
    greedy = GreedyDecoder(fit_additive(data, settings, model.plain), most)
    advance(1)
    return ClosedFormDecoder(greedy, decision, len(pairs.vocabulary), pairs.depth)


def _held_out(pairs: TrainingSet, rng: np.random.Generator) -> "HeldOut":
    rows = np.array(sample_rows(pairs.held_out.tolist(), MOST_TEXTS, rng))
    return HeldOut(pairs.vectors[rows], pairs.labels[rows], pairs.weights, pairs.total_weights(rows))


def _prior(pairs: TrainingSet, single_words: WordVectors | None, columns: int) -> Singles | None:
    """One row per column, zero for words without a vector and for fillers; a last coordinate flags a vector."""
    if single_words is None:
        return None
    places, table = match_words(single_words, pairs.vocabulary.words)
    prior = np.zeros((columns, table.shape[1] + 1), np.float32)
    prior[places, :-1] = table
    prior[places, -1] = 1
    return prior


@dataclass(frozen=True)
class WordColumns:
    """The columns of the additive model: the words of the vocabulary, then fillers (stop words and punctuation marks).

    A filler is never predicted. It moves the vector all the same, and its share must not be attributed to other words.
    Where all words are counted, only marks are fillers.
    """

    vocabulary: Vocabulary
    fillers: Vocabulary
    words: CountedWords = "content"

    @classmethod
    def build(cls, texts: Sequence[str], vocabulary: Vocabulary, counted: CountedWords = "content") -> "WordColumns":
        """Take the fillers that occur in at least `FEWEST_TEXTS` texts."""
        seen = Vocabulary.build([_fillers(text, counted) for text in texts], size=None)
        frequent = sum(count >= FEWEST_TEXTS for count in seen.counts)
        return cls(vocabulary, Vocabulary(seen.words[:frequent], seen.counts[:frequent]), counted)

    def indicator(self, labels: sparse.csr_array, texts: Sequence[str]) -> sparse.csr_array:
        """A 0/1 matrix, texts by columns; `labels` is its part for the vocabulary."""
        fillers = self.fillers.indicator([_fillers(text, self.words) for text in texts])
        return sparse.csr_array(sparse.hstack([labels, fillers]))


def _fillers(text: str, counted: CountedWords) -> frozenset[str]:
    stops = {word for word in words(text) if content_form(word) is None} if counted == "content" else set()
    if counted.startswith("content:"):
        stops = set(words(text)) - choose_words(counted)(text)
    return frozenset(stops | {mark for mark in text if not mark.isalnum() and not mark.isspace()})


@dataclass(frozen=True)
class HeldOut:
    """Texts to decide on: the weight of each word of the vocabulary, and the summed weight of all words of a text."""

    vectors: Vectors
    labels: sparse.csr_array
    weights: Singles
    total: Singles

    def score(self, greedy: GreedyDecoder, depth: int, strength: float, floor: float) -> ScoredCandidates:
        """Their candidates when greedy decoding goes down to this floor."""
        best = Candidates.build(greedy.scores(self.vectors, strength, floor), self.labels.shape[1], depth)
        return ScoredCandidates(best.scores, best.hits(self.labels), self.total, self.weights[best.words])


def decide_threshold(greedy: GreedyDecoder, held_out: HeldOut, depth: int) -> Decision:
    """The strength and the threshold with the best mean F1, calibrated on the words that would be ranked."""
    decision = decide({strength: held_out.score(greedy, depth, strength, -np.inf) for strength in STRENGTHS})
    ranked = held_out.score(greedy, depth, decision.strength, decision.threshold)
    return replace(decision, probability=ranked.calibration())
