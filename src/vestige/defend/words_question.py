"""Can words be read out of defended vectors?"""

from collections.abc import Sequence

from vestige.attacks.claiming import set_aside
from vestige.attacks.fixed_words import FixedWords
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.case.case import Auxiliary, Case, Knowledge
from vestige.case.randomness import stream
from vestige.case.scorer import Scorer
from vestige.case.settings import Settings
from vestige.defend.question import Reader, Told
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.inversions import MOST_JUDGED
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Encoder, Floats, Progress, Vectors, WordGuesses


class WordsQuestion:
    """Reads words with the inverter that reads most, or, where not `thorough`, with one fitted in a second or two."""

    name = "words"
    measure = "Words recovered (F1)"
    tested: frozenset[str] = frozenset()

    def __init__(self, case: Case, settings: Settings, *, thorough: bool) -> None:
        assert case.truth is not None
        self.settings = settings
        self.thorough = thorough
        self._truth = [content_words(text) for text in case.truth.texts]
        self._scorer = Scorer(case.truth.documents, settings.seed)
        prior = FixedWords().fit(case.auxiliary["same-domain"].texts).infer(case.targets)
        self._prior = self._f1(prior.sets)

    @property
    def attack(self) -> str:
        """The published attacks that it goes back to."""
        quick = "multi-label inversion, a linear classifier a word in closed form"
        if not self.thorough:
            return f"{quick} (after Song and Raghunathan 2020, Eq. 8)"
        return (
            f"multi-set inversion, word after word, or {quick}, whichever reads more of texts that the stranger set "
            "aside (after Song and Raghunathan 2020)"
        )

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Reader:
        """Learn from all draws alike; where it is thorough, ask for each word by itself, and take the better attack."""
        pairs, size = knowledge.auxiliary, self.settings.vocabulary_size
        quick = MultiLabelInverter(vocabulary_size=size, epochs=0)
        if not self.thorough:
            return self._fitted(quick, pairs, progress)
        words = Vocabulary.build(map(content_words, pairs.texts), size).words
        alone = None if knowledge.encoder is None else _mean_answers(knowledge.encoder, words, draws, progress)
        slow = MultiSetInverter(vocabulary_size=size, word_vectors=None if alone is None else (words, alone))
        kept, held = set_aside(len(pairs.texts), pairs.documents, stream(self.settings.seed, "choice"))
        known, unseen = pairs.take(kept.tolist()), pairs.take(held.tolist()[:MOST_JUDGED])
        truth = [content_words(text) for text in unseen.texts]
        readers = [self._fitted(each, known, progress) for each in (slow, quick)]
        return max(readers, key=lambda read: word_recovery(read(unseen.vectors).sets, truth).f1.mean())

    def _fitted(self, attack: MultiLabelInverter | MultiSetInverter, pairs: Auxiliary, progress: Progress) -> Reader:
        rng = stream(self.settings.seed, "attack")
        return attack.fit(pairs.vectors, pairs.texts, rng=rng, documents=pairs.documents, progress=progress).infer

    def score(self, guesses: WordGuesses) -> Told:
        """F1, text by text."""
        found, baseline = self._f1(guesses.sets), float(self._prior.mean())
        return Told(
            self._scorer.score(found, baseline=baseline),
            self._scorer.score(self._prior, baseline=baseline),
            self._scorer.gain(found - self._prior),
        )

    def _f1(self, sets: Sequence[frozenset[str]]) -> Floats:
        return word_recovery(sets, self._truth).f1


def _mean_answers(encoder: Encoder, words: Sequence[str], draws: int, progress: Progress) -> Vectors:
    """What the encoder answers to each word, the mean of several draws where the noise differs."""
    answers = encoder.encode([*words] * draws, progress=progress)
    mean: Vectors = answers.reshape(draws, len(words), -1).mean(axis=0)
    return mean
