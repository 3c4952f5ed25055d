"""What a paper and a table of it are, so that a new one is an entry and not a branch."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

import vestige
from vestige.errors import InputError
from vestige.papers.published import published
from vestige.papers.record import SCHEMA, Findings, Reproduction
from vestige.papers.run import Run
from vestige.papers.victims import Needs, check_named
from vestige.registry import nearest

Sizes = TypeVar("Sizes")


@dataclass(frozen=True)
class Table(Generic[Sizes]):
    """One table or figure: what it shows, the heads of its columns, the function that runs it, what encoders it needs.

    It attacks the models for which the paper prints figures.
    """

    title: str
    columns: tuple[str, ...]
    run: Callable[[Run[Sizes]], Findings]
    needs: Needs = "vectors"


@dataclass(frozen=True)
class Paper(Generic[Sizes]):
    """A paper: its tables, its sizes by scale, and the models it attacks with what stands for each here."""

    name: str
    citation: str
    tables: Mapping[str, Table[Sizes]]
    scales: Mapping[str, Sizes]
    models: Mapping[str, str]

    def table(self, name: str) -> Table[Sizes]:
        """A table by name."""
        if name not in self.tables:
            raise InputError(f"unknown table '{name}' of {self.name}; {nearest(name, list(self.tables))}")
        return self.tables[name]

    def attacked(self, table: str) -> list[str]:
        """The models that a table attacks."""
        rows = {model.rstrip("*") for section in published(self.name, table).values() for model in section}
        return [model for model in self.models if model in rows]

    def named_encoders(self, table: str, given: Iterable[tuple[str, str]]) -> dict[str, str]:
        """Encoders that a user names for models of a table, whatever the case of the name, one a model."""
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
                raise InputError(f"{model} was named twice, '{named[model]}' and '{spec}'; name one encoder a model")
            named[model] = spec
        return named

    def reproduce(self, table: str, scale: str, run: Run[Sizes]) -> Reproduction:
        """Run a table and set what it found beside what was published."""
        chosen = self.table(table)
        started = monotonic()
        named = tuple(f"{model}={name}" for model, name in check_named(run, chosen.needs).items())
        found = chosen.run(run)
        return Reproduction(
            schema=SCHEMA,
            version=vestige.__version__,
            paper=self.name,
            table=table,
            title=chosen.title,
            citation=self.citation,
            scale=scale,
            seed=run.seed,
            encoders=named,
            columns=chosen.columns,
            rows=found.rows,
            differs=found.differs,
            plots=found.plots,
            minutes=round((monotonic() - started) / 60, 1),
        )
