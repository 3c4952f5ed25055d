"""Which of the attacks on words recovers most of the adversary's own held-out documents, in an audit and in a sweep."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from vestige.attacks.priors import FixedWords
from vestige.attacks.training_set import hold_out
from vestige.case.case import Auxiliary, Case, Domain, Knowledge
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.engine.threads import one_core_each, run_parallel
from vestige.metrics.word_recovery import word_recovery
from vestige.probes.inversions import (
    Holdings,
    Inversion,
    choose_settings,
    is_held,
    list_audited,
    list_with_queries,
    query_single_words,
)
from vestige.probes.probe import Effort, Run
from vestige.text.split import sample_rows
from vestige.text.words import content_words
from vestige.types import Floats, Guesser, Progress, silent

MOST_JUDGED = 500
MOST_COMPARED = 3000


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
    inversions, queries = list_with_queries(knowledge, settings, run.progress)
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
    inversions, _ = list_with_queries(knowledge, run.settings, run.progress)
    tournament = run_tournament(inversions, knowledge.auxiliary, run.settings, run.progress)
    run.shared["tournament", domain] = replace(tournament, fitted=None)
    return tournament


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


def fit_for_sweep(knowledge: Knowledge, settings: Settings, effort: Effort, draws: int, progress: Progress) -> Guesser:
    """The best of the attacks that fit fast enough to be fitted again for every defense.

    They are fitted on nine tenths of the adversary's documents, judged on the rest, and not fitted again. With the
    effort `screen`, only the one that fits in a second or two is fitted, on all pairs.
    """
    pairs, quick = knowledge.auxiliary, [kind for kind in list_audited() if kind.info.quick is not None]
    if effort == "screen":
        return _build_quick(quick[0], settings, Holdings()).fit(pairs, progress)
    words = None
    if knowledge.encoder is not None:
        words = query_single_words(knowledge.encoder, pairs.all_texts, settings, draws, progress)
    holdings = Holdings(None, words, knowledge.encoder)
    slow = [kind for kind in list_audited() if kind not in quick and is_held(kind.info, holdings)]
    kept, held = hold_out(len(pairs.texts), pairs.documents, stream(settings.seed, "choice"))
    known, unseen = pairs.take(kept.tolist()), pairs.take(held.tolist()[:MOST_JUDGED])
    truth = [content_words(text) for text in unseen.texts]
    fitted = [_build_quick(kind, settings, holdings).fit(known, progress) for kind in (*slow, *quick)]
    return max(fitted, key=lambda each: word_recovery(each.infer(unseen.vectors).sets, truth).f1.mean())


def describe_sweep_attacks(effort: Effort) -> str:
    """The attacks that `fit_for_sweep` chooses from, for the record of a sweep."""
    quick = [kind for kind in list_audited() if kind.info.quick is not None]
    if effort == "screen":
        return _describe_quick(quick[0])
    slow = [kind for kind in list_audited() if kind not in quick and "weights" not in kind.info.access]
    listed = "; or ".join(map(_describe_quick, (*slow, *quick)))
    return f"{listed}; whichever recovers more of texts that the adversary set aside"


def _build_quick(kind: type[Any], settings: Settings, holdings: Holdings) -> Inversion:
    chosen = {name: value for name, value in choose_settings(kind, settings).items() if name != "recipe"}
    return Inversion(kind, settings.seed, {**chosen, **(kind.info.quick or {})}, holdings)


def _describe_quick(kind: type[Any]) -> str:
    settings = ", ".join(f"{name}={value}" for name, value in (kind.info.quick or {}).items())
    return Inversion(kind, 0, {}).description + (f", with {settings}" if settings else "")
