import json
from dataclasses import fields
from html.parser import HTMLParser
from importlib.resources import files

from jsonschema import Draft202012Validator

from tests.sample_preflight import CHECKS, preflighted
from tests.sample_result import HOSTILE
from vestige.case.codec import dumps, from_plain, to_plain
from vestige.preflight import Check, Preflight
from vestige.report.preflight import as_section, headline, looked_at

SCHEMA = json.loads(files("vestige.report").joinpath("preflight-1.schema.json").read_text(encoding="utf-8"))


def test_the_headline_counts_the_gravest_first():
    assert headline(preflighted()) == "1 error, 1 warning, 1 note; 1 of 4 checks are fine."
    assert headline(preflighted(CHECKS[3])) == "nothing was found; 1 of 1 checks are fine."
    assert headline(preflighted(CHECKS[0], CHECKS[0])) == "2 warnings; 0 of 2 checks are fine."


def test_what_nobody_named_is_marked_as_found():
    assert looked_at(preflighted()) == (
        f"v.parquet: vectors in vector (found); ids in id; text in {HOSTILE} (found); other columns in label, year"
    )


def test_a_record_comes_back_from_json():
    made = preflighted()
    assert from_plain(Preflight, to_plain(made)) == made
    assert dumps(made) == dumps(from_plain(Preflight, to_plain(made)))


def test_records_fit_the_schema_and_the_schema_names_every_field():
    Draft202012Validator.check_schema(SCHEMA)
    assert list(Draft202012Validator(SCHEMA).iter_errors(json.loads(dumps(preflighted())))) == []
    assert set(SCHEMA["properties"]) == {field.name for field in fields(Preflight)}
    assert set(SCHEMA["properties"]["checks"]["items"]["properties"]) == {field.name for field in fields(Check)}


def test_the_section_holds_every_check_and_no_markup_of_strangers():
    section = as_section(preflighted())
    assert HOSTILE not in section
    assert "&lt;script&gt;" in section
    assert "<code>••• •••</code>" in section

    class Reader(HTMLParser):
        rows, opened = 0, 0

        def handle_starttag(self, tag, _attributes):
            self.rows += tag == "tr"
            self.opened += tag != "br"

        def handle_endtag(self, _tag):
            self.opened -= 1

    reader = Reader()
    reader.feed(section)
    assert (reader.rows, reader.opened) == (5, 0)
