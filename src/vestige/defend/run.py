"""Sweep over defenses, choose the cheapest that meets the owner's limits, and fit that for use."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy.typing as npt

from vestige.case.attributes import find_attributes
from vestige.case.cache import compute_digest
from vestige.case.case import Case, Missing
from vestige.case.inputs import Inputs, TextSource, check_settings, read_inputs
from vestige.case.inverter import identify_inverter
from vestige.case.prepare import CasePlan, check_consent, plan_case
from vestige.case.settings import Settings
from vestige.defend import DRAWS
from vestige.defend.build_result import build_result
from vestige.defend.candidates import OF_KEYWORDS, Candidate, list_candidates
from vestige.defend.fitting import DefenseFitter, collect_all, draw_own_half
from vestige.defend.limits import list_default_limits, parse_limit
from vestige.defend.recommend import recommend
from vestige.defend.record import UNDEFENDED, DefendResult
from vestige.defend.request import SweepRequest
from vestige.defend.stages import Stages, build_stages
from vestige.defend.sweep import Sweep, TrialCache
from vestige.defend.thief import name_thief
from vestige.defend.utility import UtilityTask
from vestige.defenses.defense import Defense
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.endpoint.encoder import refuse_on_cluster
from vestige.encoders.memoized import Memoized
from vestige.engine.job import Engine
from vestige.engine.local_engine import LOCAL
from vestige.errors import InputError
from vestige.files import check_writable
from vestige.preflight.run import list_spot_check_texts, run_preflight
from vestige.probes.keywords_choice import choose_keywords
from vestige.probes.plan import choose_probes
from vestige.probes.probe import Run
from vestige.registry import nearest
from vestige.text.redaction import Redactor
from vestige.types import Encoder, Progress, silent


@dataclass(frozen=True, eq=False)
class ChosenDefense:
    """The result of a sweep, and the chosen defense, fitted for use with secret randomness; None if there is none.

    If redaction was chosen, `redactor` applies it to texts, and there is no defense of vectors.
    """

    result: DefendResult
    defense: Defense | None
    redactor: Redactor | None = None

    def _repr_html_(self) -> str:
        return self.result._repr_html_()


def defend(
    vectors: str | Path | npt.ArrayLike | None = None,
    *,
    texts: TextSource | None = None,
    encoder: str | Encoder | None = None,
    auxiliary: TextSource | None = None,
    trained_on: TextSource | None = None,
    limits: Sequence[str] | None = None,
    defenses: str | None = None,
    task: str | None = None,
    draws: int = DRAWS,
    halving: bool = True,
    thief: bool = False,
    settings: Settings | None = None,
    cache: str | Path | None = None,
    send: bool = False,
    engine: Engine = LOCAL,
    progress: Progress = silent,
) -> ChosenDefense:
    """Find the cheapest defense that keeps these vectors within the owner's limits.

    Inputs are those of an audit. `limits` are such as "words<0.10" and "recall@10>0.9", which are the default for
    words. `defenses` lists specs separated by commas; a family without a strength stands for several. It is every
    defense by default. `task` is a column of labels that the vectors must still predict. An adversary who may query the
    encoder has each text defended `draws` times. Without `halving`, all defenses are judged at full size. With `thief`,
    an adversary without pairs judges as well, which takes up to a minute per defense. The probes of `settings` judge
    the defenses: words, keywords and attributes by default. The `engine` runs one trial per item.
    """
    settings = settings or Settings()
    check_settings(settings)
    limits = list_default_limits(settings.probes) if limits is None else limits
    request = SweepRequest(tuple(map(parse_limit, limits)), defenses, task, draws, halving, settings.probes, thief)
    probes = choose_probes(request.probes)
    request.check_limits()
    inputs = read_inputs(vectors, texts, encoder, auxiliary, settings, trained_on=trained_on)
    refuse_on_cluster(inputs.encoder, engine)
    folder = None if cache is None else Path(cache)
    if folder is not None:
        check_writable(folder)
        inputs = inputs.cache_vectors(folder / "vectors")
    plan = plan_case(inputs, add_task(inputs, settings, task))
    assert isinstance(plan, CasePlan)
    queries = (text for probe in probes for text in probe.estimate_queries(plan))
    check_consent(plan, queries, list_spot_check_texts(inputs), send=send)
    candidates = list_candidates(defenses, _count_columns(inputs))
    _check_labels(candidates, inputs)
    run_preflight(inputs, settings, send=send, progress=progress)
    case = memoize_encoder(plan.build(progress), inputs)
    return _run_sweep(case, inputs, request, candidates, Run(settings, progress, task), folder, engine)


def _check_labels(candidates: Sequence[Candidate], inputs: Inputs) -> None:
    """Raise, before any work, if a defense is to hide a column that the texts do not have."""
    known = ["keywords", *(inputs.texts.attributes if inputs.texts is not None else ())]
    for candidate in candidates:
        if candidate.hides is not None and candidate.hides not in known:
            raise InputError(
                f"there is no column '{candidate.hides}' to hide (--defenses {candidate.name}); "
                f"{nearest(candidate.hides, known)}"
            )


def _count_columns(inputs: Inputs) -> int:
    """The columns of the vectors that are given, or that the encoder would make."""
    if inputs.vectors is not None:
        return int(inputs.vectors.shape[1])
    assert inputs.encoder is not None
    return inputs.encoder.dimension


def add_task(inputs: Inputs, settings: Settings, task: str | None) -> Settings:
    """Settings under which the column of the task is read in addition to the attributes."""
    if inputs.texts is None:
        raise InputError("to judge defenses, the texts behind the vectors are needed; give them with --texts")
    if task is None:
        return settings
    if task not in inputs.texts.attributes:
        raise InputError(f"there is no column '{task}' (--task); {nearest(task, inputs.texts.attributes)}")
    named = settings.attributes or tuple(find_attributes(inputs.texts, settings).columns)
    return replace(settings, attributes=tuple(dict.fromkeys((*named, task))))


def memoize_encoder(case: Case, inputs: Inputs) -> Case:
    """The case with an encoder that stores its vectors, since every defense is applied to the same ones."""
    if "same-domain" not in case.auxiliary:
        missing = case.missing["same-domain"]
        raise InputError(f"{missing.reason}; {missing.remedy}")
    cached = inputs.encoder if isinstance(inputs.encoder, CachedEncoder) else None
    encoder = None if case.encoder is None else cached or Memoized(case.encoder)
    return replace(case, encoder=encoder)


@dataclass(frozen=True, eq=False)
class PreparedSweep:
    """A sweep that is ready to run on a case: its stages, what defenses are fitted on, and the attributes to hide."""

    sweep: Sweep
    stages: Stages
    attributes: tuple[str, ...]


def prepare_sweep(
    case: Case, request: SweepRequest, run: Run, folder: Path | None = None, engine: Engine = LOCAL
) -> PreparedSweep:
    """Fit the naive adversaries, and draw what the owner fits defenses on."""
    assert case.truth is not None
    settings = run.settings
    stages = build_stages(case, request, run)
    keywords = _find_keywords(case, request, run)
    attributes = tuple(name for name in case.truth.attributes if name != request.task)
    own = draw_own_half(case.auxiliary["same-domain"], settings.seed)
    fitter = DefenseFitter(own, own.texts, keywords, attributes, case.encoder, settings.seed, case)
    sizes = [len(stage.case.targets) for stage in stages.stages]
    judges = (*request.probes, *(map(name_thief, request.probes) if request.thief else ()))
    digest = compute_digest(case, settings, identify_inverter(settings), judges, request.task, sizes)
    cache = None if folder is None else TrialCache(folder / "trials" / digest)
    utility = UtilityTask.build(case, request.task, settings.seed)
    probe = request.choose_probe(stages.names)
    sweep = Sweep(fitter, utility, request, probe, settings.seed, run.progress, cache, engine)
    return PreparedSweep(sweep, stages, attributes)


def _run_sweep(
    case: Case,
    inputs: Inputs,
    request: SweepRequest,
    candidates: Sequence[Candidate],
    run: Run,
    folder: Path | None,
    engine: Engine,
) -> ChosenDefense:
    prepared = prepare_sweep(case, request, run, folder, engine)
    sweep, stages = prepared.sweep, prepared.stages
    if request.defenses is None:
        hiding = [Candidate("leace", name) for name in prepared.attributes]
        hiding += [Candidate(OF_KEYWORDS)] if sweep.fitter.keywords else []
        candidates = [*candidates, *hiding]
    outcome = sweep.run(candidates, stages.stages)
    result = build_result(outcome, case, request, stages, run.settings, [each.name for each in candidates])
    advice = recommend(result.trials, request.limits, request.cost, case.subject, run.settings)
    result = replace(result, recommendations=advice)
    fitter = replace(sweep.fitter, pairs=collect_all(case, inputs))
    chosen = next((each for each in candidates if each.name == result.chosen), None)
    if chosen is not None and chosen.redacts:
        words = run.settings.keywords or fitter.keywords  # Also those too rare to be judged.
        return ChosenDefense(result, None, chosen.build_redactor(words).draw_key())
    return ChosenDefense(result, _fit_for_use(result.chosen, candidates, fitter))


def _find_keywords(case: Case, request: SweepRequest, run: Run) -> tuple[str, ...]:
    """The keywords that defenses are fitted to hide: those that the probe `keywords` chose, if it was chosen."""
    if "keywords" not in request.probes:
        return ()
    key = ("keywords", "same-domain")
    if key not in run.shared:
        assert case.truth is not None
        run.shared[key] = choose_keywords(case.truth, case.knowledge("same-domain"), run.settings)
    keywords: tuple[str, ...] = run.shared[key].keywords
    return keywords


def _fit_for_use(chosen: str | None, candidates: Sequence[Candidate], fitter: DefenseFitter) -> Defense | None:
    """The chosen defense, fitted on all of the owner's vectors with randomness that nobody can repeat."""
    if chosen in (None, UNDEFENDED):
        return None
    fitted = fitter.fit(next(each for each in candidates if each.name == chosen), None)
    if isinstance(fitted, Missing):
        raise InputError(f"{chosen} cannot be fitted for use: {fitted.reason}; {fitted.remedy}")
    return fitted
