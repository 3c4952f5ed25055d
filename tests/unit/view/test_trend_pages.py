"""The trend of audits of the same data."""

from dataclasses import replace

from tests.sample_comparison import base_result
from vestige.case.settings import Settings
from vestige.report.write import write_report
from vestige.view.runs import RunIndex
from vestige.view.trend_pages import group_trends


def test_audits_of_the_same_data_make_a_trend_from_old_to_new(index):
    (group,) = group_trends(index.list_runs())
    assert group.title == "letters, minilm"
    assert len(group.runs) == 3
    assert [run.time for run in group.runs] == sorted(run.time for run in group.runs)
    assert {series.label for series in group.chart.series} >= {"words", "keywords"}
    (words,) = [series for series in group.chart.series if series.label == "words"]
    assert [point.y for point in words.points] == [
        next(line.leakage.value for line in run.probes if line.probe == "words") for run in group.runs
    ]


def test_audits_with_other_settings_are_another_trend(tmp_path):
    """More pairs are another attacker, not a change of the data; which probes ran, and masking, change no figure."""
    for name, changes in {
        "first": {"pairs": 1000},
        "second": {"pairs": 1000, "probes": ("words",), "show_text": True},
        "third": {"pairs": 2000},
    }.items():
        write_report(replace(base_result(), settings=Settings(**changes)), tmp_path / name)
    groups = {group.title: [run.name for run in group.runs] for group in group_trends(RunIndex([tmp_path]).list_runs())}
    assert groups == {"letters, minilm, pairs 2,000": ["third"], "letters, minilm, pairs 1,000": ["first", "second"]}


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


def test_a_long_trend_has_few_dates(index):
    run = next(run for run in index.list_runs() if run.name == "main")
    (group,) = group_trends([replace(run, id=str(number)) for number in range(500)])
    places = [place for place, _ in group.chart.area.x_axis.labels]
    assert (len(places), places[0], places[-1]) == (5, 0, 499)


def test_runs_of_one_day_have_their_time(index):
    run = next(run for run in index.list_runs() if run.name == "main")
    noon = 1_700_000_000
    (same,) = group_trends([replace(run, id=str(hour), time=noon - 60 * hour) for hour in range(2)])
    (other,) = group_trends([replace(run, id=str(day), time=noon - 86_400 * day) for day in range(2)])
    assert [len(label) for _, label in same.chart.area.x_axis.labels] == [len("12:00")] * 2
    assert [len(label) for _, label in other.chart.area.x_axis.labels] == [len("2026-01-01")] * 2
