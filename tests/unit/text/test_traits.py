"""What texts lack that probes rely on."""

import pytest

from vestige.probes.plan import list_probes
from vestige.text.corpora import load_corpus
from vestige.text.traits import describe_traits, explain_skipped, guess_language, is_unspaced, lacks_capitals

CHINESE = "我的银行账户上个月被盗了，我向银行投诉但是没有人回复我。"
FRENCH = (
    "Je vous écris pour vous dire que la banque a pris de l'argent sur mon compte sans me le dire et que je ne peux"
)
ITALIAN = "La banca ha preso i soldi dal mio conto e non mi ha detto niente, per questo non sono contento della banca"
GERMAN = "Die Bank hat das Geld von meinem Konto genommen und mir nichts davon gesagt, deshalb bin ich nicht zufrieden"


@pytest.fixture(scope="module")
def english():
    return load_corpus("complaints").texts[:300]


def test_prose_has_capitals_and_is_english(english):
    assert describe_traits(english) == []
    assert guess_language(english) == "en"


def test_text_without_case_is_noticed(english):
    lower = [text.lower() for text in english]
    assert lacks_capitals(lower)
    assert "almost no capital letters: names cannot be found in them (probe names)" in describe_traits(lower)[0]
    assert not lacks_capitals(["abc"]), "too little to tell"


@pytest.mark.parametrize(("text", "code"), [(FRENCH, "fr"), (ITALIAN, "it"), (GERMAN, "")])
def test_another_language_is_noticed(text, code):
    assert guess_language([text] * 30) == code
    assert "do not seem to be English" in describe_traits([text] * 30)[0]
    assert guess_language([text]) is None, "too little to tell"


def test_every_probe_is_named_in_what_another_language_means():
    (note,) = describe_traits([FRENCH] * 30)
    assert [probe.name for probe in list_probes() if probe.name not in note] == []


def test_every_skipped_sentence_has_a_reason():
    assert is_unspaced(CHINESE)
    assert explain_skipped(CHINESE, 1, 40) == "written without spaces between words"
    assert explain_skipped("too short", 8, 40) == "of fewer than 8 words"
    assert explain_skipped("long " * 41, 8, 40) == "of more than 40 words"
    assert explain_skipped("just right " * 5, 8, 40) is None
