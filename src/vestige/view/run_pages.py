"""Pages about runs: the list, the trend, one run with its evidence, two runs compared, and one defense."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vestige.audit.compare import compare
from vestige.audit.comparison import Comparison
from vestige.audit.result import AuditResult
from vestige.case.findings import Bar, Example, Finding
from vestige.defend.candidates import is_redaction
from vestige.defend.record import UNDEFENDED, DefendResult, DefenseTrial
from vestige.defend.sweep import find_frontier
from vestige.defenses.catalogue import find_info
from vestige.errors import InputError
from vestige.report import audit_wording
from vestige.report.audit_page import render_audit_html
from vestige.report.charts import DataPoint, LineChart, PlotArea, PlotAxis, Series, build_scale
from vestige.report.compare_page import render_comparison_html
from vestige.report.formatting import format_score
from vestige.report.frontier_page import STATUSES, render_frontier_html
from vestige.view.downloads import NAMES
from vestige.view.runs import RunSummary, open_run
from vestige.view.site import Site

COLOURS = 10
"""How many curves differ in colour and dashes."""

MOST_DATES = 5
"""Dates that fit below a trend."""

MOST_DOCUMENTS = 200
"""Documents that the page of a run lists, the most leaked first."""


@dataclass(frozen=True, slots=True)
class TrendGroup:
    """The audits of the same data and encoder, oldest first, and their leakages as a chart; None for a single audit."""

    audited: str
    runs: list[RunSummary]
    chart: LineChart | None


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """A word that a record names: the bars of that word, and the examples from which it was recovered."""

    word: str
    bars: list[tuple[str, str, Bar]]
    examples: list[tuple[str, Example]]


@dataclass(frozen=True, slots=True)
class DocumentEvidence:
    """A target document by its number: the gain over guessing of each of its targets, by probe."""

    number: int
    gains: dict[str, list[float]]

    @property
    def mean(self) -> float:
        """The mean gain over all of its targets, by which documents are ranked."""
        return sum(sum(gains) / len(gains) for gains in self.gains.values()) / len(self.gains)


def render_runs(site: Site, runs: Sequence[RunSummary], folders: Sequence[str]) -> str:
    """Every result, the newest first."""
    return site.render(
        "runs.html.j2",
        active="runs",
        title="Runs",
        runs=runs,
        folders=folders,
        audits=[run for run in runs if run.kind == "audit" and not run.error],
    )


def render_trend(site: Site, runs: Sequence[RunSummary]) -> str:
    """The leakage of audits of the same data, over time."""
    return site.render("trend.html.j2", active="trend", title="Trend", groups=group_trends(runs))


def render_run(site: Site, run: RunSummary, *, explored: str = "") -> str:
    """The page of a result; `explored` is the digest of the vectors that the live page attacks."""
    result = open_run(run)
    frame = _frame_run(site, run)
    if isinstance(result, AuditResult):
        same = explored != "" and explored == result.subject.digest
        return render_audit_html(result, link_bar=_link_bars(site, run, same=same), same=same, **frame)
    if isinstance(result, DefendResult):
        return render_sweep(site, run, result)
    return render_comparison_html(result, **frame)


def render_sweep(
    site: Site, run: RunSummary, result: DefendResult, probe: str | None = None, cost: str | None = None
) -> str:
    """A sweep of defenses, with the frontier of the probe and the measure of utility that were chosen."""
    shown = choose_axes(result, probe, cost)
    return render_frontier_html(
        shown,
        link_trial=lambda point: site.link("defense", run.id, point.number),
        axes=(list(shown.trials[0].leakage), [each.measure for each in shown.trials[0].utility]),
        **_frame_run(site, run),
    )


def choose_axes(result: DefendResult, probe: str | None, cost: str | None) -> DefendResult:
    """The same sweep, drawn for another probe or utility; the frontier is that of the chosen axes."""
    probe, cost = probe or result.probe, cost or result.cost
    if (probe, cost) == (result.probe, result.cost):
        return result
    first = result.trials[0]
    if probe not in first.leakage or cost not in {each.measure for each in first.utility}:
        raise InputError(f"this sweep has no '{probe}' or no '{cost}'; choose among those on the page")
    full = [trial for trial in result.trials if trial.status != "dropped"]
    best = find_frontier(full, probe, cost)
    trials = tuple(replace(trial, frontier=trial.defense in best) for trial in result.trials)
    return replace(result, probe=probe, cost=cost, trials=trials)


def render_defense(site: Site, run: RunSummary, number: int) -> str:
    """One defense of a sweep: every figure, what it means, and how to use it."""
    result = open_run(run)
    assert isinstance(result, DefendResult)
    if not 1 <= number <= len(result.trials):
        raise KeyError(number)
    trial = result.trials[number - 1]
    usable = trial.defense != UNDEFENDED
    return site.render(
        "defense.html.j2",
        active="runs",
        title=f"Defense {number}: {trial.defense if usable else 'none'}",
        run=run,
        result=result,
        trial=trial,
        undefended=result.trials[0],
        status=STATUSES[trial.status],
        usable=usable,
        fits_alone=usable and not is_redaction(trial.defense) and find_info(trial.defense).needs == "vectors",
    )


def render_evidence(site: Site, run: RunSummary) -> str:
    """What the record of an audit holds about words, examples and documents, and what it does not hold."""
    result = open_run(run)
    if not isinstance(result, AuditResult):
        raise KeyError(run.id)
    documents, apart = list_documents(result)
    return site.render(
        "evidence.html.j2",
        active="runs",
        title=f"Evidence: {run.name}",
        run=run,
        result=result,
        words=list_words(result),
        documents=documents[:MOST_DOCUMENTS],
        unlisted=max(len(documents) - MOST_DOCUMENTS, 0),
        apart=apart,
        wording=audit_wording,
    )


def render_compare(site: Site, runs: Sequence[RunSummary], base: RunSummary | None, new: RunSummary | None) -> str:
    """Two audits side by side; without two, the form that chooses them."""
    audits = [run for run in runs if run.kind == "audit" and not run.error]
    if base is None or new is None:
        return _render_choice(site, audits, "")
    try:
        result = compare_runs(base, new)
    except InputError as error:
        return _render_choice(site, audits, str(error))
    frame = {**site.frame("compare"), "actions": "compare_form.html.j2"}
    return render_comparison_html(result, audits=audits, base=base, new=new, error="", **frame)


def compare_runs(base: RunSummary, new: RunSummary) -> Comparison:
    """Compare two audits, also ones that were stopped."""
    return compare(base.path, new.path, names=(base.name, new.name), allow_incomplete=True)


def group_trends(runs: Sequence[RunSummary]) -> list[TrendGroup]:
    """Audits that have the same data and encoder, the group with the newest one first."""
    grouped: dict[str, list[RunSummary]] = {}
    for run in runs:
        if run.kind == "audit" and not run.error:
            grouped.setdefault(run.audited, []).append(run)
    styles = _assign_styles(runs)
    return [TrendGroup(audited, own[::-1], _draw_trend(own[::-1], styles)) for audited, own in grouped.items()]


def _assign_styles(runs: Sequence[RunSummary]) -> dict[str, int]:
    """A colour for every probe, the same in all charts of the page."""
    probes = dict.fromkeys(line.probe for run in runs for line in run.probes)
    return {probe: place % COLOURS + 1 for place, probe in enumerate(probes)}


def _draw_trend(runs: list[RunSummary], styles: dict[str, int]) -> LineChart | None:
    if len(runs) < 2:
        return None
    probes = list(dict.fromkeys(line.probe for run in runs for line in run.probes))
    series = [Series(probe, list(_list_points(runs, probe)), styles[probe]) for probe in probes]
    labels = tuple((float(place), runs[place].date[:10]) for place in _choose_dated(len(runs)))
    scale = build_scale(line.leakage for run in runs for line in run.probes)
    area = PlotArea(
        PlotAxis("runs, the oldest first", 0, len(runs) - 1, labels), PlotAxis.from_scale("leakage", scale), right=40
    )
    return LineChart(f"Leakage of {', '.join(probes)} over {len(runs)} runs", area, series)


def _choose_dated(runs: int) -> list[int]:
    """The runs whose date is written below the chart: the first, the last, and a few between them."""
    steps = min(runs, MOST_DATES) - 1
    return [round(step * (runs - 1) / steps) for step in range(steps + 1)]


def _list_points(runs: list[RunSummary], probe: str) -> Sequence[DataPoint]:
    points = []
    for place, run in enumerate(runs):
        line = next((each for each in run.probes if each.probe == probe), None)
        if line is not None:
            score = line.leakage
            title = f"{run.name}, {run.date}: {probe} {format_score(score)}"
            points.append(DataPoint(place, score.value, score.low, score.high, title))
    return points


def list_words(result: AuditResult) -> list[WordEvidence]:
    """Every word that the record names, in a bar or as recovered in an example."""
    found: dict[str, WordEvidence] = {}
    for finding in result.findings:
        shown = {token.text for each in finding.examples for token in each.tokens if token.state == "hit"}
        named = {bar.label for chart in finding.charts for bar in chart.bars if _is_word(bar.label)}
        for word in sorted({word for word in shown if word} | named):
            entry = found.setdefault(word, WordEvidence(word, [], []))
            drawn = [(chart.title, bar) for chart in finding.charts for bar in chart.bars]
            entry.bars.extend((finding.probe, title, bar) for title, bar in drawn if bar.label == word)
            entry.examples.extend((finding.probe, each) for each in finding.examples if _holds(each, word))
    return sorted(found.values(), key=lambda each: (not each.bars, each.word))


def list_documents(result: AuditResult) -> tuple[list[DocumentEvidence], list[Finding]]:
    """The target documents by number, and the findings that scored others, which cannot be matched with them.

    A record numbers the documents of each probe in the order of its targets. Probes share the numbers only if they
    scored the same targets, which their digests tell.
    """
    scored = [finding for finding in result.findings if finding.per_target is not None]
    if not scored:
        return [], []
    first = scored[0].per_target
    assert first is not None
    gains: dict[int, dict[str, list[float]]] = {}
    apart = []
    for finding in scored:
        own = finding.per_target
        assert own is not None
        if own.digest != first.digest:
            apart.append(finding)
            continue
        for number, gain in zip(own.documents, own.gains, strict=True):
            gains.setdefault(number, {}).setdefault(finding.probe, []).append(gain)
    documents = [DocumentEvidence(number, own) for number, own in gains.items()]
    return sorted(documents, key=lambda each: (-each.mean, each.number)), apart


def label_trial(trial: DefenseTrial, result: DefendResult) -> str:
    """A defense of a frontier in the selector: its leakage and its utility."""
    leakage, utility = trial.leakage[result.probe], trial.scores[result.cost]
    mark = ", chosen" if trial.status == "chosen" else ""
    return f"{trial.defense} ({result.probe} {leakage.value:.2f}, {result.cost} {utility.value:.2f}{mark})"


def list_frontier(result: DefendResult) -> list[tuple[str, str]]:
    """The defenses on the frontier, or chosen, by spec and label."""
    return [
        (trial.defense, label_trial(trial, result))
        for trial in result.trials
        if trial.defense != UNDEFENDED and (trial.frontier or trial.status in ("chosen", "holds"))
    ]


def _frame_run(site: Site, run: RunSummary) -> dict[str, Any]:
    """The frame of a report: links to its evidence and to its files come first."""
    return {**site.frame("runs"), "run": run, "files": NAMES[run.kind], "actions": "run_actions.html.j2"}


def _render_choice(site: Site, audits: Sequence[RunSummary], error: str) -> str:
    return site.render(
        "compare_choice.html.j2", active="compare", title="Compare two audits", audits=audits, error=error
    )


def _link_bars(site: Site, run: RunSummary, *, same: bool) -> Callable[[Bar], str]:
    """A bar leads to the stored texts where the live page attacks the same ones, else to what the record holds."""

    def link(bar: Bar) -> str:
        if same and not site.static:
            return site.link("explore", "bar", label=bar.label)
        anchor = f"#word-{bar.label}" if _is_word(bar.label) else "#bars"
        return site.link("run", run.id, "evidence") + anchor

    return link


def _is_word(label: str) -> bool:
    return " " not in label


def _holds(example: Example, word: str) -> bool:
    return any(token.state == "hit" and token.text == word for token in example.tokens)
