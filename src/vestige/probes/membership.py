"""The probe `membership`: can an adversary who sees only the scores of a search infer whether a text is stored?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from vestige.attacks.membership.index import IndexMembership
from vestige.case.case import Auxiliary, Case, Knowledge, Missing, Truth
from vestige.case.findings import Adversary, Finding, Measure, Roc
from vestige.case.level import describe_no_gain, find_control_doubts, gain_over, grade_leakage
from vestige.case.prepare import CasePlan
from vestige.case.settings import MOST_QUERIED, OWN_TEXTS, Settings
from vestige.encoders.memoized import Memoized
from vestige.encoders.metered import Metered
from vestige.metrics.intervals import FEWEST_DOCUMENTS
from vestige.metrics.membership.summary import Membership
from vestige.probes.membership_evidence import by_kind, by_variant
from vestige.probes.membership_split import (
    EXACT,
    MembershipMaterial,
    MembershipSplit,
    StoreAnswers,
    draw_own_texts,
    order_own_rows,
    perturb,
    query_store,
)
from vestige.probes.probe import Effort, Fitted, Probe, ProbeScore, Run, Setup, Standards, number_texts
from vestige.stores.memory_index import MemoryIndex
from vestige.text.perturbed import PERTURBATIONS
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Encoder, Progress, Score, Vectors

ATTACK = "index membership: the best score of a search compared with the others"
REMEDY = "name the encoder with --encoder, and allow queries"
LABELS = {
    "advantage": "Advantage: true positives minus false positives",
    "auc": "How often a text in the store scores above one that is not (AUC)",
}
PRIORS = {"advantage": 0.0, "auc": 0.5}
CHANGED = "a word changed"
STORED_VECTORS = "the stored vectors of these texts, in place of new ones from the encoder"
WORDS = 4000
"""The frequent words of its own texts that an adversary may put in place of another."""


@dataclass(frozen=True)
class MembershipProbe(Probe):
    """Keeps half of the target documents in a store, and queries the store for texts of both halves.

    Knowing that a text is in the store reveals nothing else about its content: the level is slight at most.
    """

    measures: ClassVar[dict[str, str]] = LABELS
    standards: ClassVar[Standards] = Standards(("LLM08:2025",), ("AML.T0024.000",))
    rank: ClassVar[int] = 8
    needs_texts: ClassVar[bool] = False

    name: str
    question: str

    @classmethod
    def build_all(cls) -> tuple[Self, ...]:
        """The probes of this kind that an audit runs."""
        question = "Can a stranger who sees only the scores of a search infer whether a text is in your store?"
        return (cls("membership", question),)

    def estimate_queries(self, plan: CasePlan) -> Iterator[str]:
        """Members and others in every variant, near copies of both, and texts of the adversary's own."""
        targets = plan.targets.texts
        queried = min(2 * MOST_QUERIED, len(targets))
        near = min(2 * MOST_QUERIED, len(targets) - queried)
        yield from number_texts(targets, len(PERTURBATIONS) * queried + near, "in a store")
        yield from number_texts(plan.known.texts, min(OWN_TEXTS, len(plan.known)), "not in a store")

    def list_known_queries(self, plan: CasePlan) -> Sequence[str]:
        """Members and others in every variant."""
        seed, targets = plan.settings.seed, plan.targets
        split = MembershipSplit.draw(Truth(targets.texts, targets.documents), seed)
        pairs = plan.known if plan.closest_domain == "same-domain" or plan.foreign is None else plan.foreign
        own, _ = order_own_rows(len(pairs), seed)
        words = list_words([pairs.texts[row] for row in sorted(own)])
        variants = PERTURBATIONS.items()
        queried = (perturb(targets.texts, split.select(name), change, words, seed) for name, change in variants)
        return [text for texts in queried for text in texts]

    def open(self, case: Case, run: Run, effort: Effort = "full") -> Sequence[Setup] | Missing:  # noqa: ARG002
        """One setup, of texts word for word."""
        opened = self._open(case, run)
        if isinstance(opened, Missing):
            return opened
        if opened[0].looks_up_vectors:
            return Missing("without the encoder, defended vectors of new queries are unknown", REMEDY)
        return [MembershipSetup(*opened, run.settings)]

    def find(self, case: Case, run: Run) -> Finding | Missing:
        """Query the store, then compare with the truth."""
        opened = self._open(case, run)
        if isinstance(opened, Missing):
            return opened
        (material, split), seed, progress = opened, run.settings.seed, run.progress
        own, others = draw_own_texts(material.pairs, seed, len(split.stored))
        metered = Metered(material.encoder)
        encoder = Memoized(metered)
        attack = _fit(case.targets[split.stored], own, encoder, progress)
        control = _fit(others.vectors, own, encoder, progress)
        answers = _query_variants(attack, material, split, own, seed, progress)
        unheld = query_store(control, material.truth, split.plain, PERTURBATIONS[EXACT], (), seed, progress)
        return self._finding(material, split, answers, unheld, own, metered.spent)

    def _open(self, case: Case, run: Run) -> tuple[MembershipMaterial, MembershipSplit] | Missing:
        material = MembershipMaterial.collect(case)
        if isinstance(material, Missing):
            return material
        split = MembershipSplit.draw(material.truth, run.settings.seed)
        return _describe_too_few(split, material.truth) or (material, split)

    def _finding(
        self,
        material: MembershipMaterial,
        split: MembershipSplit,
        answers: dict[str, StoreAnswers],
        unheld: StoreAnswers,
        own: Auxiliary,
        queries: int,
    ) -> Finding:
        summaries = {variant: each.summarize(split) for variant, each in answers.items()}
        exact, control = summaries[EXACT], unheld.summarize(split)
        measures = tuple(_measure(name, exact, control) for name in LABELS)
        leakage = gain_over(measures[0].attack, 0.0)
        return Finding(
            probe=self.name,
            question=self.question,
            attack=ATTACK,
            headline="advantage",
            level="slight" if leakage.low > 0 else grade_leakage(leakage),
            summary=_summarize(answers, split, leakage),
            strip=None,
            leakage=leakage,
            measures=measures,
            charts=(by_variant(summaries), by_kind(answers, split, material.near, answers[EXACT].bound_epsilon(split))),
            examples=(),
            adversary=Adversary(
                (
                    f"the scores of the ten best hits of each search in a store of {len(split.stored):,} of the target "
                    "vectors; no text and no vector of it",
                    f"{len(split.plain):,} texts to look for in the store",
                    f"{len(own.texts):,} texts of its own that are not in it ({own.source}), to set a threshold",
                    *((STORED_VECTORS,) if material.looks_up_vectors else ()),
                ),
                0,
                queries,
            ),
            warnings=find_control_doubts(measures[0]),
            per_target=answers[EXACT].record_gains(split),
            roc=tuple(Roc(variant, each.roc) for variant, each in summaries.items()),
        )


class MembershipSetup(Setup):
    """Texts of both halves, word for word. The targets are the vectors in the store.

    The adversary embeds its texts with the encoder of its own knowledge: the defended one if it knows the defense.
    """

    name = "membership"
    measure = LABELS["advantage"]
    attack = ATTACK

    def __init__(self, material: MembershipMaterial, split: MembershipSplit, settings: Settings) -> None:
        self.material = material
        self.split = split
        self.seed = settings.seed

    def select_targets(self, case: Case) -> Vectors:
        """The vectors that the store keeps."""
        return case.targets[self.split.stored]

    def fit(self, knowledge: Knowledge, draws: int, progress: Progress) -> Fitted:
        """The threshold is set when the store is given, since the adversary queries the store for it."""
        pairs = knowledge.auxiliary
        known = pairs.take(range(len(pairs.texts) // draws))
        own, others = draw_own_texts(known, self.seed, len(self.split.stored))
        assert knowledge.encoder is not None
        encoder = Memoized(knowledge.encoder)
        return _StoreAttack(self, own, others, encoder, progress)

    def score(self, guesses: StoreAnswers) -> ProbeScore:
        """The advantage at the adversary's own threshold."""
        advantage = guesses.summarize(self.split).advantage
        return ProbeScore(advantage, Score(0.0, 0.0, 0.0, advantage.n, 0.0), gain_over(advantage, 0.0))

    def score_control(self, fitted: Fitted, targets: Vectors, guesses: Any) -> ProbeScore:  # noqa: ARG002
        """The same attack on a store that holds other texts."""
        assert isinstance(fitted, _StoreAttack)
        return self.score(fitted(fitted.others.vectors))


@dataclass(frozen=True)
class _StoreAttack:
    """Queries a store of the given vectors for the texts of a setup; `others` are texts that are in no store."""

    setup: MembershipSetup
    own: Auxiliary
    others: Auxiliary
    encoder: Encoder
    progress: Progress

    def __call__(self, vectors: Vectors) -> StoreAnswers:
        attack = _fit(vectors, self.own, self.encoder, self.progress)
        truth, split = self.setup.material.truth, self.setup.split
        return query_store(attack, truth, split.plain, PERTURBATIONS[EXACT], (), self.setup.seed, self.progress)


def _describe_too_few(split: MembershipSplit, truth: Truth) -> Missing | None:
    if all(split.enough(rows, truth) for rows in (split.members, split.others)):
        return None
    return Missing(
        f"half of the {len(set(truth.documents))} target documents, without near copies, are too few for an interval",
        f"give texts of {4 * FEWEST_DOCUMENTS} or more documents that are not copies of each other, or raise --targets",
    )


def _fit(stored: Vectors, own: Auxiliary, encoder: Encoder, progress: Progress) -> IndexMembership:
    return IndexMembership().fit(own.texts, index=MemoryIndex(stored), encoder=encoder, progress=progress)


def _query_variants(
    attack: IndexMembership,
    material: MembershipMaterial,
    split: MembershipSplit,
    own: Auxiliary,
    seed: int,
    progress: Progress,
) -> dict[str, StoreAnswers]:
    """Every variant in which the adversary may have the texts; near copies are queried word for word only."""
    words, truth = list_words(own.texts), material.truth
    return {
        variant: query_store(attack, truth, split.select(variant), change, words, seed, progress)
        for variant, change in material.variants.items()
    }


def list_words(own: Sequence[str]) -> tuple[str, ...]:
    """The frequent words of the adversary's own texts, which it may put in place of others."""
    return Vocabulary.build(map(content_words, own), WORDS).words


def _measure(name: str, exact: Membership, control: Membership) -> Measure:
    attack: Score = getattr(exact, name)
    prior = Score(PRIORS[name], PRIORS[name], PRIORS[name], attack.n, PRIORS[name])
    return Measure(name, LABELS[name], attack, prior, getattr(control, name))


def _summarize(answers: dict[str, StoreAnswers], split: MembershipSplit, leakage: Score) -> str:
    who = "A stranger who has a text and sees the scores of a search"
    if leakage.low <= 0:
        return describe_no_gain(who, leakage)
    shares = {variant: each.claimed_share(split.members).value for variant, each in answers.items()}
    changed = f", {shares[CHANGED]:.0%} with a word changed," if CHANGED in shares else ""
    alarm = answers[EXACT].claimed_share(split.others).value
    return (
        f"{who} infers whether it is in the store: {shares[EXACT]:.0%} of the texts in it are found{changed} "
        f"and {alarm:.0%} of others are claimed falsely."
    )
