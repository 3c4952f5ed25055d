"""Pages about runs: the list, one run, two runs compared, and one defense."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from vestige.audit.compare import compare
from vestige.audit.comparison import Comparison
from vestige.audit.result import AuditResult
from vestige.case.findings import Bar
from vestige.defend.candidates import explain, is_redaction
from vestige.defend.judge_record import JudgeResult
from vestige.defend.record import UNDEFENDED, DefendResult, DefenseTrial
from vestige.defend.sweep import find_frontier
from vestige.defenses.catalogue import find_info
from vestige.errors import InputError
from vestige.leaderboard.record import Leaderboard
from vestige.report.audit_page import render_audit_html
from vestige.report.compare_page import render_comparison_html
from vestige.report.formatting import format_score
from vestige.report.frontier_page import STATUSES, render_frontier_html
from vestige.report.judge_page import render_judge_html
from vestige.report.leaderboard_page import render_leaderboard_html
from vestige.view.downloads import list_files
from vestige.view.evidence_pages import list_bands, list_words
from vestige.view.live_records import DefenseChoice
from vestige.view.runs import RunSummary, open_run
from vestige.view.site import MissingPage, Site


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


def render_run(site: Site, run: RunSummary, *, explored: str = "") -> str:
    """The page of a result; `explored` is the digest of the vectors that the live page attacks."""
    result = open_run(run)
    frame = _frame_run(site, run)
    if isinstance(result, AuditResult):
        same = explored != "" and explored == result.subject.digest
        return render_audit_html(result, link_bar=_link_bars(site, run, result, same=same), same=same, **frame)
    if isinstance(result, DefendResult):
        return render_sweep(site, run, result)
    if isinstance(result, JudgeResult):
        return render_judge_html(result, **frame)
    if isinstance(result, Leaderboard):
        return render_leaderboard_html(result, **frame)
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


def _fits_alone(spec: str) -> bool:
    """Whether a defense is fitted on vectors alone; one that this installation does not have is not."""
    with suppress(InputError):
        return not is_redaction(spec) and find_info(spec).needs == "vectors"
    return False


def render_defense(site: Site, run: RunSummary, number: int) -> str:
    """One defense of a sweep: every figure, what it means, and how to use it."""
    result = open_run(run)
    if not isinstance(result, DefendResult) or not 1 <= number <= len(result.trials):
        raise MissingPage(number)
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
        fits_alone=usable and _fits_alone(trial.defense),
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


def list_frontier(result: DefendResult, *, figures: bool = True) -> list[DefenseChoice]:
    """The defenses on the frontier, or chosen, for the selector; with their leakage and utility if `figures`."""
    return [
        _describe_choice(trial, result)
        if figures
        else DefenseChoice(trial.defense, trial.defense, explain(trial.defense))
        for trial in result.trials
        if trial.defense != UNDEFENDED and (trial.frontier or trial.status in ("chosen", "holds"))
    ]


def _describe_choice(trial: DefenseTrial, result: DefendResult) -> DefenseChoice:
    leakage, utility, chosen = trial.leakage[result.probe], trial.scores[result.cost], trial.status == "chosen"
    figures = f"{result.probe} {leakage.value:.2f}, {result.cost} {utility.value:.2f}"
    label = f"{trial.defense} ({figures}{', chosen' if chosen else ''})"
    values = f"{result.probe} leakage {format_score(leakage)}, {result.cost} {format_score(utility)}"
    note = f"{explain(trial.defense)} In the sweep: {values}{'; it was chosen' if chosen else ''}.".strip()
    return DefenseChoice(trial.defense, label, note)


def _frame_run(site: Site, run: RunSummary) -> dict[str, Any]:
    """The frame of a report: links to its evidence and to its files come first."""
    return {**site.frame("runs"), "run": run, "files": list_files(run.kind), "actions": "run_actions.html.j2"}


def _render_choice(site: Site, audits: Sequence[RunSummary], error: str) -> str:
    return site.render(
        "compare_choice.html.j2", active="compare", title="Compare two audits", audits=audits, error=error
    )


def _link_bars(site: Site, run: RunSummary, result: AuditResult, *, same: bool) -> Callable[[Bar], str]:
    """The bar of a word, or of a band of words, leads to the stored texts where the live page attacks the same ones,
    else to what the record holds; other bars, such as those of attacks and classes, lead nowhere."""
    words, bands = {each.word for each in list_words(result)}, list_bands(result)

    def link(bar: Bar) -> str:
        if bar.label not in words | bands:
            return ""
        if same and not site.static:
            return site.link("explore", "bar", label=bar.label)
        anchor = f"#word-{quote(bar.label)}" if bar.label in words else "#bars"
        return site.link("run", run.id, "evidence") + anchor

    return link
