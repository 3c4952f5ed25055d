"""The probes of an audit, run by an engine; findings of an earlier run are read."""

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from vestige.case.cache import compute_digest, read_cached, write_cached
from vestige.case.case import Case
from vestige.case.checkpoints import NO_CHECKPOINTS, Checkpoints
from vestige.case.findings import Finding, NotApplicable
from vestige.case.inverter import identify_inverter
from vestige.engine.job import Engine, Job
from vestige.engine.local_engine import LOCAL
from vestige.engine.threads import count_cores
from vestige.errors import InputError, VestigeError
from vestige.probes.probe import Probe, Run
from vestige.text.patterns import load_pattern
from vestige.text.tagger import find_model
from vestige.types import Advance

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class PlannedProbe:
    """A probe that is yet to run, and a digest of all that its finding depends on."""

    probe: Probe
    digest: str

    @property
    def name(self) -> str:
        """The name of the probe, which is also the beginning of the name of its file."""
        return self.probe.name

    def locate(self, folder: Path) -> Path:
        """The file of its finding."""
        return folder / f"{self.name}-{self.digest}.json"


def plan_probes(probes: Sequence[Probe], case: Case, run: Run) -> list[PlannedProbe]:
    """Digest the code, the case and the settings; the choice of probes is not part of the digest."""
    settings = replace(run.settings, probes=())
    patterns = [load_pattern(pattern) for pattern in settings.patterns]
    shared = compute_digest(settings, case, patterns, find_model(), identify_inverter(settings))
    return [PlannedProbe(probe, compute_digest(probe, shared)) for probe in probes]


@dataclass(frozen=True, eq=False)
class ProbeWork:
    """Runs probes on one case; finished steps of a probe are stored in `folder`.

    A cluster sends the case and the settings to every worker. The worker must find the same code, models and word
    lists as this machine (`sent`).
    """

    case: Case
    run: Run
    folder: Path | None = None
    sent: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Without bars, stored steps, and what probes on this machine share."""
        return ProbeWork, (self.case, Run(self.run.settings, task=self.run.task), None, True)

    def prepare(self, advance: Advance) -> Callable[[PlannedProbe], Finding | NotApplicable]:
        """Nothing to prepare."""

        def run(planned: PlannedProbe) -> Finding | NotApplicable:
            if self.sent and plan_probes([planned.probe], self.case, self.run)[0].digest != planned.digest:
                raise InputError(
                    f"the probe '{planned.name}' would find something else on a machine of the cluster, which has "
                    "another version, encoder, tagger or list of words; install the same on all"
                )
            outcome = planned.probe.run(self.case, replace(self.run, checkpoints=self._open_steps(planned)))
            advance(1)
            return outcome

        return run

    def _open_steps(self, planned: PlannedProbe) -> Checkpoints:
        return NO_CHECKPOINTS if self.folder is None else open_steps(planned.locate(self.folder))


def open_steps(finding: Path) -> Checkpoints:
    """The finished steps of the probe with this finding."""
    return Checkpoints(finding.parent / "steps" / finding.stem)


def run_probes(
    probes: Sequence[Probe],
    case: Case,
    run: Run,
    folder: Path | None = None,
    *,
    engine: Engine = LOCAL,
    announce: Callable[[Probe], None] = lambda _probe: None,
) -> Iterator[Finding | NotApplicable]:
    """The outcomes in the order of the probes. A finding that is in `folder` is read; others are written there.

    `announce` is called when a probe starts. Findings that show text are not stored: the owner asked to see the text
    once, not to store it.
    """
    planned = plan_probes(probes, case, run)
    known = [None if folder is None else _read(each, folder) for each in planned]
    missing = [place for place, finding in enumerate(known) if finding is None]
    outcomes: dict[int, Finding | NotApplicable] = {place: each for place, each in enumerate(known) if each is not None}

    def draw() -> Iterator[PlannedProbe]:
        for place in missing:
            announce(probes[place])
            yield planned[place]

    fatal = (VestigeError, OSError)
    job = Job(ProbeWork(case, run, folder), "probe", attrgetter("name"), fatal=fatal, cores=count_cores())
    with closing(_run(engine, job, draw(), len(missing))) as ended:
        for place in range(len(probes)):
            while place not in outcomes:
                index, outcome = next(ended)
                if folder is not None:
                    _store(outcome, planned[missing[index]], folder, run)
                outcomes[missing[index]] = outcome
            yield outcomes.pop(place)


def _run(
    engine: Engine, job: Job[PlannedProbe, Finding | NotApplicable], items: Iterator[PlannedProbe], total: int
) -> Generator[tuple[int, Finding | NotApplicable]]:
    for outcome in engine.run(job, items, total, lambda _steps: None):
        yield outcome.index, outcome.result


def _read(planned: PlannedProbe, folder: Path) -> Finding | None:
    known = read_cached(Finding, planned.locate(folder))
    if known is not None:
        log.info("%s: finding read from %s", planned.name, planned.locate(folder))
    return known


def _store(outcome: Finding | NotApplicable, planned: PlannedProbe, folder: Path, run: Run) -> None:
    path = planned.locate(folder)
    if isinstance(outcome, Finding) and not run.settings.show_text:
        write_cached(outcome, path)
    open_steps(path).delete()
