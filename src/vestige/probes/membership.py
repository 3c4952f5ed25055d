"""The probe `membership`: can a stranger who sees nothing but scores tell whether a text is in the store?"""

from collections.abc import Mapping
from dataclasses import dataclass

from vestige.attacks.membership.index import IndexMembership
from vestige.case.case import Auxiliary, Case, Missing, Truth
from vestige.case.findings import Adversary, Finding, Measure, NotApplicable, Roc
from vestige.case.level import above, doubts_of_control, level_of, not_told_apart
from vestige.case.settings import Settings
from vestige.encoders.metered import Metered
from vestige.encoders.remembering import Remembering
from vestige.metrics.bootstrap import FEWEST_DOCUMENTS
from vestige.metrics.membership.figures import Membership
from vestige.probes.membership_answers import Answers, asked
from vestige.probes.membership_evidence import by_kind, by_variant
from vestige.probes.membership_ground import EXACT, Ground
from vestige.probes.membership_parties import Parties, own_texts
from vestige.stores.memory import MemoryIndex
from vestige.text.variants import VARIANTS, Change
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Encoder, Progress, Score, Vectors

LABELS = {
    "advantage": "Texts in the store that are found, less others that are taken for them",
    "auc": "How often a text in the store scores above one that is not",
}
PRIORS = {"advantage": 0.0, "auc": 0.5}
CHANGED = "a word changed"
AS_FOUND = "the vectors of these texts as they were found, in place of what the encoder would answer"
WORDS = 4000
"""So many frequent words of its own texts are what a stranger may put in place of another."""


@dataclass(frozen=True)
class MembershipProbe:
    """Keeps half of the target documents in a store, and asks the store for texts of either half.

    To know that a text is there is not to read it: the level is slight at most.
    """

    name: str
    question: str

    @property
    def measures(self) -> tuple[str, ...]:
        """The advantage at the stranger's own threshold, and the area under the curve."""
        return tuple(LABELS)

    def run(self, case: Case, settings: Settings, progress: Progress) -> Finding | NotApplicable:
        """Ask the store, then open the truth and score."""
        ground = Ground.of(case)
        if isinstance(ground, Missing):
            return self._not(ground)
        truth = ground.truth
        parties = Parties.of(truth, settings.seed)
        few = _too_few(parties, truth)
        if few is not None:
            return self._not(few)
        own, elsewhere = own_texts(ground.pairs, settings.seed, len(parties.kept))
        metered = Metered(ground.encoder)
        asking = Remembering(metered)
        attack = _fitted(case.targets[parties.kept], own, asking, progress)
        control = _fitted(elsewhere.vectors, own, asking, progress)
        answers = _answers(attack, truth, parties, own, settings.seed, ground.variants, progress)
        unheld = asked(control, truth, parties.plain, VARIANTS[EXACT], (), settings.seed, progress)
        return self._finding(ground, parties, answers, unheld, own, metered.spent)

    def _not(self, missing: Missing) -> NotApplicable:
        return NotApplicable(self.name, self.question, missing.reason, missing.remedy)

    def _finding(
        self,
        ground: Ground,
        parties: Parties,
        answers: dict[str, Answers],
        unheld: Answers,
        own: Auxiliary,
        queries: int,
    ) -> Finding:
        figures = {variant: each.figures(parties) for variant, each in answers.items()}
        exact, control = figures[EXACT], unheld.figures(parties)
        measures = tuple(_measure(name, exact, control) for name in LABELS)
        leakage = above(measures[0].attack, 0.0)
        return Finding(
            probe=self.name,
            question=self.question,
            attack="index membership: the best score of a search against the others",
            headline="advantage",
            level="slight" if leakage.low > 0 else level_of(leakage),
            summary=_summary(answers, parties, leakage),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(by_variant(figures), by_kind(answers, parties, ground.near, answers[EXACT].proved(parties))),
            examples=(),
            adversary=Adversary(
                (
                    f"the scores of the ten best hits of each search in a store of {len(parties.kept):,} of the target "
                    "vectors; no text and no vector of it",
                    f"{len(parties.plain):,} texts of which it asks whether they are there",
                    f"{len(own.texts):,} texts of its own that are not ({own.source}), to set a threshold by",
                    *((AS_FOUND,) if ground.as_found else ()),
                ),
                0,
                queries,
            ),
            warnings=doubts_of_control(measures[0]),
            roc=tuple(Roc(variant, each.roc) for variant, each in figures.items()),
        )


def _too_few(parties: Parties, truth: Truth) -> Missing | None:
    if all(parties.enough(rows, truth) for rows in (parties.members, parties.others)):
        return None
    return Missing(
        f"half of the {len(set(truth.documents))} target documents, near copies left out, are too few for an interval",
        f"give texts of {4 * FEWEST_DOCUMENTS} documents or more that are no copies of each other, or raise --targets",
    )


def _fitted(kept: Vectors, own: Auxiliary, encoder: Encoder, progress: Progress) -> IndexMembership:
    return IndexMembership().fit(own.texts, index=MemoryIndex(kept), encoder=encoder, progress=progress)


def _answers(
    attack: IndexMembership,
    truth: Truth,
    parties: Parties,
    own: Auxiliary,
    seed: int,
    variants: Mapping[str, Change],
    progress: Progress,
) -> dict[str, Answers]:
    """As the stranger may have the texts; near copies are asked for word for word alone."""
    words = Vocabulary.build(map(content_words, own.texts), WORDS).words
    return {
        variant: asked(attack, truth, parties.all if variant == EXACT else parties.plain, change, words, seed, progress)
        for variant, change in variants.items()
    }


def _measure(name: str, exact: Membership, control: Membership) -> Measure:
    attack: Score = getattr(exact, name)
    prior = Score(PRIORS[name], PRIORS[name], PRIORS[name], attack.n, PRIORS[name])
    return Measure(name, LABELS[name], attack, prior, getattr(control, name))


def _summary(answers: dict[str, Answers], parties: Parties, leakage: Score) -> str:
    who = "A stranger who has a text and sees the scores of a search"
    if leakage.low <= 0:
        return not_told_apart(who, leakage)
    found = {variant: each.said(parties.members).value for variant, each in answers.items()}
    changed = f", {found[CHANGED]:.0%} with a word changed," if CHANGED in found else ""
    alarm = answers[EXACT].said(parties.others).value
    return (
        f"{who} tells whether it is in the store: {found[EXACT]:.0%} of the texts in it are found{changed} "
        f"and {alarm:.0%} of others are taken for them."
    )
