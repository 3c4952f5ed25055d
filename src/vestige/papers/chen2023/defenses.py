"""Figures 6.1 and 6.2 and Table A.1: what four defenses leave to SADE, and of topics."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import log10

from vestige.papers.chen2023.adversary import EVERY, FIVE, at_every, at_five
from vestige.papers.chen2023.defended import Owner, Shown, defended_lines
from vestige.papers.chen2023.defenses_differ import defenses_differ
from vestige.papers.chen2023.differs import differs
from vestige.papers.chen2023.models import SURROGATE, models, surrogate
from vestige.papers.chen2023.sizes import Sizes
from vestige.papers.chen2023.study import Study
from vestige.papers.chen2023.texts import read_documents
from vestige.papers.curves import Measured, curves_of
from vestige.papers.published import published
from vestige.papers.record import Findings, Plot
from vestige.papers.rows import Place
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim

DATASET = "20 News"
COLUMNS = (*FIVE, "topics")
EVERY_COLUMN = (*EVERY, "topics")
FAMILIES = {"Random projection": "projection", "PCA": "pca", "Autoencoder": "autoencoder"}


@dataclass(frozen=True)
class Trial:
    """A defense by its spec, none where that is empty, and where it stands on the x-axis."""

    spec: str
    at: float = 0


Trials = Callable[[str, Victim], Sequence[Trial]]
"""What is tried in a section, on an encoder."""


def figure61(run: Run[Sizes]) -> Findings:
    """Noise of less and less."""
    trials = [Trial(""), *(Trial(f"laplace:{value:g},estimate=mean", log10(value)) for value in run.sizes.epsilons)]
    return _tried(run, "figure6.1", "log10 of epsilon", at_five, lambda _section, _target: trials)


def figure62(run: Run[Sizes]) -> Findings:
    """From few dimensions to many."""

    def trials(section: str, target: Victim) -> list[Trial]:
        kept = [count for count in run.sizes.dimensions if count <= target.encoder.dimension]
        return [Trial(f"{FAMILIES[section]}:{count}", count) for count in kept]

    return _tried(run, "figure6.2", "dimensions", at_five, trials)


def table_a1(run: Run[Sizes]) -> Findings:
    """As many dimensions as before: what the transformation alone does."""

    def trials(section: str, target: Victim) -> list[Trial]:
        return [Trial(f"{FAMILIES[section]}:{target.encoder.dimension}" if section in FAMILIES else "")]

    return _tried(run, "tableA.1", "", at_every, trials)


def _tried(run: Run[Sizes], table: str, across: str, shown: Shown, trials: Trials) -> Findings:
    documents = read_documents(run, DATASET)
    study = Study(run, documents, surrogate(run, SURROGATE, documents.studied))
    texts = [*documents.encoded, documents.studied]
    target = models(run, [SURROGATE], texts, documents.studied)[SURROGATE]
    assert not isinstance(target, Absent)
    owner = Owner(run, documents, target)
    measured: list[Measured] = []
    for section, known in published("chen2023", table).items():
        listed = trials(section, target)
        advance = run.progress(f"{table}, {section}", len(listed))
        for trial in listed:
            model = target.model if not trial.spec else f"{target.model}, {trial.spec}"
            place = Place(table, section, model, known[target.model])
            lines = partial(defended_lines, owner, trial.spec, shown)
            measured.append(Measured(trial.at, section if trial.spec else "", study.row(place, target, lines)))
            advance(1)
    told = defenses_differ(run, documents) + differs(run, {DATASET: documents})
    return Findings(tuple(one.row for one in measured), told, tuple(_plots(across, measured)) if across else ())


def _plots(across: str, measured: Sequence[Measured]) -> Iterator[Plot]:
    """The rows without a defense have no place on the x-axis."""
    defended = [one for one in measured if one.heading]
    for column, name in enumerate(COLUMNS):
        yield Plot(f"{name} by {across}", across, name, curves_of(defended, column))
