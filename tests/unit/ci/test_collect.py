"""`collect.sh` and `summarize.py`: what leaves the job, and what never does."""

import json
import re

from tests.sample_result import typical
from vestige.case.codec import dumps


def test_only_reports_are_collected(job):
    job.run("audit.sh")
    job.run("collect.sh", INPUT_REPORT="to upload")
    assert (job.folder / "vestige-audit" / "cache" / "vectors.bin").exists()
    collected = {path.name for path in (job.folder / "to upload").iterdir()}
    assert collected == {"report.html", "report.json", "report.md", "audit.sarif", "audit.xml", "summary.md"}
    assert job.beside("output").splitlines() == ["report=to upload", "audit-sarif=to upload/audit.sarif"]


def test_a_report_that_shows_its_texts_is_not_collected(job):
    record = json.loads(dumps(typical()))
    record["settings"]["show_text"] = True
    job.run("audit.sh", STUB_REPORT=json.dumps(record))
    ran = job.run("collect.sh")
    assert ran.returncode == 2
    assert "show-text" in ran.stderr
    assert not (job.folder / "vestige-report").exists()
    assert not job.log.with_name("step-summary").exists()


def test_a_finding_with_a_warning_has_no_level_in_the_summary(job):
    record = json.loads(dumps(typical()))
    record["findings"][0] |= {"level": "severe", "warnings": ["The control scores above guessing."]}
    job.run("audit.sh", STUB_REPORT=json.dumps(record))
    job.run("collect.sh")
    (row,) = [line for line in job.beside("step-summary").splitlines() if line.startswith("| words |")]
    assert row.endswith("| unknown: The control scores above guessing. |")


def test_the_summary_has_the_comparison_and_the_leakage_of_each_probe_but_no_examples(job):
    job.write("base/report.json", "old")
    job.run("audit.sh", INPUT_BASE="base")
    job.run("collect.sh")
    summary = job.beside("step-summary")
    assert summary == job.read("vestige-report/summary.md")
    assert summary.startswith("the compare\n\n### Vestige: ")
    assert typical().verdict.headline in summary
    for finding in typical().findings:
        assert f"| {finding.probe} | {finding.leakage.value:.3f} (" in summary
    recovered = {
        token.text for finding in typical().findings for example in finding.examples for token in example.tokens
    }
    assert recovered - {None}
    assert not {word for word in recovered - {None} if re.search(rf"\b{re.escape(word)}\b", summary)}
