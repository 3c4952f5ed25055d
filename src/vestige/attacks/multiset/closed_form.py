"""The default set decoder: an additive model in closed form, greedy decoding, decided on held-out documents."""

from dataclasses import dataclass

import numpy as np

from vestige.attacks.candidates import Candidates, Read
from vestige.attacks.claiming import Decision
from vestige.attacks.lesson import Lesson
from vestige.attacks.multiset.additive import Pairs, additive, best_shape
from vestige.attacks.multiset.decision import MOST_TEXTS, HeldOut, decide_greedily
from vestige.attacks.multiset.greedy import Greedy
from vestige.attacks.multiset.reading import Reading
from vestige.attacks.multiset.word_vectors import WordVectors, rows_of
from vestige.text.split import sample_rows
from vestige.types import Progress, Singles, Vectors

_STAGES = 4


@dataclass(frozen=True)
class ClosedForm:
    """A fitted decoder; `vocabulary` columns may be claimed, `depth` of them are shown."""

    greedy: Greedy
    decision: Decision
    vocabulary: int
    depth: int

    def read(self, vectors: Vectors) -> Read:
        """Greedy decoding down to the cut."""
        blocks = self.greedy.scores(vectors, self.decision.strength, self.decision.threshold)
        found = Candidates.of(blocks, self.vocabulary, self.depth)
        return Read(found.words, self.decision.probability(found.scores), found.scores > self.decision.threshold)


def closed_form(
    lesson: Lesson, word_vectors: WordVectors | None, rng: np.random.Generator, progress: Progress
) -> ClosedForm:
    """Choose the shape, fit, decide on a tenth of the documents, then fit again on all pairs.

    The last step costs nothing in honesty: strength, cut and calibration are those of texts left out of the fit.
    """
    advance = progress("fitting the attack", _STAGES)
    reading = Reading.of(lesson.texts, lesson.vocabulary)
    columns = reading.indicator(lesson.labels, lesson.texts)
    pairs = Pairs(lesson.vectors, columns, lesson.sizes, _prior(lesson, word_vectors, columns.shape[1]))
    shape = best_shape(pairs.take(lesson.kept), pairs.take(lesson.held), rng)
    advance(1)
    most = int(np.quantile(np.diff(columns.indptr), 0.95)) + 1
    learned = additive(pairs.take(lesson.kept), shape)
    greedy = Greedy(learned, most)
    advance(1)
    decision = decide_greedily(greedy, _held_out(lesson, rng), lesson.depth)
    advance(1)
    greedy = Greedy(additive(pairs, shape, learned.plain), most)
    advance(1)
    return ClosedForm(greedy, decision, len(lesson.vocabulary), lesson.depth)


def _held_out(lesson: Lesson, rng: np.random.Generator) -> HeldOut:
    rows = np.array(sample_rows(lesson.held.tolist(), MOST_TEXTS, rng))
    return HeldOut(lesson.vectors[rows], lesson.labels[rows], lesson.worth, lesson.counted(rows))


def _prior(lesson: Lesson, word_vectors: WordVectors | None, columns: int) -> Singles | None:
    """One row a column, zero for words without a vector and for fillers; a last coordinate says that there is one."""
    if word_vectors is None:
        return None
    places, table = rows_of(word_vectors, lesson.vocabulary.words)
    prior = np.zeros((columns, table.shape[1] + 1), np.float32)
    prior[places, :-1] = table
    prior[places, -1] = 1
    return prior
