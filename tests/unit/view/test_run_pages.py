"""Pages about runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.sample_comparison import base_result
from tests.sample_frontier import crowded, hostile, swept
from tests.sample_result import HOSTILE, typical
from vestige.case.findings import Bar, Chart
from vestige.defend.candidates import explain
from vestige.errors import InputError
from vestige.probes.words_evidence import RELIABLE_WORDS
from vestige.report.write import write_frontier, write_report
from vestige.types import Score
from vestige.view import evidence_pages, run_pages, trend_pages
from vestige.view.live_records import DefenseChoice
from vestige.view.run_pages import choose_axes, list_frontier
from vestige.view.runs import RunIndex, RunSummary
from vestige.view.site import MissingPage, Site

SITE = Site()


def named(index, name):
    return next(run for run in index.list_runs() if run.name == name)


def test_the_list_has_verdict_probes_intervals_and_limits(index):
    page = run_pages.render_runs(SITE, index.list_runs(), ["runs"])
    assert "7 results in runs" in page
    for shown in ("severe", "0.457", "0.445 to 0.469", "✗ 1 failed", "nested/letters", "has schema None"):
        assert shown in page


def test_hostile_names_are_escaped(tmp_path):
    whole = typical()
    subject = replace(whole.subject, corpus=HOSTILE)
    write_report(replace(whole, subject=subject), tmp_path / "a")
    runs = RunIndex([tmp_path]).list_runs()
    pages = [run_pages.render_runs(SITE, runs, [HOSTILE]), trend_pages.render_trend(SITE, runs)]
    pages += [run_pages.render_run(SITE, runs[0]), evidence_pages.render_evidence(SITE, runs[0])]
    assert [HOSTILE in page for page in pages] == [False] * 4


def test_an_audit_is_its_report_with_links_to_evidence_and_files(index):
    run = named(index, "main")
    page = run_pages.render_run(SITE, run)
    assert "What was not measured" in page
    assert f'href="/run/{run.id}/evidence"' in page
    assert f'href="/files/{run.id}/report.sarif" download' in page
    assert f'href="/run/{run.id}/evidence#bars"' in page


def test_bars_lead_to_the_stored_vectors_if_these_are_attacked_live(index):
    run = named(index, "main")
    explored = base_result().subject.digest
    assert 'href="/explore/bar?label=rank+1+to+100"' in run_pages.render_run(SITE, run, explored=explored)
    assert "/explore/bar" not in run_pages.render_run(SITE, run, explored="other")


def test_points_of_a_frontier_lead_to_the_defense(index):
    run = named(index, "defend")
    page = run_pages.render_sweep(SITE, run, swept())
    assert page.count(f'href="/defense/{run.id}/3"') == 3, "two charts and one row"
    assert "report.sarif" not in page


def test_another_probe_has_its_own_frontier():
    shown = choose_axes(crowded(), "keywords", "correlation")
    assert (shown.probe, shown.cost) == ("keywords", "correlation")
    best = [trial for trial in shown.trials if trial.frontier]
    assert best
    assert all(trial.status != "dropped" for trial in best)
    assert choose_axes(crowded(), None, None) == crowded()
    with pytest.raises(InputError, match="this sweep has no 'names'"):
        choose_axes(crowded(), "names", None)


def test_a_defense_has_every_figure_and_can_be_tried(index):
    run = named(index, "defend")
    page = run_pages.render_defense(SITE, run, 3)
    for shown in ("gaussian:3000", "0.080", "0.050", "0.920", "chosen", "/live?defense=gaussian%3A3000", "0.610"):
        assert shown in page
    with pytest.raises(KeyError):
        run_pages.render_defense(SITE, run, 9)


def test_a_defense_says_what_it_hides_if_anything(index, tmp_path):
    write_frontier(hostile(), tmp_path)
    (run,) = RunIndex([tmp_path]).list_runs()
    page = run_pages.render_defense(SITE, run, 2)
    assert "<dt>Hides</dt>" in page
    assert HOSTILE not in page
    assert "<dt>Hides</dt>" not in run_pages.render_defense(SITE, named(index, "defend"), 3)


def test_a_defense_that_is_obscure_says_so(index):
    assert "only obscurity" in run_pages.render_defense(SITE, named(index, "defend"), 2)


def test_two_audits_are_compared(index):
    page = run_pages.render_compare(SITE, index.list_runs(), named(index, "main"), named(index, "branch"))
    assert "leaks more than" in page
    assert "Change of the leakage, probe by probe" in page
    assert 'name="base">' in page


def test_without_two_audits_there_is_a_form(index):
    page = run_pages.render_compare(SITE, index.list_runs(), None, None)
    assert 'name="base">' in page
    assert "broken" not in page


def test_a_comparison_that_is_impossible_gives_the_reason(index):
    run = named(index, "main")
    lost = replace(run, path=run.path.parent / "gone.json")
    page = run_pages.render_compare(SITE, index.list_runs(), run, lost)
    assert "gone.json cannot be read" in page


def test_the_selector_has_the_frontier_with_its_figures():
    (choice,) = list_frontier(swept())
    assert (choice.spec, choice.label) == ("gaussian:3000", "gaussian:3000 (words 0.08, recall@10 0.92, chosen)")
    explanation = explain("gaussian:3000")
    assert explanation.startswith("Normal noise")
    assert choice.note.startswith(
        f"{explanation} In the sweep: words leakage 0.080 (0.070 to 0.090), recall@10 0.920 ("
    )
    assert choice.note.endswith("); it was chosen.")
    assert list_frontier(swept(), figures=False) == [DefenseChoice("gaussian:3000", "gaussian:3000", explanation)]


def test_a_judgement_and_a_leaderboard_are_their_reports_in_the_frame(index):
    for name, shown, file in (
        ("judged", "The judged defense is known by its output only", "judge.md"),
        ("encoders", "Leakage by probe, and retrieval", "leaderboard.md"),
    ):
        run = named(index, name)
        page = run_pages.render_run(SITE, run)
        assert shown in page
        assert 'aria-label="Pages"' in page
        assert f'href="/files/{run.id}/{file}" download' in page


def test_a_word_with_a_percent_sign_keeps_its_anchor():
    result, bar = typical(), Bar("50%", Score(0.5, 0.4, 0.6, 9))
    finding = replace(result.findings[0], charts=(Chart(RELIABLE_WORDS, "Made up.", (bar,)),))
    run = RunSummary("1", "audit", Path("x"), "x", 0.0)
    link = run_pages._link_bars(SITE, run, replace(result, findings=(finding,)), same=False)
    assert link(bar).endswith("#word-50%25")
    assert link(Bar("multiset", bar.score)) == "", "an attack is no word"


def test_only_a_sweep_has_defenses(index):
    with pytest.raises(MissingPage):
        run_pages.render_defense(SITE, named(index, "main"), 1)
