"""Parts of pages on size and robustness, from records of benchmarks and of the campaign.

<!-- measured: engine -->        rates and memory of `protect` and `check` on both engines (bench/engine.json)
<!-- measured: ratios -->        what Ray costs, and what a second worker gains (the same record)
<!-- measured: workers -->       what a second worker gains with fewer rows (engine_scaling.json)
<!-- measured: losses -->        where the rest of its time goes (the same record)
<!-- measured: plan -->          what 10^8 and 10^9 vectors take on 32 and 320 cores, from these rates
<!-- measured: simulation -->    slow and failing machines (engine_simulation.json)
<!-- measured: soak -->          kills of workers and drivers (engine_soak.json)
<!-- measured: memory -->        peak memory on one machine (memory.json, memory_large.json)
<!-- measured: campaign -->      what the campaign tried and survived (results/campaign)
<!-- measured: versions -->      the quick tests with the lowest and the newest dependencies (results/versions)
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

NOT_RECORDED = "Not recorded yet.\n"
WIDTH, NUMBER_BYTES = 768, 4
LARGE = ("torch", "transformers", "sentence-transformers", "numpy", "scipy", "scikit-learn", "pyarrow", "typer")
"""Packages whose versions are shown."""

ROWS, CORES = (10**8, 10**9), (32, 320)

RATE = re.compile(
    r"(?P<command>\w+) on (?P<engine>\w+), (?P<workers>\d+) workers?: (?P<seconds>[\d.]+) s, (?P<rate>[\d,]+) rows per "
    r"second, peak memory (?P<driver>[\d,]+) MiB(?:, largest worker (?P<worker>[\d,]+) MiB)?"
)
SPENT = re.compile(
    r"(?P<run>.+): (?P<spent>[\d.]+) s of processor time, (?:(?P<services>[\d.]+) s of Ray's own processes, )?"
    r"and [\d.]+ s of the threads of the kernel"
)
CEILING = re.compile(r"(?P<command>\w+), two commands that share nothing, each with [^:]+: (?P<seconds>[\d.]+) s.*")
START = re.compile(
    r"(?P<run>\w+ on \w+)(?:, (?P<workers>\d+) workers?, to start and end with [\d,]+ rows|, [\d,]+ rows in a single "
    r"file): (?P<seconds>[\d.]+) s(?:, (?P<spent>[\d.]+) s of processor time, (?P<services>[\d.]+) s of Ray's own "
    r"processes)?"
)
"""Old records have one start for each engine."""
HEAD = re.compile(r"(?P<rows>[\d,]+) rows of (?P<columns>\d+) columns in (?P<files>\d+) parquet files")
SIMULATED = re.compile(
    r"(?P<workers>\d+) workers, (?P<case>.+): (?P<without>[\d.]+) without repeats, (?P<repeated>[\d.]+) with; "
    r"(?P<deaths>[\d,]+) deaths, (?P<again>[\d,]+) parts started again, (?P<failed>.+)"
)
PEAK = re.compile(r"vestige (?P<command>.+): peak memory (?P<peak>[\d,]+) MiB, \d+ s")
ENCODED = re.compile(r"encoding ([\d,]+) sentences with MiniLM in fp32: .*?; ([\d.]+) s against")


@dataclass(frozen=True)
class Rate:
    """What one run of the benchmark of the engines measured."""

    command: str
    engine: str
    workers: int
    seconds: float
    rows_per_second: float
    driver: str
    worker: str

    @property
    def run(self) -> str:
        """How the lines of a record name the run."""
        return f"{self.command} on {self.engine}, {self.workers} worker{'s' * (self.workers > 1)}"


def read_lines(name: str, folder: Path) -> list[str]:
    """What a benchmark printed; nothing if there is no record."""
    path = folder / "bench" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))["lines"] if path.is_file() else []


def read_rates(folder: Path) -> list[Rate]:
    """The runs of the benchmark of the engines."""
    return parse_rates(read_lines("engine", folder))


def parse_rates(lines: list[str]) -> list[Rate]:
    """The runs among the lines of a record."""
    found = [match for line in lines if (match := RATE.fullmatch(line))]
    return [
        Rate(
            each["command"],
            each["engine"],
            int(each["workers"]),
            float(each["seconds"]),
            _number(each["rate"]),
            each["driver"],
            each["worker"] or "",
        )
        for each in found
    ]


def render_engine(folder: Path) -> str:
    """One row per run."""
    lines = read_lines("engine", folder)
    if not lines:
        return NOT_RECORDED
    spent = {match["run"]: match["spent"] for match in _match(SPENT, lines)}
    head = ["command", "engine", "workers", "seconds", "rows per second", "processor time, s", "command, MiB"]
    head += ["largest worker, MiB"]
    rows = [
        [
            *(f"`{each.command}`", each.engine, str(each.workers), f"{each.seconds:,.0f}"),
            *(f"{each.rows_per_second:,.0f}", spent.get(each.run, ""), each.driver, each.worker or "in the command"),
        ]
        for each in read_rates(folder)
    ]
    return f"{lines[0]}; peak memory of each process.\n\n{_table(head, rows)}"


def render_ratios(folder: Path) -> str:
    """The lines that compare runs."""
    shown = [pattern.fullmatch for pattern in (RATE, HEAD, SPENT)]
    lines = [line for line in read_lines("engine", folder) if not any(match(line) for match in shown)]
    return "".join(f"{fill(f'- {line}', 120, subsequent_indent='  ')}\n" for line in lines) or NOT_RECORDED


@dataclass(frozen=True)
class Gain:
    """One worker and two on the same rows, in seconds; `starts` are runs of hardly any rows with so many workers."""

    command: str
    engine: str
    times: tuple[float, float]
    starts: tuple[float, float] | None
    ceiling: float | None

    @property
    def run(self) -> str:
        """How the lines of a record begin."""
        return f"{self.command} on {self.engine}"

    @property
    def without_starts(self) -> str:
        """How much faster two workers are if start and end do not count."""
        if self.starts is None:
            return ""
        one, two = (time - start for time, start in zip(self.times, self.starts, strict=True))
        return f"{one / two:.2f}"

    @property
    def lost(self) -> float:
        """What two workers take beyond half of the time of one."""
        return self.times[1] - self.times[0] / 2

    @property
    def lost_in_starts(self) -> float | None:
        """What start and end with two workers take beyond half of those with one."""
        return None if self.starts is None else self.starts[1] - self.starts[0] / 2


def read_gains(lines: list[str]) -> list[Gain]:
    """The pairs of runs with one worker and with two."""
    runs = {(each.command, each.engine, each.workers): each.seconds for each in parse_rates(lines)}
    starts = {(match["run"], match["workers"]): float(match["seconds"]) for match in _match(START, lines)}
    ceilings = {match["command"]: float(match["seconds"]) for match in _match(CEILING, lines)}
    gains = []
    for command, engine, workers in runs:
        if workers == 2:
            found = [starts.get((f"{command} on {engine}", name)) for name in ("1", "2", None)]
            one, two = found[0] or found[2], found[1] or found[2]
            times = runs[command, engine, 1], runs[command, engine, 2]
            pair = (one, two) if one is not None and two is not None else None
            gains.append(Gain(command, engine, times, pair, ceilings.get(command)))
    return gains


def _match(pattern: re.Pattern[str], lines: list[str]) -> list[re.Match[str]]:
    return [match for line in lines if (match := pattern.fullmatch(line))]


def render_workers(folder: Path) -> str:
    """One row per command and engine: the gain of a second worker, with and without the start and the end of a run."""
    lines = read_lines("engine_scaling", folder)
    if not lines:
        return NOT_RECORDED
    spent = {match["run"]: match for match in _match(SPENT, lines)}
    head = ["command", "engine", "1 worker, s", "2 workers, s", "times as fast", "start and end, s", "without them"]
    head += ["processor time, s", "of Ray's own processes, s"]
    rows = []
    for gain in read_gains(lines):
        used = [spent.get(f"{gain.run}, {workers}") for workers in ("1 worker", "2 workers")]
        spendings = [_join(match[name] for match in used if match and match[name]) for name in ("spent", "services")]
        starts = _join(f"{each:.1f}" for each in dict.fromkeys(gain.starts or ()))
        times = *(f"{each:,.1f}" for each in gain.times), f"{gain.times[0] / gain.times[1]:.2f}", starts
        rows.append([f"`{gain.command}`", gain.engine, *times, gain.without_starts, *spendings])
    return f"{lines[0]}.\n\n{_table(head, rows)}{_show_cores(lines)}"


def render_losses(folder: Path) -> str:
    """What a second worker does not halve, and how much of that are start and end."""
    gains = [gain for gain in read_gains(read_lines("engine_scaling", folder)) if gain.lost_in_starts is not None]
    head = [
        "command",
        "engine",
        "more than half, s",
        "of these, start and end",
        "the rest",
        "two commands, more than half",
    ]
    rows = []
    for gain in gains:
        assert gain.lost_in_starts is not None
        apart = f"{gain.lost_in_starts:.1f}", f"{gain.lost - gain.lost_in_starts:.1f}"
        local = next((each.times[0] for each in gains if (each.command, each.engine) == (gain.command, "local")), None)
        ceiling = "" if gain.ceiling is None or local is None else f"{gain.ceiling - local / 2:.1f}"
        rows.append([f"`{gain.command}`", gain.engine, f"{gain.lost:.1f}", *apart, ceiling])
    return _table(head, rows) if rows else NOT_RECORDED


def _join(values: Iterable[str]) -> str:
    return " and ".join(values)


def _show_cores(lines: list[str]) -> str:
    return "".join(f"\n{line[0].upper()}{line[1:]}.\n" for line in lines if line.startswith("two processes do"))


def render_plan(folder: Path) -> str:
    """Core-seconds and time for more vectors, from the rate of one Ray worker per number."""
    rates = {each.command: each for each in read_rates(folder) if (each.engine, each.workers) == ("ray", 1)}
    head = HEAD.match((read_lines("engine", folder) or [""])[0])
    if not rates or head is None:
        return NOT_RECORDED
    columns = int(head["columns"])
    passes = {"protect": 2, "check": 1}
    stages = [(f"`{name}`", each.rows_per_second * columns / WIDTH, passes[name]) for name, each in rates.items()]
    encoding = _read_encoding(folder)
    stages += [("`encode`, MiniLM, a sentence each", encoding, 0)] if encoding else []
    rows = [cells for stage in stages for cells in _plan_stage(*stage)]
    head_row = ["stage", "rows x columns", "core-hours", "on 32 cores", "on 320 cores", "at 1 GB/s, on any cores"]
    return _table(head_row, rows)


def _plan_stage(name: str, rate: float, passes: int) -> Iterator[list[str]]:
    """A stage with so many rows per second of one core, which moves all vectors so many times."""
    for count in ROWS:
        seconds, moved = count / rate, passes * count * WIDTH * NUMBER_BYTES / 1e9
        yield [
            *(name, f"10^{len(str(count)) - 1} x {WIDTH if passes else 384}", f"{seconds / 3600:,.1f}"),
            *(f"{_duration(seconds / cores)}{_describe_rate(moved / seconds * cores)}" for cores in CORES),
            _duration(moved) if moved else "",
        ]


def _describe_rate(gigabytes: float) -> str:
    return f", {gigabytes:,.1f} GB/s" if gigabytes else ""


def _read_encoding(folder: Path) -> float | None:
    """Sentences per second of one core, from the benchmark of encoding, which uses two."""
    for line in read_lines("encode", folder):
        if match := ENCODED.search(line):
            cores = json.loads((folder / "bench" / "encode.json").read_text(encoding="utf-8"))["environment"]["cores"]
            return _number(match[1]) / float(match[2]) / float(cores)
    return None


def render_simulation(folder: Path) -> str:
    """One row per case and number of workers."""
    lines = read_lines("engine_simulation", folder)
    if not lines:
        return NOT_RECORDED
    found = [match for line in lines if (match := SIMULATED.fullmatch(line))]
    head = ["workers", "machines", "without repeats", "with repeats", "deaths", "parts started again", "failed"]
    names = ("workers", "case", "without", "repeated", "deaths", "again", "failed")
    return f"{lines[0]}.\n\n{_table(head, [[each[name] for name in names] for each in found])}"


def render_soak(folder: Path) -> str:
    """The sentence of the record."""
    lines = read_lines("engine_soak", folder)
    return "".join(f"{fill(f'{line}.', 120)}\n" for line in lines) or NOT_RECORDED


def render_memory(folder: Path) -> str:
    """The peaks of each command, for two sizes."""
    small, large = (
        {match["command"]: match["peak"] for line in read_lines(name, folder) if (match := PEAK.fullmatch(line))}
        for name in ("memory", "memory_large")
    )
    rows = [[f"`{_shorten(command)}`", peak, large.get(command, "")] for command, peak in small.items()]
    return _table(["command", "2 million rows", "20 million rows"], rows) if rows else NOT_RECORDED


def _shorten(command: str) -> str:
    """A command without the names of files."""
    return re.sub(r" (vectors\.npy|protected\.npy|--out \w+)", "", command)


def render_campaign(folder: Path) -> str:
    """Trials by kind over all records, and each fault by name."""
    tried, survived, formats, faults = Counter[str](), Counter[str](), set[str](), []
    for path in sorted((folder / "campaign").glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        for name, count in record["tried"].items():
            kind, _, form = name.partition(": ")
            tried[kind] += count
            survived[kind] += record["survived"][name]
            formats |= {form} if form else set()
        faults += [f"- {kind}, {name}: {fault}\n" for kind, name, fault in record["faults"]]
    named = {kind: f"{kind} of {len(formats)} formats" if kind == "mutations" else kind for kind in tried}
    rows = [[named[kind], f"{tried[kind]:,}", f"{survived[kind]:,}"] for kind in sorted(tried)]
    return _table(["kind", "tried", "survived"], rows) + ("\n" + "".join(faults) if faults else "")


def render_versions(folder: Path) -> str:
    """One column per environment: what became of the tests, versions, and lower bounds that could not be had."""
    paths = sorted((folder / "versions").glob("*.json"))
    records = {path.stem.replace("-", ", Python "): json.loads(path.read_text(encoding="utf-8")) for path in paths}
    if not records:
        return NOT_RECORDED
    each = list(records.values())
    counts = {name: [f"{record[name]:,}" for record in each] for name in ("passed", "skipped")}
    counts["failed"] = [f"{len(record['failed']):,}" for record in each]
    counts |= {name: [record["packages"].get(name, "") for record in each] for name in LARGE}
    table = _table(["", *records], [[name, *cells] for name, cells in counts.items()])
    lines = [f"{name}: the tests in {', '.join(record['tests'])}" for name, record in records.items()]
    lines += [f"{name}: {line}" for name, record in records.items() for line in record["missed"]]
    lines += [f"{name}: {test} failed" for name, record in records.items() for test in record["failed"]]
    return f"{table}\n" + "".join(f"- {line}\n" for line in lines)


def _table(head: list[str], rows: list[list[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, ["---"] * len(head), *rows])


def _number(written: str) -> float:
    return float(written.replace(",", ""))


def _duration(seconds: float) -> str:
    for unit, size in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}" if seconds >= 10 * size else f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} seconds"


RENDER: dict[str, Callable[[Path], str]] = {
    "engine": render_engine,
    "ratios": render_ratios,
    "workers": render_workers,
    "losses": render_losses,
    "plan": render_plan,
    "simulation": render_simulation,
    "soak": render_soak,
    "memory": render_memory,
    "campaign": render_campaign,
    "versions": render_versions,
}


def render_measured(name: str, results: Path) -> str:
    """A part by its name."""
    return RENDER[name](results)
