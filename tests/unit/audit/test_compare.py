"""Comparisons of two audits: what is paired, how changes are classified, and what is refused."""

from dataclasses import replace

import pytest

from tests.conftest import WordSum, toy_corpus
from tests.sample_comparison import base_result, compared, new_result, scored
from tests.sample_result import finding, result
from vestige.audit.compare import compare
from vestige.case.findings import Bar, Chart
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.report.write import write_report
from vestige.types import Score


def test_changes_are_classified_and_the_rest_is_explained():
    changes = {change.probe: change for change in compared()}
    assert {name: change.change for name, change in changes.items()} == {
        "words": "worse",
        "keywords": "better",
        "names": "not comparable",
        "membership": "undecided",
        "words-cross-domain": "not comparable",
    }
    assert "BASE have a warning: The control" in changes["names"].reason
    assert "did not run in BASE: no cross-domain text was given" in changes["words-cross-domain"].reason
    assert compared().change == "worse"
    assert compared().headline == "'new' leaks more than 'base' in words, and less in keywords."


def test_equal_targets_are_paired_and_others_are_not():
    words, membership = compared()["words"], compared()["membership"]
    assert (words.paired, membership.paired) == (True, False)
    assert membership.reason == "the two audits scored different targets"
    assert words.difference.value == pytest.approx(0.05, abs=0.01)
    assert words.difference.high - words.difference.low < 0.025
    assert any("Not paired: membership" in sentence for sentence in compared().sentences)


def test_the_other_direction_is_the_opposite():
    there, back = compared()["words"], compare(new_result(), base_result())["words"]
    assert back.change == "better"
    assert back.difference.value == pytest.approx(-there.difference.value)


def test_an_audit_compared_with_itself_has_no_difference():
    found = compare(base_result(), base_result(), fail_on=("worse",))
    assert found.change == "no difference"
    assert {each.change for each in found} == {"no difference", "not comparable"}
    assert (found["words"].difference.low, found["words"].difference.high) == (0, 0)
    assert found.headline == "'base' and 'new' leak the same: their results are identical."
    assert found.sentences == (
        "Every target has the same score in both, so there is nothing for an interval to leave open.",
    )
    assert found.inputs == ()
    assert found.gates[0].held


def test_equal_scores_are_no_difference_whatever_the_inputs_are_called():
    words = scored("words", 0.4)
    stored = replace(words, adversary=replace(words.adversary, given=("pairs of vectors.npy",), queries=7))
    assert compare(result(words), result(stored))["words"].change == "no difference"
    gains = (words.per_target.gains[0] + 0.1, *words.per_target.gains[1:])
    other = replace(words, per_target=replace(words.per_target, gains=gains))
    assert compare(result(words), result(other))["words"].change == "undecided"


def test_a_lost_probe_is_not_identical():
    both, fewer = result(scored("words", 0.4), scored("keywords", 0.3)), result(scored("words", 0.4))
    assert "identical" not in compare(both, fewer).headline
    assert "identical" in compare(fewer, fewer).headline
    assert "identical" not in compare(result(finding(probe="words")), result(finding(probe="words"))).headline


def test_a_gate_on_a_probe_that_is_not_compared_is_refused():
    with pytest.raises(InputError, match=r"gate 'words>\+0.02' needs the probe 'words', which is not compared"):
        compare(base_result(), new_result(), probes=("membership",), fail_on=("words>+0.02",))


def attributes(**leakages: float):
    """A finding whose scores are those of the attribute that leaks most, with a bar for each attribute."""
    ranked = sorted(leakages.items(), key=lambda each: -each[1])
    bars = tuple(Bar(name, Score(gain + 0.1, gain + 0.08, gain + 0.12, 200, 0.1)) for name, gain in ranked)
    worst, leakage = ranked[0]
    found = finding(probe="attributes", leakage=leakage)
    labelled = tuple(replace(each, label=f"{worst}: {each.label}") for each in found.measures)
    return replace(found, measures=labelled, charts=(Chart("Which attributes are inferred", "", bars),))


def test_each_attribute_is_compared_with_itself():
    found = compare(result(attributes(author=0.5, topic=0.3)), result(attributes(topic=0.4, author=0.1)))
    change = found["attributes"]
    assert (change.change, change.base.value, change.new.value) == ("worse", pytest.approx(0.3), pytest.approx(0.4))
    assert "“author” and “topic” were each compared, and “topic” rose more" in change.reason
    fell = compare(result(attributes(author=0.5, topic=0.3)), result(attributes(topic=0.2, author=0.1)))
    assert (fell["attributes"].change, fell["attributes"].base.value) == ("better", pytest.approx(0.3))


def test_two_attributes_count_as_two_comparisons():
    alone = compare(result(attributes(topic=0.3)), result(attributes(topic=0.4)))["attributes"].difference
    both = compare(result(attributes(author=0.5, topic=0.3)), result(attributes(topic=0.4, author=0.1)))
    assert both["attributes"].difference.low < alone.low


def test_an_attribute_that_only_one_side_has_is_not_comparable():
    found = compare(result(attributes(author=0.5)), result(attributes(topic=0.4)), fail_on=("worse",))
    assert (found["attributes"].change, found.gates[0].held) == ("not comparable", False)
    assert "BASE measures “author: " in found["attributes"].reason


def test_a_stored_side_is_read_before_the_other_is_run(tmp_path, monkeypatch):
    monkeypatch.setattr("vestige.audit.compare.audit", lambda **_arguments: pytest.fail("audited first"))
    with pytest.raises(InputError, match="nowhere"):
        compare({"texts": ["a text"]}, tmp_path / "nowhere")


def test_a_column_that_both_records_name_is_listed_once():
    new = new_result()
    renamed = replace(
        new,
        settings=replace(new.settings, text_column="body"),
        subject=replace(new.subject, text_column="body"),
    )
    assert [each.name for each in compare(base_result(), renamed).inputs].count("text_column") == 1


def test_one_probe_alone_has_a_narrower_interval():
    alone, among = compare(base_result(), new_result(), probes=("words",)), compared()
    assert len(alone.changes) == 1
    widths = [found["words"].difference.high - found["words"].difference.low for found in (alone, among)]
    assert widths[0] < 0.9 * widths[1]
    assert not any("comparisons at once" in sentence for sentence in alone.sentences)


def test_a_finding_without_scores_of_targets_is_not_paired():
    found = compare(result(scored("words", 0.4)), result(finding(probe="words", leakage=0.5)))
    assert found["words"].reason == "no scores of single targets were recorded in NEW"
    assert found["words"].change == "worse"


def test_different_headline_measures_are_not_comparable():
    other = result(replace(scored("words", 0.4), headline="recall"))
    assert "NEW “Words of the text that are recovered (recall)”" in compare(base_result(), other)["words"].reason


def test_a_difference_of_attackers_and_of_targets_is_stated():
    new = new_result()
    weaker = replace(new, settings=Settings(pairs=4000, seed=3), subject=replace(new.subject, encoder="hashing:256"))
    found = compare(base_result(), weaker)
    assert {(each.name, each.base, each.new) for each in found.inputs} == {
        ("pairs", "8,000", "4,000"),
        ("seed", "0", "3"),
        ("encoder", "minilm", "hashing:256"),
    }
    assert any("The attackers differ (pairs)" in sentence for sentence in found.sentences)
    assert any("these inputs differ: seed" in sentence for sentence in found.sentences)


def test_words_that_the_owner_listed_are_counted_and_not_shown():
    sides = [replace(base_result(), settings=Settings(keywords=words)) for words in ((), ("debt",), ("cancer",))]
    (change,) = compare(sides[0], sides[1]).inputs
    assert (change.name, change.base, change.new) == ("keywords", "-", "1 listed")
    (change,) = compare(sides[1], sides[2]).inputs
    assert (change.base, change.new) == ("1 listed", "1 listed, not the same")


def test_an_audit_that_was_stopped_is_refused_unless_allowed():
    stopped = replace(new_result(), pending=("budget",))
    with pytest.raises(InputError, match=r"'new' was stopped before budget.*--allow-incomplete"):
        compare(base_result(), stopped)
    found = compare(base_result(), stopped, allow_incomplete=True)
    assert found.new.pending == ("budget",)
    base = replace(base_result(), findings=(*base_result().findings, scored("budget", 0.1)))
    assert "the audit was stopped" in compare(base, stopped, allow_incomplete=True)["budget"].reason


def test_a_file_that_was_changed_is_refused():
    short = scored("words", 0.4)
    short = replace(short, per_target=replace(short.per_target, gains=short.per_target.gains[:-1]))
    with pytest.raises(InputError, match="199 and 200 targets under the same digest"):
        compare(base_result(), result(short))


def test_paths_are_read_and_name_the_sides(tmp_path):
    write_report(base_result(), tmp_path / "main")
    write_report(new_result(), tmp_path / "branch")
    found = compare(tmp_path / "main", tmp_path / "branch" / "report.json")
    assert (found.base.name, found.new.name) == ("main", "branch")
    assert found.changes == compare(base_result(), new_result()).changes
    same = compare(tmp_path / "main", tmp_path / "main")
    assert (same.base.name, same.new.name) == ("base", "new")


def test_two_configurations_are_run():
    settings = Settings(targets=40, pairs=200, shortest=4, probes=("membership",))
    given = {"texts": toy_corpus(100), "settings": settings}
    found = compare(given | {"encoder": WordSum()}, given | {"encoder": WordSum()})
    assert found["membership"].difference.value == 0
    assert found.change == "no difference"


def test_an_unknown_probe_is_refused():
    with pytest.raises(InputError, match="wrods"):
        compare(base_result(), new_result(), probes=("wrods",))
