"""Which attacks on words an adversary can run, and which of them recovers most. Candidates come from the registry."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from vestige.attacks.attack import ATTACKS, AttackInfo, find_recipe, list_recipes
from vestige.attacks.priors import FixedWords
from vestige.attacks.training_set import hold_out
from vestige.case.case import Auxiliary, Case, Domain, Knowledge, Missing
from vestige.case.randomness import stream
from vestige.case.settings import ANY_PROBE, Settings
from vestige.encoders.white_box import find_white_box
from vestige.engine.threads import one_core_each, run_parallel
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.probe import Effort, Run
from vestige.text.split import sample_rows
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Encoder, Floats, Guesser, Progress, TrainingLog, Vectors, WhiteBox, WordGuesses, silent

MOST_JUDGED = 500
MOST_COMPARED = 3000

CONTENT_WORDS = {"words": "content", "guess": "words"}
"""The settings under which a published attack infers what an audit scores: content words, not all words or pieces."""

SingleWords = tuple[tuple[str, ...], Vectors]
"""Words, and the vector that the encoder gives to each by itself."""


@dataclass(frozen=True)
class Holdings:
    """What an adversary holds besides pairs, by the name of the parameter of `fit` that takes it."""

    box: WhiteBox | None = None
    single_words: SingleWords | None = None
    encoder: Encoder | None = None

    def select(self, parameters: Sequence[str]) -> dict[str, Any]:
        """The holdings that `fit` has a parameter for."""
        held = {"box": self.box, "single_words": self.single_words, "encoder": self.encoder}
        return {name: value for name, value in held.items() if name in parameters and value is not None}


@dataclass(frozen=True)
class Inversion:
    """An attack on words that this adversary can run; `recipe` is its name if it is that of a paper."""

    kind: type[Any]
    seed: int
    settings: dict[str, Any]
    holdings: Holdings = field(default_factory=Holdings)
    recipe: str = ""

    @property
    def info(self) -> AttackInfo:
        """What the attack declares about itself."""
        info: AttackInfo = self.kind.info
        return info

    @property
    def description(self) -> str:
        """The attack and its publication, for a report."""
        described = (self.info.description or self.info.summary).format(recipe=self.settings.get("recipe", "default"))
        return f"{described}; recipe {self.recipe}, on content words" if self.recipe else described

    @property
    def held(self) -> dict[str, Any]:
        """What `fit` receives besides pairs."""
        return self.holdings.select(list(inspect.signature(self.kind.fit).parameters))

    @property
    def access(self) -> str:
        """What the adversary does besides learning from pairs, in a few words."""
        if "weights" in self.info.access:
            return " and holds the encoder's weights"
        return " and may query the encoder" if self.held else ""

    @property
    def requirement(self) -> str:
        """What the attack takes besides pairs, in a sentence of the report."""
        if "weights" in self.info.access:
            return "the weights of the encoder, of which its word vectors are used"
        words = self.held.get("single_words")
        if words is not None:
            return f"the encoder's vector of each of {len(words[0]):,} single words; no weights and no gradient"
        return "no weights of the encoder and no gradient"

    def fit(self, pairs: Auxiliary, progress: Progress) -> Guesser:
        """A fresh attack, fitted on pairs and on what else its `fit` has a parameter for."""
        offered = {
            "rng": stream(self.seed, "attack"),
            "documents": pairs.documents,
            "further_texts": pairs.further,
            "progress": progress,
        }
        parameters = inspect.signature(self.kind.fit).parameters
        takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
        taken = {name: value for name, value in offered.items() if takes_all or name in parameters}
        fitted: Guesser = self.kind(**self.settings).fit(pairs.vectors, pairs.texts, **taken, **self.held)
        return fitted


@dataclass(frozen=True)
class Tournament:
    """How attacks scored on held-out documents of the adversary's own, the best first.

    `f1` has one value per text for each attack; `prior` is that of guessing. `fitted` is the best as it was judged.
    """

    best: Inversion
    f1: dict[str, Floats]
    prior: Floats
    documents: list[str]
    fitted: Guesser | None = None


@dataclass(frozen=True)
class InversionChoice:
    """The attack that recovers most, and the tournament that it won, where there was a choice.

    `queries` counts the single words that were queried for it.
    """

    inversion: Inversion
    pairs: Auxiliary
    tournament: Tournament | None
    queries: int

    @cached_property
    def fitted(self) -> Guesser:
        """The attack, fitted on all pairs when it is first used."""
        with one_core_each():
            return self.inversion.fit(self.pairs, silent)


def choose_inversion(case: Case, domain: Domain, run: Run) -> InversionChoice:
    """The best that this adversary can do; chosen once per run, since more than one probe rests on it."""
    key = ("inversion", domain)
    if key not in run.shared:
        run.shared[key] = _choose(case.knowledge(domain), domain, run)
    choice: InversionChoice = run.shared[key]
    return choice


def _choose(knowledge: Knowledge, domain: Domain, run: Run) -> InversionChoice:
    pairs, settings = knowledge.auxiliary, run.settings
    inversions, queries = _list_all(knowledge, settings, run.progress)
    tournament: Tournament | None = run.shared.get(("tournament", domain))
    if tournament is None and len(inversions) > 1:
        compared = pairs.keep_vectors_of(draw_compared(len(pairs.texts), settings.seed))
        tournament = replace(run_tournament(inversions, compared, settings, run.progress), fitted=None)
    named = {inversion.info.name: inversion for inversion in inversions}
    best = inversions[0] if tournament is None else named[tournament.best.info.name]
    return InversionChoice(best, pairs, tournament if len(inversions) > 1 else None, queries)


def draw_compared(pairs: int, seed: int) -> list[int]:
    """The pairs that attacks are compared on: with more, a comparison would take longer than the attack itself."""
    return sample_rows(range(pairs), MOST_COMPARED, stream(seed, "compared"))


def compare_early(knowledge: Knowledge, domain: Domain, run: Run) -> Tournament:
    """The tournament on the pairs that `draw_compared` names, while only these have vectors; no probe repeats it."""
    inversions, _ = _list_all(knowledge, run.settings, run.progress)
    tournament = run_tournament(inversions, knowledge.auxiliary, run.settings, run.progress)
    run.shared["tournament", domain] = replace(tournament, fitted=None)
    return tournament


def list_word_recipes() -> tuple[str, ...]:
    """The published attacks on words that learn from pairs or weights."""
    return tuple(
        name
        for name, (kind, _) in list_recipes().items()
        if kind.info.output is WordGuesses and "vectors" not in kind.info.access
    )


def find_unheld(knowledge: Knowledge, settings: Settings) -> Missing | None:
    """Why the adversary cannot run the published attack that the settings name; None if it can."""
    if settings.recipe in ANY_PROBE or list_inversions(knowledge, settings, None):
        return None
    return Missing(
        f"the recipe '{settings.recipe}' needs the weights of the encoder, and the attacker does not have them",
        "name an encoder with public weights, with --encoder and --access weights",
    )


def warn_unconverged(fitted: object, guesses: object = None) -> tuple[str, ...]:
    """A warning if the training or the descent of an attack was cut off: its figures say nothing about the recipe."""
    found: list[TrainingLog | None] = [getattr(fitted, "log_", None), getattr(guesses, "log", None)]
    logs = [log for log in found if log is not None and not log.converged]
    return tuple(
        f"The attack was cut off after {log.steps:,} steps, before it converged ({log.rule}). Its figures are a lower "
        "bound, and do not judge the recipe."
        for log in logs
    )


def _list_all(knowledge: Knowledge, settings: Settings, progress: Progress) -> tuple[list[Inversion], int]:
    """The attacks that the adversary can run, and the single words that it queries for them."""
    words = None
    if knowledge.encoder is not None and settings.recipe_kind == "default":
        words = query_single_words(knowledge.encoder, knowledge.auxiliary.all_texts, settings, 1, progress)
    return list_inversions(knowledge, settings, words), 0 if words is None else len(words[0])


def query_single_words(
    encoder: Encoder, texts: Sequence[str], settings: Settings, draws: int, progress: Progress
) -> SingleWords:
    """The words that the adversary looks for, and the encoder's vector of each: the mean of `draws` draws of noise."""
    words = Vocabulary.build(map(content_words, texts), settings.vocabulary_size).words
    vectors = encoder.encode([*words] * draws, progress=lambda _, total: progress("encoding single words", total))
    return words, vectors if draws == 1 else vectors.reshape(draws, len(words), -1).mean(axis=0)


def list_inversions(knowledge: Knowledge, settings: Settings, words: SingleWords | None) -> list[Inversion]:
    """Every audited attack on words that this adversary can run; those with a published recipe where it is wanted."""
    box = None
    if knowledge.encoder is not None and settings.access == "weights" and settings.recipe != "paper":
        box = find_white_box(knowledge.encoder)
    holdings = Holdings(box, words, knowledge.encoder)
    if settings.recipe not in ANY_PROBE:
        return _build_published(settings, holdings)
    return [
        Inversion(kind, settings.seed, _choose_settings(kind, settings), holdings)
        for kind in _audited_kinds()
        if settings.recipe in kind.info.recipes and _is_held(kind.info, holdings)
    ]


def _build_published(settings: Settings, holdings: Holdings) -> list[Inversion]:
    """The attack of a paper, with its own settings, if the adversary holds what it requires."""
    kind, published = find_recipe(settings.recipe)
    parameters = inspect.signature(kind).parameters
    chosen = {**published, **{name: value for name, value in CONTENT_WORDS.items() if name in parameters}}
    held = _is_held(kind.info, holdings)
    return [Inversion(kind, settings.seed, chosen, holdings, settings.recipe)] if held else []


def fit_for_sweep(knowledge: Knowledge, settings: Settings, effort: Effort, draws: int, progress: Progress) -> Guesser:
    """The best of the attacks that fit fast enough to be fitted again for every defense.

    They are fitted on nine tenths of the adversary's documents, judged on the rest, and not fitted again. With the
    effort `screen`, only the one that fits in a second or two is fitted, on all pairs.
    """
    pairs, quick = knowledge.auxiliary, [kind for kind in _audited_kinds() if kind.info.quick is not None]
    if effort == "screen":
        return _build_quick(quick[0], settings, Holdings()).fit(pairs, progress)
    words = None
    if knowledge.encoder is not None:
        words = query_single_words(knowledge.encoder, pairs.all_texts, settings, draws, progress)
    holdings = Holdings(None, words, knowledge.encoder)
    slow = [kind for kind in _audited_kinds() if kind not in quick and _is_held(kind.info, holdings)]
    kept, held = hold_out(len(pairs.texts), pairs.documents, stream(settings.seed, "choice"))
    known, unseen = pairs.take(kept.tolist()), pairs.take(held.tolist()[:MOST_JUDGED])
    truth = [content_words(text) for text in unseen.texts]
    fitted = [_build_quick(kind, settings, holdings).fit(known, progress) for kind in (*slow, *quick)]
    return max(fitted, key=lambda each: word_recovery(each.infer(unseen.vectors).sets, truth).f1.mean())


def describe_sweep_attacks(effort: Effort) -> str:
    """The attacks that `fit_for_sweep` chooses from, for the record of a sweep."""
    quick = [kind for kind in _audited_kinds() if kind.info.quick is not None]
    if effort == "screen":
        return _describe_quick(quick[0])
    slow = [kind for kind in _audited_kinds() if kind not in quick and "weights" not in kind.info.access]
    listed = "; or ".join(map(_describe_quick, (*slow, *quick)))
    return f"{listed}; whichever recovers more of texts that the adversary set aside"


def run_tournament(inversions: list[Inversion], pairs: Auxiliary, settings: Settings, progress: Progress) -> Tournament:
    """Fit each attack on nine tenths of the adversary's documents and judge it on the rest.

    The adversary can do this, since it requires none of the owner's texts. So the choice does not bias the score.
    """
    rng = stream(settings.seed, "choice")
    kept, held = hold_out(len(pairs.texts), pairs.documents, rng)
    known, unseen = pairs.take(kept.tolist()), pairs.take(sample_rows(held.tolist(), MOST_JUDGED, rng))
    truth = [content_words(text) for text in unseen.texts]

    def judge(fitted: Guesser) -> Floats:
        return word_recovery(fitted.infer(unseen.vectors).sets, truth).f1

    fitted = run_parallel(
        lambda inversion: inversion.fit(known, silent), inversions, progress("choosing the attack", len(inversions))
    )
    judged = [(inversion, guesser, judge(guesser)) for inversion, guesser in zip(inversions, fitted, strict=True)]
    judged.sort(key=lambda each: -float(each[2].mean()))
    return Tournament(
        judged[0][0],
        {inversion.info.name: f1 for inversion, _, f1 in judged},
        judge(FixedWords().fit(known.texts)),
        unseen.documents,
        judged[0][1],
    )


def _audited_kinds() -> list[type[Any]]:
    """The classes of all attacks on words that audits consider, in order of their names."""
    kinds = [entry.load() for _, entry in ATTACKS]
    return [kind for kind in kinds if kind.info.audited and kind.info.output is WordGuesses]


def _is_held(info: AttackInfo, holdings: Holdings) -> bool:
    """Whether the adversary holds what the attack requires."""
    held = {"weights": holdings.box is not None, "queries": holdings.encoder is not None}
    return all(held.get(access, True) for access in info.access)


def _choose_settings(kind: type[Any], settings: Settings) -> dict[str, Any]:
    """The settings of the run that the attack's constructor has a parameter for."""
    known = inspect.signature(kind).parameters
    wanted = {"vocabulary_size": settings.vocabulary_size, "recipe": settings.recipe}
    return {name: value for name, value in wanted.items() if name in known}


def _build_quick(kind: type[Any], settings: Settings, holdings: Holdings) -> Inversion:
    chosen = {name: value for name, value in _choose_settings(kind, settings).items() if name != "recipe"}
    return Inversion(kind, settings.seed, {**chosen, **(kind.info.quick or {})}, holdings)


def _describe_quick(kind: type[Any]) -> str:
    settings = ", ".join(f"{name}={value}" for name, value in (kind.info.quick or {}).items())
    return Inversion(kind, 0, {}).description + (f", with {settings}" if settings else "")
