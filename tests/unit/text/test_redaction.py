"""Redaction of texts: what is found, what takes its place, and settings that are saved."""

import pytest

from vestige.errors import InputError
from vestige.text.redaction import Redactor, parse_redactor

TEXT = "My name is John A. Smith; call (555) 123-4567 or write to j.smith@mail.com by 12/03/2019."


def test_placeholders_name_the_kind():
    (redacted,) = Redactor(detector="lists").redact([TEXT])
    assert redacted.text == "My name is [NAME]; call [NUMBER] or write to [EMAIL] by [NUMBER]."
    assert [(each.kind, TEXT[each.start : each.end]) for each in redacted.mentions] == [
        ("names", "John A. Smith"),
        ("numbers", "(555) 123-4567"),
        ("emails", "j.smith@mail.com"),
        ("numbers", "12/03/2019"),
    ]


def test_a_mask_leaves_nothing():
    (text,) = Redactor(("names", "numbers"), mode="mask", detector="lists").redact_texts(["call Anna Smith at 5 now"])
    assert text == "call at now"


def test_only_the_named_kinds_are_redacted():
    (text,) = Redactor(("numbers",), detector="lists").redact_texts(["Anna Smith paid $1,200.50"])
    assert text == "Anna Smith paid [NUMBER]"


def test_keywords_are_redacted_without_their_case_and_genitive():
    redactor = Redactor(("keywords",), keywords=("hong kong", "insulin"))
    assert redactor.redact_texts(["Hong Kong's insulin, Kong"]) == ["[WORD]'s [WORD], Kong"]


def test_a_surrogate_is_the_same_within_a_document_and_another_elsewhere():
    redactor = Redactor(("names", "numbers"), mode="surrogate", detector="lists")
    texts = ["Anna Smith paid 4821.", "I met Anna Smith.", "Anna Smith paid 4821."]
    one, two, three = redactor.redact_texts(texts, ["a", "a", "b"])
    name = one.partition(" paid")[0]
    assert name not in ("Anna Smith", three.partition(" paid")[0])
    assert two == f"I met {name}."
    assert "4821" not in one
    assert len(one.rpartition(" ")[2]) == 5
    assert redactor.redact_texts(texts, ["a", "a", "b"])[0] == one


def test_a_pseudonym_is_the_same_everywhere_under_one_key_and_another_under_the_next():
    redactor = Redactor(("names", "numbers"), mode="pseudonym", detector="lists", seed=5)
    one, two, three = redactor.redact_texts(
        ["Anna Smith paid 4821.", "I met Anna Smith.", "Dear Anna,"], ["a", "b", "c"]
    )
    name = one.partition(" paid")[0]
    assert name != "Anna Smith"
    assert two == f"I met {name}."
    assert name.split()[0] in three
    assert redactor.draw_key().seed != redactor.draw_key().seed
    assert redactor.draw_key().redact_texts(["Anna Smith paid 4821."]) != [one]
    assert Redactor().draw_key() == Redactor()


def test_digits_of_an_address_are_part_of_it():
    (text,) = Redactor(("emails", "numbers")).redact_texts(["write to anna5@mail7.org 5"])
    assert text == "write to [EMAIL] [NUMBER]"


def test_settings_survive_a_file(tmp_path):
    redactor = Redactor(("names", "keywords"), "surrogate", ("insulin",), "lists", 3)
    redactor.save(tmp_path / "redactor.json")
    assert Redactor.load(tmp_path / "redactor.json") == redactor
    (tmp_path / "other.json").write_text('{"redactor": 2}')
    with pytest.raises(InputError, match="is not a saved redactor"):
        Redactor.load(tmp_path / "other.json")


def test_settings_that_were_changed_are_refused(tmp_path):
    path = tmp_path / "redactor.json"
    Redactor(("names", "numbers"), "pseudonym", seed=3).save(path)
    path.write_text(path.read_text().replace('"seed": 3', '"seed": 4'))
    with pytest.raises(InputError, match="it was changed after it was written"):
        Redactor.load(path)


def test_a_spec_names_kinds_and_settings():
    found = parse_redactor("redact:names+keywords,mode=mask", ["insulin"])
    assert found == Redactor(("names", "keywords"), mode="mask", keywords=("insulin",))
    assert parse_redactor("redact") == Redactor()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("redact:nams", "did you mean 'names'"),
        ("redact:names,mod=mask", "did you mean 'mode'"),
        ("redact:names,mode=hide", "'mode' parameter"),
        ("redact:keywords", "needs a list of keywords; give one with --keywords"),
    ],
)
def test_a_bad_spec_is_refused(spec, message):
    with pytest.raises(InputError, match=message):
        parse_redactor(spec)


def test_keywords_that_no_kind_asks_for_are_refused():
    with pytest.raises(InputError, match="the kinds do not include 'keywords'"):
        Redactor(("names",), keywords=("insulin",))
