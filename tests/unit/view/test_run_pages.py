"""Pages about runs."""

from dataclasses import replace

import pytest

from tests.sample_comparison import base_result
from tests.sample_frontier import crowded, swept
from tests.sample_result import HOSTILE, SECRET, typical
from vestige.errors import InputError
from vestige.report.write import write_report
from vestige.view import run_pages
from vestige.view.run_pages import choose_axes, group_trends, list_documents, list_frontier, list_words
from vestige.view.runs import RunIndex
from vestige.view.site import Site

SITE = Site()


def named(index, name):
    return next(run for run in index.list_runs() if run.name == name)


def test_the_list_has_verdict_probes_intervals_and_limits(index):
    page = run_pages.render_runs(SITE, index.list_runs(), ["runs"])
    assert "5 results in runs" in page
    for shown in ("severe", "0.457", "0.445 to 0.469", "✗ 1 failed", "nested/letters", "has schema None"):
        assert shown in page


def test_hostile_names_are_escaped(tmp_path):
    whole = typical()
    subject = replace(whole.subject, corpus=HOSTILE)
    write_report(replace(whole, subject=subject), tmp_path / "a")
    runs = RunIndex([tmp_path]).list_runs()
    pages = [run_pages.render_runs(SITE, runs, [HOSTILE]), run_pages.render_trend(SITE, runs)]
    pages += [run_pages.render_run(SITE, runs[0]), run_pages.render_evidence(SITE, runs[0])]
    assert [HOSTILE in page for page in pages] == [False] * 4


def test_audits_of_the_same_data_make_a_trend_from_old_to_new(index):
    (group,) = group_trends(index.list_runs())
    assert group.audited == "letters, minilm"
    assert len(group.runs) == 3
    assert [run.time for run in group.runs] == sorted(run.time for run in group.runs)
    assert {series.label for series in group.chart.series} >= {"words", "keywords"}
    (words,) = [series for series in group.chart.series if series.label == "words"]
    assert [point.y for point in words.points] == [
        next(line.leakage.value for line in run.probes if line.probe == "words") for run in group.runs
    ]


def test_a_probe_has_one_colour_in_all_trends(index):
    runs = index.list_runs()
    fewer = [replace(run, id=f"{run.id}-2", audited="other", probes=run.probes[-1:]) for run in runs]
    styles = [{each.label: each.style for each in group.chart.series} for group in group_trends([*runs, *fewer])]
    assert len(set(styles[0].values())) == len(styles[0])
    assert styles[1].items() <= styles[0].items()


def test_one_audit_is_no_trend(tmp_path):
    write_report(base_result(), tmp_path)
    (group,) = group_trends(RunIndex([tmp_path]).list_runs())
    assert group.chart is None


def test_an_audit_is_its_report_with_links_to_evidence_and_files(index):
    run = named(index, "main")
    page = run_pages.render_run(SITE, run)
    assert "What was not measured" in page
    assert f'href="/run/{run.id}/evidence"' in page
    assert f'href="/files/{run.id}/report.sarif" download' in page
    assert f'href="/run/{run.id}/evidence#bars"' in page


def test_bars_lead_to_the_stored_vectors_if_these_are_attacked_live(index):
    run = named(index, "main")
    assert 'href="/explore/bar?label=rank+1+to+100"' in run_pages.render_run(SITE, run, explored=run.digest)
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


def test_a_defense_that_is_obscure_says_so(index):
    assert "only obscurity" in run_pages.render_defense(SITE, named(index, "defend"), 2)


def test_words_come_from_the_record_and_masked_ones_stay_masked(index):
    words = {each.word: each for each in list_words(typical())}
    assert set(words) == {"credit", "bank"}
    assert [probe for probe, _ in words["bank"].examples] == ["words"]
    page = run_pages.render_evidence(SITE, named(index, "nested/letters"))
    assert SECRET not in page
    assert "are not in it" in page
    assert "The record has no scores of single targets" in page


def test_documents_have_the_mean_of_their_own_gains():
    result = base_result()
    documents, apart = list_documents(result)
    own = result["words"].per_target
    first = next(each for each in documents if each.number == 0)
    assert first.gains["words"] == [own.gains[0], own.gains[1]]
    assert [each.mean for each in documents] == sorted((each.mean for each in documents), reverse=True)
    assert apart == []


def test_probes_that_scored_other_targets_are_set_apart():
    result = base_result()
    other = replace(result.findings[1], per_target=replace(result.findings[1].per_target, digest="f" * 32))
    documents, apart = list_documents(replace(result, findings=(result.findings[0], other)))
    assert [finding.probe for finding in apart] == ["keywords"]
    assert set(documents[0].gains) == {"words"}


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
    assert list_frontier(swept()) == [("gaussian:3000", "gaussian:3000 (words 0.08, recall@10 0.92, chosen)")]


def test_a_long_trend_has_few_dates(index):
    run = named(index, "main")
    (group,) = group_trends([replace(run, id=str(number)) for number in range(500)])
    places = [place for place, _ in group.chart.area.x_axis.labels]
    assert (len(places), places[0], places[-1]) == (5, 0, 499)
