"""The runs as a static site: pages and files that need no server, no script and no network."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from vestige.defend.record import DefendResult
from vestige.errors import InputError
from vestige.files import write_folder
from vestige.view import evidence_pages, run_pages, trend_pages
from vestige.view.downloads import build_download, list_files
from vestige.view.runs import RunSummary, open_run
from vestige.view.site import Site


def export_site(runs: Sequence[RunSummary], folder: Path) -> int:
    """Write the site into a new folder, whole or not at all; the number of pages."""
    if not runs:
        raise InputError("no result was found to export; name a folder with results of vestige audit or defend")
    contents = dict(render_site(runs))
    write_folder(folder, contents)
    return sum(name.endswith(".html") and "/" not in name for name in contents)


def render_site(runs: Sequence[RunSummary]) -> Iterator[tuple[str, bytes]]:
    """Every page and file by its path: runs, trend, each run with its evidence and defenses, and comparisons."""
    site = Site(static=True)
    yield site.link("runs"), run_pages.render_runs(site, runs, []).encode()
    yield site.link("trend"), trend_pages.render_trend(site, runs).encode()
    for run in runs:
        if run.error:
            continue
        yield site.link("run", run.id), run_pages.render_run(site, run).encode()
        if run.kind == "audit":
            yield site.link("run", run.id, "evidence"), evidence_pages.render_evidence(site, run).encode()
        for number in range(1, _count_trials(run) + 1):
            yield site.link("defense", run.id, number), run_pages.render_defense(site, run, number).encode()
        for name in list_files(run.kind):
            yield site.file(run.id, name), build_download(run, name)
    for base, new in list_neighbours(runs):
        yield site.link("compare", base.id, new.id), run_pages.render_compare(site, runs, base, new).encode()


def list_neighbours(runs: Sequence[RunSummary]) -> Iterator[tuple[RunSummary, RunSummary]]:
    """Each audit and the next one of the same data, which a static site compares."""
    for group in trend_pages.group_trends(runs):
        yield from pairwise(group.runs)


def _count_trials(run: RunSummary) -> int:
    result = open_run(run) if run.kind == "sweep" else None
    return len(result.trials) if isinstance(result, DefendResult) else 0
