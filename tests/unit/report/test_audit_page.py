import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tests.sample_result import CROSS_DOMAIN, HOSTILE, SECRET, SUBJECT, crowded, finding, result, typical
from vestige.audit.result import GateOutcome, Verdict
from vestige.case.findings import NotApplicable
from vestige.case.level import SEVERE, SUBSTANTIAL
from vestige.case.settings import Settings
from vestige.report.audit_page import render_audit_html, render_audit_markdown
from vestige.report.audit_wording import LIMITATIONS, MASKED_NOTE, UNMASKED_NOTE

EMPTY = result(not_run=(CROSS_DOMAIN,))


class Tags(HTMLParser):
    """Every tag of a page with its attributes, and the words between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def test_foreign_words_are_escaped_everywhere():
    outcome = GateOutcome(HOSTILE, False, HOSTILE)
    made = replace(
        crowded(),
        version=HOSTILE,
        verdict=Verdict("severe", HOSTILE, (HOSTILE,)),
        gates=(outcome,),
        not_run=(NotApplicable(*[HOSTILE] * 4),),
        settings=Settings(text_column=HOSTILE),
    )
    page = render_audit_html(made)
    assert "<script" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 25
    assert not [tag for tag, _ in Tags(page).tags if tag == "script"]


def test_a_quote_does_not_break_out_of_an_attribute():
    drawn = finding()
    bar = replace(drawn.charts[0].bars[0], label='" onload="alert(1)')
    page = render_audit_html(result(replace(drawn, charts=(replace(drawn.charts[0], bars=(bar,)),))))
    assert not [name for _, attributes in Tags(page).tags for name in attributes if name.startswith("on")]


@pytest.mark.parametrize("made", [typical(), crowded(), EMPTY])
def test_the_page_makes_no_network_request(made):
    page = render_audit_html(made)
    assert not re.search(r"https?:|//[a-z]|@import|url\(", page)
    for tag, attributes in Tags(page).tags:
        assert tag not in {"script", "iframe", "img", "object", "embed", "form", "base"}
        assert not {"src", "srcset", "xlink:href", "action"} & set(attributes)
        assert attributes.get("href", "data:,") == "data:,"


def test_the_policy_forbids_all_but_its_own_style():
    metas = [attributes for tag, attributes in Tags(render_audit_html(typical())).tags if tag == "meta"]
    policy = next(meta["content"] for meta in metas if meta.get("http-equiv") == "Content-Security-Policy")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def test_a_masked_page_contains_no_word_that_was_not_recovered():
    page = render_audit_html(typical())
    assert MASKED_NOTE in page
    assert UNMASKED_NOTE not in page
    assert SECRET not in page
    assert '<mark class="hit">credit</mark>' in page
    assert page.count('<span class="missed block"><span class="unseen">') == 1


def test_a_page_that_shows_texts_says_so():
    text = Tags(render_audit_html(result(finding(show_text=True), show_text=True))).text
    assert UNMASKED_NOTE in text
    assert MASKED_NOTE not in text
    assert SECRET in text


def test_figures_have_an_interval_and_a_size():
    text = Tags(render_audit_html(typical())).text
    assert "95% interval 0.445 to 0.469, above guessing; n = 1,000 texts" in text
    for figure in ("0.547 0.535 to 0.559", "0.090 0.078 to 0.102", "0.088 0.076 to 0.100", "0.682 0.670 to 0.694 921"):
        assert figure in text


def test_a_gain_that_may_be_zero_is_not_called_leakage():
    text = Tags(render_audit_html(result(finding(leakage=0.004)))).text
    assert "0.004 none Leakage" in text
    assert "-0.008 to 0.016, not distinguishable from guessing" in text


def test_limits_skipped_probes_and_warnings_are_shown():
    text = Tags(render_audit_html(typical())).text
    for part in (
        "Failed Fails on words>0.30 : leakage of 'words' is 0.457",
        "Held Fails on words.recall>0.9",
        CROSS_DOMAIN.reason,
        "Nothing was measured for this chart.",
        "2 more predicted words are not in the text.",
        "Texts sent to the encoder 11,873",
        LIMITATIONS,
        f"leakage of {SEVERE:.2f} or more",
        f"leakage of {SUBSTANTIAL:.2f} or more",
    ):
        assert part in text
    assert "Warning. <script>alert(1)</script> odd" in Tags(render_audit_html(crowded())).text


def test_a_result_without_findings_is_a_page_too():
    text = Tags(render_audit_html(EMPTY)).text
    assert "What these vectors give away could not be measured reliably." in text
    assert "To run it: name a corpus" in text
    assert "Limits you set" not in text


def test_markdown_has_the_figures_with_interval_and_size():
    text = render_audit_markdown(typical())
    assert "**0.457** (95% interval 0.445 to 0.469, above guessing; n = 1,000 texts). Level: **severe**." in text
    assert (
        "| Words recovered (F1) | 0.547 (0.535 to 0.559) | 0.090 (0.078 to 0.102) | 0.088 (0.076 to 0.100) | 1,000 |"
        in text
    )
    assert "| rank 1 to 100 | 0.682 (0.670 to 0.694) | 0.352 | 921 |" in text
    assert "| **failed** | words&gt;0.30 | leakage of 'words' is 0.457" in text
    assert "- Texts sent to the encoder: 11,873" in text


def test_masked_markdown_contains_no_word_that_was_not_recovered():
    text = render_audit_markdown(typical())
    assert "> · **credit** · █████ **bank** ·" in text
    assert MASKED_NOTE in text
    assert SECRET not in text


def test_an_unmasked_example_is_marked_word_by_word():
    text = render_audit_markdown(result(finding(show_text=True), show_text=True))
    assert f"> the **credit** of _{SECRET}_ **bank** is" in text
    assert UNMASKED_NOTE in text


def test_foreign_words_can_neither_mark_nor_link_in_markdown():
    hostile = "a|b *c* [d](http://e) ![f](g) <img> `h`\n# i"
    text = render_audit_markdown(replace(result(), subject=replace(SUBJECT, corpus=hostile)))
    assert r"a\|b \*c\* \[d\](http://e) \!\[f\](g) &lt;img&gt; \`h\` \# i" in text
    code = "    "
    assert not [
        line
        for line in render_audit_markdown(crowded()).splitlines()
        if "<script" in line and not line.startswith(code)
    ]


def test_markdown_without_findings_says_what_was_missing():
    text = render_audit_markdown(result(not_run=(CROSS_DOMAIN,)))
    assert "Level: **unknown**" in text
    assert f"| {CROSS_DOMAIN.reason} | name a corpus" in text


def test_a_repetition_names_what_it_cannot_contain():
    """Options of another file, and the user of a server, which a report does not show."""
    stored = replace(typical(), subject=replace(SUBJECT, vectors="pgvector:postgresql://db/mail#letters"))
    for page in (Tags(render_audit_html(stored)).text, render_audit_markdown(stored)):
        assert "Servers are named without user and password: add yours." in page
        assert "which would set the options that are not named" in page
    assert "without user" not in Tags(render_audit_html(typical())).text
    assert "without user" not in render_audit_markdown(typical())
