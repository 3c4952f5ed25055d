"""What a paper and a table of it are, so that a new one is an entry and not a branch."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

import vestige
from vestige.errors import InputError
from vestige.papers.record import SCHEMA, Findings, Reproduction
from vestige.registry import nearest
from vestige.types import Progress, silent


@dataclass(frozen=True)
class Run:
    """What a reproduction is told: sizes of the paper's own kind, the seed, encoders named instead of the stand-ins.

    Vectors of transformers are kept in `cache`, where there is one, so that a stopped run goes on where it was.
    """

    sizes: Any
    seed: int = 0
    encoders: Mapping[str, str] = field(default_factory=dict)
    cache: Path | None = None
    progress: Progress = silent

    def watched(self, progress: Progress) -> "Run":
        """The same, with someone looking on."""
        return replace(self, progress=progress)


@dataclass(frozen=True)
class Table:
    """One table or figure: what it shows, the heads of its columns, and the function that runs it."""

    title: str
    columns: tuple[str, ...]
    run: Callable[[Run], Findings]


@dataclass(frozen=True)
class Paper:
    """A paper: its tables, its sizes by scale, and the models it attacks with what stands for each here."""

    name: str
    citation: str
    tables: Mapping[str, Table]
    scales: Mapping[str, Any]
    models: Mapping[str, str]

    def table(self, name: str) -> Table:
        """A table by name."""
        if name not in self.tables:
            raise InputError(f"unknown table '{name}' of {self.name}; {nearest(name, list(self.tables))}")
        return self.tables[name]

    def named_encoders(self, given: Mapping[str, str]) -> dict[str, str]:
        """Encoders that a user names for models of the paper, whatever the case of the name."""
        known = {model.lower(): model for model in self.models}
        for name in given:
            if name.lower() not in known:
                raise InputError(f"{self.name} attacks no model '{name}'; {nearest(name, known)}")
        return {known[name.lower()]: spec for name, spec in given.items()}

    def reproduce(self, table: str, scale: str, run: Run) -> Reproduction:
        """Run a table and set what it found beside what was published."""
        chosen = self.table(table)
        started = monotonic()
        found = chosen.run(run)
        named = tuple(f"{model}={_without_folder(spec)}" for model, spec in run.encoders.items())
        told = (f"Named for this run, and no stand-in: {', '.join(named)}.",) if named else ()
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
            differs=found.differs + told,
            plots=found.plots,
            minutes=round((monotonic() - started) / 60, 1),
        )


def _without_folder(spec: str) -> str:
    """The spec as a page may show it: a path tells more about its owner's machine than a reader needs."""
    family, colon, rest = spec.partition(":")
    return f"{family}{colon}{rest.rpartition('/')[2]}" if Path(rest.rpartition("@")[0] or rest).exists() else spec
