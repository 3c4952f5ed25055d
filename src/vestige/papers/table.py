"""A paper, and a table or figure of it. A table declares its rows; the loop over them is here, once for all."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from time import monotonic
from typing import Any, Generic, TypeVar

import vestige
from vestige.errors import InputError
from vestige.papers.published import Sections, list_models, published
from vestige.papers.record import SCHEMA, Plot, Reproduction, Row
from vestige.papers.row_work import Numbered, RowWork, measure_rows
from vestige.papers.rows import MeasuredRow, PlannedRow, RowSelection
from vestige.papers.run import PaperRun
from vestige.papers.sizes import override_sizes
from vestige.papers.victims import Needs, check_named
from vestige.registry import nearest

Sizes = TypeVar("Sizes")


@dataclass(frozen=True)
class Plan:
    """The rows of a table in the order in which they are measured, and the notes on how they differ from the paper.

    `plots` draws the finished rows; `summarize` derives notes from them. `sections` is the order of the sections in the
    table, where rows are measured in another one. `total` counts rows that are planned one by one.
    """

    rows: Iterable[PlannedRow]
    notes: Sequence[str]
    plots: Callable[[Sequence[MeasuredRow]], Iterable[Plot]] = lambda _measured: ()
    summarize: Callable[[Sequence[Row]], Iterable[str]] = lambda _rows: ()
    sections: Sequence[str] = ()
    total: int | None = None


@dataclass(frozen=True)
class Table(Generic[Sizes]):
    """One table or figure: its title, the heads of its columns, how its rows are planned, what encoders it needs.

    `plan` receives the run and the printed figures by section and model. It reads the texts and loads the encoders; it
    runs no attack. A table attacks the models for which the paper prints figures.
    """

    title: str
    columns: tuple[str, ...]
    plan: Callable[[PaperRun[Sizes], Sections], Plan]
    needs: Needs = "vectors"

    def measure(self, name: str, run: PaperRun[Sizes], plan: Plan, paper: str = "") -> list[MeasuredRow]:
        """The rows of the plan; rows that an earlier run finished are read from its cache.

        If the run names models or sections, only their rows are measured. A cluster needs the name of the `paper`, and
        all rows at once.
        """
        selection = RowSelection(run.models, run.sections)
        rows: Iterable[Numbered] = (row for row in enumerate(plan.rows) if selection.includes(row[1].place))
        total = plan.total
        if total is None or run.engine.is_cluster:
            rows = list(rows)
            selection.check(name)
            total = len(rows)
        advance = run.progress(f"{name}, rows", total)
        measured = list(measure_rows(RowWork(paper, name, run), rows, advance))
        selection.check(name)
        if plan.sections:
            measured.sort(key=lambda one: plan.sections.index(one.place.section))
        return measured


@dataclass(frozen=True)
class Paper(Generic[Sizes]):
    """A paper: the module of each table, its sizes by scale, and the models it attacks with their stand-ins.

    Each module is in the package of the paper and holds `TABLES`, its tables by name.
    """

    name: str
    citation: str
    tables: Mapping[str, str]
    scales: Mapping[str, Sizes]
    models: Mapping[str, str]

    def table(self, name: str) -> Table[Sizes]:
        """A table by name."""
        if name not in self.tables:
            raise InputError(f"unknown table '{name}' of {self.name}; {nearest(name, list(self.tables))}")
        module: Any = import_module(f"vestige.papers.{self.name}.{self.tables[name]}")
        found: Table[Sizes] = module.TABLES[name]
        return found

    def sizes(self, scale: str, changes: Iterable[str] = ()) -> Sizes:
        """The sizes of a scale, with changes of the form NAME=VALUE."""
        if scale not in self.scales:
            raise InputError(f"unknown scale '{scale}'; {nearest(scale, list(self.scales))}")
        return override_sizes(self.scales[scale], changes)

    def attacked(self, table: str) -> list[str]:
        """The models that a table attacks."""
        printed = list_models(published(self.name, table))
        return [model for model in self.models if model in printed]

    def named_encoders(self, table: str, given: Iterable[tuple[str, str]]) -> dict[str, str]:
        """The encoders that a user names for models of a table: one per model, upper and lower case alike."""
        known = {model.lower(): model for model in self.models}
        attacked = self.attacked(table)
        named: dict[str, str] = {}
        for name, spec in given:
            if name.lower() not in known:
                raise InputError(f"{self.name} attacks no model '{name}'; {nearest(name, known)}")
            model = known[name.lower()]
            if model not in attacked:
                raise InputError(f"{table} of {self.name} does not attack {model}; it attacks {', '.join(attacked)}")
            if model in named:
                raise InputError(f"{model} was named twice, '{named[model]}' and '{spec}'; name one encoder per model")
            named[model] = spec
        return named

    def reproduce(self, table: str, scale: str, run: PaperRun[Sizes]) -> Reproduction:
        """Measure a table and record the result together with the published figures."""
        chosen = self.table(table)
        started = monotonic()
        named = tuple(f"{model}={name}" for model, name in check_named(run, chosen.needs).items())
        plan = chosen.plan(run, published(self.name, table))
        measured = chosen.measure(table, run, plan, self.name)
        rows = tuple(one.row for one in measured)
        return Reproduction(
            schema=SCHEMA,
            version=vestige.__version__,
            paper=self.name,
            table=table,
            title=chosen.title,
            citation=self.citation,
            scale=scale,
            changes=run.changes,
            models=run.models,
            sections=run.sections,
            device=run.device,
            seed=run.seed,
            encoders=named,
            columns=chosen.columns,
            rows=rows,
            differs=(*plan.summarize(rows), *plan.notes),
            plots=tuple(plan.plots(measured)),
            minutes=round((monotonic() - started) / 60, 1),
        )
