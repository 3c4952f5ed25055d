"""The stranger of the probe `budget`: what it has, and what it reads after so many queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vestige.attacks.rivals.rule_based import MeanImportance
from vestige.attacks.surrogate import SurrogateAttack
from vestige.case.case import Auxiliary, Case
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.known import KnownTexts
from vestige.encoders.metered import Metered
from vestige.encoders.remembering import Remembering
from vestige.probes.surrogates import surrogate
from vestige.text.importance.record import Weigher
from vestige.text.importance.tfidf import TfidfImportance
from vestige.text.importance.vocabulary import EmptyVocabulary, ImportantWords
from vestige.text.split import sample_rows
from vestige.types import Encoder, Progress, Vectors, WordGuesses

BUDGETS = (0, 10, 50, 200, 1000)
POOL = 1000


class Reading(NamedTuple):
    """What is guessed with the answers, without them, and with the answers of other texts."""

    attack: WordGuesses
    prior: WordGuesses
    control: WordGuesses

    def take(self, rows: Sequence[int]) -> "Reading":
        """The guesses for these targets."""
        return Reading(*(_take(each, rows) for each in self))


@dataclass(frozen=True)
class Stranger:
    """Texts of the same kind, and an encoder of its own.

    What it asks is among the `pool`, whose vectors are those of the case: nothing is asked twice or sent anew, and
    vectors whose encoder cannot be asked are attacked by so many known pairs.
    """

    pool: Auxiliary
    own: Encoder
    weigher: Weigher

    @classmethod
    def of(cls, case: Case, surrogates: Sequence[str], settings: Settings) -> "Stranger | None":
        """From the pairs of the case, one text of several that are the same; None where these share no word."""
        pairs = case.auxiliary["same-domain"]
        distinct = list({text: row for row, text in reversed(list(enumerate(pairs.texts)))}.values())
        pool = pairs.take(sample_rows(distinct, POOL, stream(settings.seed, "budget")))
        try:
            words = ImportantWords.of(pool.texts, any_kind=True)
        except EmptyVocabulary:
            return None
        own = Remembering(surrogate(surrogates, pool.texts, pool.vectors))
        return cls(pool, own, TfidfImportance(words, pool.texts))

    def readings(self, targets: Vectors, settings: Settings, progress: Progress) -> dict[int, Reading]:
        """One for each budget that the pool allows."""
        prior = MeanImportance().fit(self.weigher.weigh(self.pool.texts)).infer(targets)
        shuffled = stream(settings.seed, "control").permutation(self.pool.vectors)
        budgets = [budget for budget in BUDGETS if budget <= len(self.pool.texts)]
        advance = progress("asking more and more", len(budgets))
        found = {}
        for budget in budgets:
            attack, control = (
                self.read(targets, answers, budget, settings.seed) for answers in (self.pool.vectors, shuffled)
            )
            found[budget] = Reading(attack, prior, control)
            advance(1)
        return found

    def read(self, targets: Vectors, answers: Vectors, budget: int, seed: int) -> WordGuesses:
        """The words guessed for each target."""
        attack = SurrogateAttack(budget=budget).fit(
            targets,
            self.pool.texts,
            encoder=Metered(KnownTexts(self.pool.texts, answers), budget),
            surrogate=self.own,
            weigher=self.weigher,
            rng=stream(seed, "attack"),
        )
        return attack.infer(targets)


def _take(guesses: WordGuesses, rows: Sequence[int]) -> WordGuesses:
    return WordGuesses([guesses.sets[row] for row in rows], [guesses.ranked[row] for row in rows])
