"""Sweep over defenses, choose the cheapest that holds the owner's limits, and fit that for use."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy.typing as npt

from vestige.audit.looked_over import looked_over
from vestige.case.cache import digest_of
from vestige.case.case import Case, Missing
from vestige.case.inputs import Inputs, TextSource, check_asked, read_inputs
from vestige.case.prepare import prepare
from vestige.case.settings import Settings
from vestige.defend import DRAWS
from vestige.defend.asking import Asking
from vestige.defend.limits import DEFAULTS, parse_limit
from vestige.defend.owner import Owner, everything, own_half
from vestige.defend.plan import Candidate, candidates
from vestige.defend.prepared import asked_once, columns_of, with_task
from vestige.defend.questions import check_chosen
from vestige.defend.record import UNDEFENDED, DefendResult
from vestige.defend.remembered import Remembered
from vestige.defend.stages import stages_of
from vestige.defend.sweep import Sweep
from vestige.defend.told import result_of
from vestige.defend.utility import Use
from vestige.defenses.defense import Defense
from vestige.errors import InputError
from vestige.files import check_writable
from vestige.probes.keywords_asked import asked_of
from vestige.types import Encoder, Progress, silent


@dataclass(frozen=True, eq=False)
class Chosen:
    """What the sweep found, and the chosen defense, fitted for use with secret chance; None where there is none."""

    result: DefendResult
    defense: Defense | None


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
    check_chosen(settings.probes)
    inputs = read_inputs(vectors, texts, encoder, None, settings)
    folder = None if cache is None else Path(cache)
    if folder is not None:
        check_writable(folder)
        inputs = inputs.remembering(folder / "vectors")
    listed = candidates(defenses, columns_of(inputs))
    wanted = with_task(inputs, settings, task)
    case = asked_once(prepare(inputs, wanted, progress, send=send), inputs)
    looked_over(inputs, settings, send=send, progress=progress)
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
    keywords: tuple[str, ...] = ()
    if not settings.probes or "keywords" in settings.probes:
        keywords = asked_of(case.truth, case.knowledge("same-domain"), settings).keywords
    attributes = tuple(name for name in case.truth.attributes if name != asking.task)
    if asking.defenses is None:
        listed = [*listed, *(Candidate("leace", name) for name in attributes)]
    stages, asked = stages_of(case, keywords, attributes, asking, settings, progress)
    own = own_half(case.auxiliary["same-domain"], settings.seed)
    owner = Owner(own, own.texts, keywords, attributes, case.encoder, settings.seed)
    digest = digest_of(case, settings, asking.task, [len(stage.case.targets) for stage in stages])
    memory = None if folder is None else Remembered(folder / "trials" / digest)
    use = Use.of(case, asking.task, settings.seed)
    sweep = Sweep(
        owner, use, asking.limits, asking.question(asked), asking.cost, asking.draws, settings.seed, progress, memory
    )
    swept = sweep.run(listed, stages)
    result = result_of(swept, case, asking, asked, stages, settings, [each.name for each in listed])
    return Chosen(result, _for_use(result.chosen, listed, replace(owner, pairs=everything(case, inputs))))


def _for_use(chosen: str | None, listed: Sequence[Candidate], owner: Owner) -> Defense | None:
    """The chosen defense, fitted on all of the owner's vectors with chance that nobody can repeat."""
    if chosen in (None, UNDEFENDED):
        return None
    fitted = owner.fitted(next(each for each in listed if each.name == chosen), None)
    if isinstance(fitted, Missing):
        raise InputError(f"{chosen} cannot be fitted for use: {fitted.reason}; {fitted.remedy}")
    return fitted
