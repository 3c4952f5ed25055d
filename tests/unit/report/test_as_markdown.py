from dataclasses import replace

from tests.sample_result import CROSS_DOMAIN, SECRET, SUBJECT, crowded, finding, result, typical
from vestige.report.as_markdown import as_markdown
from vestige.report.wording import MASKED, UNMASKED


def test_the_figures_are_there_with_interval_and_size():
    text = as_markdown(typical())
    assert "**0.457** (95% interval 0.445 to 0.469, above guessing; n = 1,000 texts). Level: **severe**." in text
    assert (
        "| Words recovered (F1) | 0.547 (0.535 to 0.559) | 0.090 (0.078 to 0.102) | 0.088 (0.076 to 0.100) | 1,000 |"
        in text
    )
    assert "| rank 1 to 100 | 0.682 (0.670 to 0.694) | 0.352 | 921 |" in text
    assert "| **failed** | words&gt;0.30 | leakage of 'words' is 0.457" in text
    assert "- Texts sent to the encoder: 11,873" in text


def test_a_masked_example_holds_no_word_that_was_not_read():
    text = as_markdown(typical())
    assert "> · **credit** · █████ **bank** ·" in text
    assert MASKED in text
    assert SECRET not in text


def test_a_shown_example_is_marked_word_by_word():
    text = as_markdown(result(finding(show_text=True), show_text=True))
    assert f"> the **credit** of _{SECRET}_ **bank** is" in text
    assert UNMASKED in text


def test_words_of_strangers_can_neither_mark_nor_link():
    hostile = "a|b *c* [d](http://e) ![f](g) <img> `h`\n# i"
    text = as_markdown(replace(result(), subject=replace(SUBJECT, corpus=hostile)))
    assert r"a\|b \*c\* \[d\](http://e) \!\[f\](g) &lt;img&gt; \`h\` \# i" in text
    code = "    "
    assert not [line for line in as_markdown(crowded()).splitlines() if "<script" in line and not line.startswith(code)]


def test_a_result_without_findings_says_what_was_missing():
    text = as_markdown(result(not_run=(CROSS_DOMAIN,)))
    assert "Level: **unknown**" in text
    assert "| no text from elsewhere was named | name a corpus" in text
