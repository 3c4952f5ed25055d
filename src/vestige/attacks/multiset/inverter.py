"""Multi-set inversion: predict the words of a text one after another, each given the words already predicted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from scipy import sparse

from vestige.attacks.attack import AttackInfo
from vestige.attacks.checks import as_pairs, check_floor
from vestige.attacks.multiset.additive import AdditiveData, GreedyDecoder, choose_settings, fit_additive
from vestige.attacks.thresholding import Candidates, Decision, RankedWords, ScoredCandidates, decide
from vestige.attacks.training_set import TrainingSet
from vestige.attacks.word_vectors import WordVectors, match_words
from vestige.checks import as_vectors, check_choice
from vestige.errors import InputError, NotFitted
from vestige.text.split import sample_rows
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_form, words
from vestige.types import Progress, Singles, Vectors, WordGuesses, silent

if TYPE_CHECKING:
    from vestige.attacks.multiset.recurrent import RecurrentDecoder


STRENGTHS = (0.0, 0.4, 0.6, 0.75, 0.9, 1.1)
MOST_TEXTS = 300
FEWEST_TEXTS = 20
_STAGES = 4


class MultiSetInverter:
    """Predicts the set of content words of a text from its vector, word by word.

    The adversary sees: vectors of texts it knows (pairs, as many as it likes), and the target vectors; with
    `single_words` also the vectors of single words. Black box.
    Shapes: `fit` takes (n, d) vectors and n texts; `infer` takes (m, d) and returns m sets and m ranked lists.
    Papers: Song and Raghunathan, CCS 2020, Section 3.2, Equation 9, Algorithm 2; Corò, Padova 2022, Section 4.2.3.

    `recipe="default"` has no network: ridge regression of vectors on words gives what each word contributes to a
    vector, and greedy decoding subtracts what each predicted word explains. `recipe="song"` and `recipe="coro"` train
    the published LSTM with the full softmax; `epochs` shortens the training. Corò's stops where it predicts an end,
    which `end_token` adds to the words to be learned (his Appendix A.1); Song and Raghunathan have no end. What the
    latter leave open follows Corò: one matrix of words for input and output, a projection of the vector as first input,
    learned initial states, and as many steps for every text as the mean text has words of the vocabulary.

    `rare_words` above 0 gives rare words more weight: in the score by which the default chooses its threshold, in the
    loss of the LSTM.
    """

    info = AttackInfo(
        name="multiset",
        summary=(
            "infers content words one after another, each given those before (Song and Raghunathan 2020; Corò 2022)"
        ),
        output=WordGuesses,
        access=("pairs",),
        paper="Song and Raghunathan, CCS 2020, Section 3.2, Equation 9; Corò, Padova 2022, Section 4.2.3",
        recipes=("default", "song", "coro"),
        audited=True,
        description=(
            "multi-set inversion, word after word by what each contributes to a vector "
            "(after Song and Raghunathan 2020)"
        ),
    )

    def __init__(
        self,
        *,
        recipe: Literal["default", "song", "coro"] = "default",
        vocabulary_size: int = 8000,
        epochs: int | None = None,
        end_token: bool = False,
        rare_words: float = 0.0,
    ) -> None:
        self.recipe = recipe
        self.vocabulary_size = vocabulary_size
        self.epochs = epochs
        self.end_token = end_token
        self.rare_words = rare_words

    def fit(
        self,
        vectors: Vectors,
        texts: Sequence[str],
        *,
        rng: np.random.Generator,
        documents: Sequence[str] | None = None,
        single_words: WordVectors | None = None,
        further_texts: Sequence[str] = (),
        progress: Progress = silent,
    ) -> Self:
        """Learn from pairs: row i of `vectors` is the embedding of `texts[i]`.

        `documents` names the document of each text, so that the held-out tenth shares no document with the rest.
        `further_texts` are texts of the same kind without vectors: the default recipe looks for their words too, where
        it has `single_words`.
        `single_words`, a mapping or (words, matrix), holds vectors of words by themselves. The default starts the
        contributions from them, the LSTM uses them as its matrix of words. The encoder's own vectors of the single
        words work best, at one query per word.
        """
        self._check()
        vectors = as_pairs(vectors, texts, documents)
        learned = self.recipe == "default" and single_words is not None
        pairs = TrainingSet.build(
            vectors,
            texts,
            documents,
            vocabulary_size=self.vocabulary_size,
            rare_words=self.rare_words,
            rng=rng,
            further_texts=further_texts if learned else (),
        )
        self.vocabulary_, self.width_ = pairs.vocabulary, vectors.shape[1]
        if self.recipe == "default":
            self.decoder_: ClosedFormDecoder | RecurrentDecoder = fit_closed_form(pairs, single_words, rng, progress)
            return self
        from vestige.attacks.multiset.recurrent import RECIPES, train_recurrent

        self.decoder_ = train_recurrent(
            pairs,
            RECIPES[self.recipe],
            single_words=single_words,
            epochs=self.epochs,
            end_token=self.end_token,
            rng=rng,
            progress=progress,
        )
        return self

    def infer(self, vectors: Vectors, *, steps: int | None = None) -> WordGuesses:
        """Ranked words with their probabilities, calibrated in the default recipe, and the set of predicted words.

        `steps` is how many words the LSTM predicts for each target, for texts that are longer or shorter than those it
        was trained on (Corò 2022, Table 5.4). The default infers the size of a text from its vector and takes none.
        """
        if not hasattr(self, "decoder_"):
            raise NotFitted("MultiSetInverter.infer was called before fit; call fit(vectors, texts, rng=...) first")
        return self._rank(as_vectors(vectors, self.width_), steps).guesses(self.vocabulary_)

    def _rank(self, vectors: Vectors, steps: int | None) -> RankedWords:
        if steps is None:
            return self.decoder_.rank(vectors)
        if isinstance(self.decoder_, ClosedFormDecoder):
            raise InputError("The 'steps' parameter must be omitted with recipe 'default'.")
        check_floor("steps", steps, 1)
        return self.decoder_.rank(vectors, steps)

    def _check(self) -> None:
        check_choice("recipe", self.recipe, ("default", "song", "coro"))
        if self.recipe == "default" and (self.epochs is not None or self.end_token):
            raise InputError("The 'epochs' and 'end_token' parameters must be omitted with recipe 'default'.")
        for name, floor in {"epochs": 1, "vocabulary_size": 1, "rare_words": 0}.items():
            if getattr(self, name) is not None:
                check_floor(name, getattr(self, name), floor)


@dataclass(frozen=True)
class ClosedFormDecoder:
    """A fitted decoder; the first `vocabulary` columns may be predicted, `depth` of them are ranked."""

    greedy: GreedyDecoder
    decision: Decision
    vocabulary: int
    depth: int

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
    columns = WordColumns.build(pairs.texts, pairs.vocabulary).indicator(pairs.labels, pairs.texts)
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
    """

    vocabulary: Vocabulary
    fillers: Vocabulary

    @classmethod
    def build(cls, texts: Sequence[str], vocabulary: Vocabulary) -> "WordColumns":
        """Take the fillers that occur in at least `FEWEST_TEXTS` texts."""
        seen = Vocabulary.build(map(_fillers, texts), size=None)
        frequent = sum(count >= FEWEST_TEXTS for count in seen.counts)
        return cls(vocabulary, Vocabulary(seen.words[:frequent], seen.counts[:frequent]))

    def indicator(self, labels: sparse.csr_array, texts: Sequence[str]) -> sparse.csr_array:
        """A 0/1 matrix, texts by columns; `labels` is its part for the vocabulary."""
        return sparse.csr_array(sparse.hstack([labels, self.fillers.indicator([_fillers(text) for text in texts])]))


def _fillers(text: str) -> frozenset[str]:
    stops = {word for word in words(text) if content_form(word) is None}
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
