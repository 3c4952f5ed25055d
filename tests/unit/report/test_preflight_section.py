import json
from dataclasses import fields, replace
from html.parser import HTMLParser

from tests.sample_preflight import CHECKS, preflighted
from tests.sample_result import HOSTILE, typical
from tests.unit.report.schemas import list_errors, load_schema
from vestige.case.codec import dumps, from_plain, to_plain
from vestige.preflight import Check, Preflight
from vestige.report.audit_page import render_audit_html
from vestige.report.preflight_section import describe_source, summarize_checks

SCHEMA = load_schema("preflight")


def test_the_summary_counts_the_most_severe_first():
    assert summarize_checks(preflighted()) == "1 error, 1 warning, 1 note; 1 of 4 checks passed."
    assert summarize_checks(preflighted(CHECKS[3])) == "no problems; 1 of 1 checks passed."
    assert summarize_checks(preflighted(CHECKS[0], CHECKS[0])) == "2 warnings; 0 of 2 checks passed."


def test_columns_that_the_owner_did_not_name_are_marked_as_detected():
    assert describe_source(preflighted()) == (
        f"v.parquet: vectors in vector (detected); ids in id; text in {HOSTILE} (detected); "
        "other columns in label, year"
    )


def test_a_record_survives_json():
    made = preflighted()
    assert from_plain(Preflight, to_plain(made)) == made
    assert dumps(made) == dumps(from_plain(Preflight, to_plain(made)))


def test_records_fit_the_schema_and_the_schema_names_every_field():
    assert list_errors(SCHEMA, json.loads(dumps(preflighted()))) == []
    assert set(SCHEMA["properties"]) == {field.name for field in fields(Preflight)}
    assert set(SCHEMA["properties"]["checks"]["items"]["properties"]) == {field.name for field in fields(Check)}


def test_the_section_has_every_check_and_no_foreign_markup():
    page = render_audit_html(replace(typical(), preflight=preflighted()))
    section = page.partition('<section class="preflight">')[2].partition("</section>")[0]
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
