"""Sweep over defenses, choose the cheapest that holds the owner's limits, and fit that for use."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy.typing as npt

import vestige
from vestige.audit.attributes import attributes_of
from vestige.audit.case import Case, Missing
from vestige.audit.defend.choice import cheapest, headline, sentences, with_fates
from vestige.audit.defend.defended import smaller
from vestige.audit.defend.limits import DEFAULTS, Limit, check_measured, parse_limit
from vestige.audit.defend.owner import Owner, everything, own_half
from vestige.audit.defend.plan import Candidate, candidates
from vestige.audit.defend.questions import Asked, questions_of
from vestige.audit.defend.record import SCHEMA, UNDEFENDED, Attack, DefendResult
from vestige.audit.defend.remembered import Remembered
from vestige.audit.defend.stage import Stage
from vestige.audit.defend.sweep import Sweep, Swept
from vestige.audit.defend.utility import Use
from vestige.audit.inputs import Inputs, TextSource, check_asked, read_inputs
from vestige.audit.memory import digest_of
from vestige.audit.prepare import prepare
from vestige.audit.probes.keywords_asked import asked_of
from vestige.audit.settings import Settings
from vestige.defenses.defense import Defense
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.remembering import Remembering
from vestige.errors import InputError
from vestige.files import check_writable
from vestige.types import Encoder, Progress, silent

SMALL_PAIRS, SMALL_TARGETS = 3000, 500
DRAWS = 2
"""How often a stranger who may ask has each of its texts defended, where noise makes the answers differ."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """What the sweep found, and the chosen defense, fitted for use with secret chance; None where there is none."""

    result: DefendResult
    defense: Defense | None


@dataclass(frozen=True)
class Asking:
    """What an owner asks of a sweep."""

    limits: tuple[Limit, ...]
    defenses: str | None
    task: str | None
    draws: int
    halving: bool

    @property
    def cost(self) -> str:
        """The utility by which defenses are cheap or dear: the first with a limit, else the task, else search."""
        limited = [limit.measure for limit in self.limits if limit.above]
        return next(iter(limited), "recall@10" if self.task is None else "task")

    def question(self, asked: Asked) -> str:
        """The question that is drawn against the cost: the first with a limit, else words."""
        names = [each.name for each in asked.questions]
        limited = [name for limit in self.limits for name in names if limit.concerns(name)]
        return next(iter(limited), names[0])


def defend(
    vectors: str | Path | npt.ArrayLike | None = None,
    *,
    texts: TextSource | None = None,
    encoder: str | Encoder | None = None,
    limits: Sequence[str] = DEFAULTS,
    defenses: str | None = None,
    task: str | None = None,
    draws: int = DRAWS,
    halving: bool = True,
    settings: Settings | None = None,
    cache: str | Path | None = None,
    send: bool = False,
    progress: Progress = silent,
) -> Chosen:
    """Which defense costs least, among those that keep these vectors within the owner's limits?

    Inputs are those of an audit. `limits` are such as "words<0.10" and "recall@10>0.9"; `defenses` lists specs parted
    by commas, a family without a strength standing for several, and is every defense by default. `task` is a column of
    labels that the vectors should still tell. A stranger who may ask the encoder has each text defended `draws` times.
    Without `halving`, all are judged at full size.
    """
    asking = Asking(tuple(map(parse_limit, limits)), defenses, task, draws, halving)
    settings = settings or Settings()
    check_asked(settings)
    inputs = read_inputs(vectors, texts, encoder, None, settings)
    folder = None if cache is None else Path(cache)
    if folder is not None:
        check_writable(folder)
        inputs = inputs.remembering(folder / "vectors")
    listed = candidates(defenses, _columns(inputs))
    wanted = _with_task(inputs, settings, task)
    case = _asked_once(prepare(inputs, wanted, progress, send=send), inputs)
    return _swept(case, inputs, asking, listed, settings, folder, progress)


def _swept(
    case: Case,
    inputs: Inputs,
    asking: Asking,
    listed: Sequence[Candidate],
    settings: Settings,
    folder: Path | None,
    progress: Progress,
) -> Chosen:
    assert case.truth is not None
    keywords = asked_of(case.truth, case.knowledge("same-domain"), settings).keywords
    attributes = tuple(name for name in case.truth.attributes if name != asking.task)
    if asking.defenses is None:
        listed = [*listed, *(Candidate("leace", name) for name in attributes)]
    stages, asked = _stages(case, keywords, attributes, asking, settings, progress)
    owner = Owner(
        own_half(case.auxiliary["same-domain"], settings.seed), keywords, attributes, case.encoder, settings.seed
    )
    digest = digest_of(case, settings, asking.task, SMALL_PAIRS, SMALL_TARGETS)
    memory = None if folder is None else Remembered(folder / "trials" / digest)
    use = Use.of(case, asking.task, settings.seed)
    sweep = Sweep(
        owner, use, asking.limits, asking.question(asked), asking.cost, asking.draws, settings.seed, progress, memory
    )
    swept = sweep.run(listed, stages)
    result = _result(swept, case, asking, asked, stages, settings, [each.name for each in listed])
    return Chosen(result, _for_use(result.chosen, listed, replace(owner, pairs=everything(case, inputs))))


def _columns(inputs: Inputs) -> int:
    if inputs.vectors is not None:
        return int(inputs.vectors.shape[1])
    assert inputs.encoder is not None
    return inputs.encoder.dimension


def _with_task(inputs: Inputs, settings: Settings, task: str | None) -> Settings:
    """Settings under which the column of the task is read beside the attributes."""
    if inputs.texts is None:
        raise InputError("what a defense hides can be told only where the texts are known; give them with --texts")
    if task is None:
        return settings
    named = settings.attributes or tuple(attributes_of(inputs.texts, settings).columns)
    return replace(settings, attributes=tuple(dict.fromkeys((*named, task))))


def _asked_once(case: Case, inputs: Inputs) -> Case:
    """The case with an encoder that keeps what it was asked, since every defense stands before the same answers."""
    if "same-domain" not in case.auxiliary:
        missing = case.missing["same-domain"]
        raise InputError(f"{missing.reason}; {missing.remedy}")
    kept = inputs.encoder if isinstance(inputs.encoder, CachedEncoder) else None
    encoder = None if case.encoder is None else kept or Remembering(case.encoder)
    return replace(case, encoder=encoder)


def _stages(
    case: Case,
    keywords: tuple[str, ...],
    attributes: tuple[str, ...],
    asking: Asking,
    settings: Settings,
    progress: Progress,
) -> tuple[list[Stage], Asked]:
    """A small size where the case is large enough to have one, and the full size."""
    asked = questions_of(case, keywords, attributes, settings, thorough=True)
    kept = ("recall@10", "correlation", *(() if asking.task is None else ("task",)))
    check_measured(asking.limits, (*(each.name for each in asked.questions), *kept), asked.missing)
    small = smaller(case, pairs=SMALL_PAIRS, targets=SMALL_TARGETS)
    sizes = [(small, False), (case, True)]
    if not asking.halving or len(small.auxiliary["same-domain"].texts) == len(case.auxiliary["same-domain"].texts):
        sizes = sizes[1:]
    stages = []
    for number, (each, thorough) in enumerate(sizes, 1):
        questions = questions_of(each, keywords, attributes, settings, thorough=thorough).questions
        stages.append(Stage.opened(number, each, questions, progress))
    return stages, asked


def _result(
    swept: Swept,
    case: Case,
    asking: Asking,
    asked: Asked,
    stages: Sequence[Stage],
    settings: Settings,
    listed: Sequence[str],
) -> DefendResult:
    limits, cost, question = asking.limits, asking.cost, asking.question(asked)
    chosen = cheapest(swept.trials, limits, cost) if limits else None
    attacks = {
        (each.name, each.attack): Attack(each.name, each.measure, each.attack, stage.number)
        for stage in stages
        for each in stage.questions
    }
    return DefendResult(
        schema=SCHEMA,
        version=vestige.__version__,
        headline=headline(chosen, limits),
        sentences=sentences(swept.trials, chosen, limits),
        chosen=None if chosen is None or chosen.defense == UNDEFENDED else chosen.defense,
        limits=tuple(limit.expression for limit in limits),
        cost=cost,
        question=question,
        attacks=tuple(attacks.values()),
        rungs=swept.rungs,
        trials=with_fates(swept.trials, limits, chosen, question, cost),
        not_tried=swept.not_tried,
        not_asked=tuple(f"{name}: {why}" for name, why in asked.missing.items()),
        subject=case.subject,
        settings=settings,
        defenses=tuple(listed),
        task=asking.task,
        draws=asking.draws,
        halving=asking.halving,
    )


def _for_use(chosen: str | None, listed: Sequence[Candidate], owner: Owner) -> Defense | None:
    """The chosen defense, fitted on all of the owner's vectors with chance that nobody can repeat."""
    if chosen is None:
        return None
    fitted = owner.fitted(next(each for each in listed if each.name == chosen), None)
    if isinstance(fitted, Missing):
        raise InputError(f"{chosen} cannot be fitted for use: {fitted.reason}; {fitted.remedy}")
    return fitted
