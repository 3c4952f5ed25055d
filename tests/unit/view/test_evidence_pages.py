"""What the record of an audit holds about words and documents."""

from dataclasses import replace

from tests.sample_comparison import base_result
from tests.sample_result import SECRET, typical
from vestige.case.findings import Bar, Chart
from vestige.probes.words_evidence import RELIABLE_WORDS
from vestige.view.evidence_pages import list_documents, list_words, render_evidence
from vestige.view.site import Site


def test_words_come_from_the_record_and_masked_ones_stay_masked(index):
    words = {each.word: each for each in list_words(typical())}
    assert set(words) == {"credit", "bank"}
    assert [probe for probe, _ in words["bank"].examples] == ["words"]
    page = render_evidence(Site(), next(run for run in index.list_runs() if run.name == "nested/letters"))
    assert SECRET not in page
    assert "are not in it" in page
    assert "The record has no scores of single targets" in page


def test_an_attack_or_a_class_is_no_word():
    """Bars of other charts have names as well: those of attacks, encoders and classes."""
    result = typical()
    first = result.findings[0]
    charts = tuple(
        Chart(title, "Made up.", (Bar(label, first.leakage),))
        for title, label in (("Which attack recovers most", "multiset"), (RELIABLE_WORDS, "refund"))
    )
    changed = replace(result, findings=(replace(first, charts=charts), *result.findings[1:]))
    words = {each.word: each.bars for each in list_words(changed)}
    assert "multiset" not in words
    assert [bar.label for _, _, bar in words["refund"]] == ["refund"]


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
