"""`audit.sh` and `finish.sh`: exact arguments, a comparison with the base, and the exit code of the job."""

from pathlib import Path

import pytest

from tests.unit.ci.conftest import find_unknown_options

EVERYTHING = {
    "INPUT_AUDIT": "my letters",
    "INPUT_ARGUMENTS": '--keywords\nchest pain,"insulin"; $(touch pwned)\n\n--targets\n50\r\n',
    "INPUT_CONFIG": "a folder/vestige.toml",
    "INPUT_PRESET": "quick",
    "INPUT_FAIL_ON": "words>0.30\nnames>0.05",
    "INPUT_BASE": "base/report.json",
    "INPUT_COMPARE_FAIL_ON": "worse\nwords>+0.02",
    "INPUT_OUT": "the results",
}


def test_arguments_reach_the_audit_and_the_comparison_exactly(job):
    job.write("base/report.json", "old")
    ran = job.run("audit.sh", **EVERYTHING)
    assert ran.returncode == 0, ran.stderr
    audit, compare = job.calls("vestige")
    config, out = ("--config", "a folder/vestige.toml"), ("--out", "the results")
    assert audit == [
        *("audit", "my letters", "--keywords", 'chest pain,"insulin"; $(touch pwned)', "--targets", "50"),
        *(*config, "--preset", "quick", "--fail-on", "words>0.30", "--fail-on", "names>0.05"),
        *(*out, "--sarif", "the results/audit.sarif", "--junit", "the results/audit.xml"),
    ]
    assert compare == [
        *("compare", compare[1], "the results/report.json", *config, "--fail-on", "worse", "--fail-on", "words>+0.02"),
        *(*out, "--sarif", "the results/compare.sarif", "--junit", "the results/compare.xml"),
    ]
    assert Path(compare[1]).parts[-2:] == ("base", "report.json")
    assert job.beside("base") == "old"
    assert not (job.folder / "pwned").exists()


def test_only_the_output_is_passed_without_inputs(job):
    assert job.run("audit.sh").returncode == 0
    files = ("--sarif", "vestige-audit/audit.sarif", "--junit", "vestige-audit/audit.xml")
    assert job.calls("vestige") == [["audit", "--out", "vestige-audit", *files]]


def test_the_options_that_the_scripts_pass_exist(job):
    job.write("base/report.json", "old")
    job.run("audit.sh", **EVERYTHING)
    calls = job.calls("vestige")
    assert [words[0] for words in calls] == ["audit", "compare"]
    assert [option for words in calls for option in find_unknown_options(words)] == []
    assert find_unknown_options(["audit", "--no-such-option"]) == ["--no-such-option"]


@pytest.mark.parametrize(
    ("audit", "compare", "code"), [(0, 0, 0), (1, 0, 1), (0, 1, 1), (1, 1, 1), (0, 2, 2), (1, 70, 70)]
)
def test_the_job_ends_with_the_worst_exit_code_after_the_reports_are_collected(job, audit, compare, code):
    job.write("base/report.json", "old")
    codes = {"STUB_AUDIT": str(audit), "STUB_COMPARE": str(compare), "INPUT_BASE": "base"}
    assert job.run("audit.sh", **codes).returncode == 0
    assert job.run("collect.sh").returncode == 0
    assert job.read("vestige-report/report.html") == "page of the audit"
    assert "Vestige" in job.beside("step-summary")
    finished = job.run("finish.sh")
    assert finished.returncode == code
    assert ("::error::" in finished.stdout) == (code > 0)


def test_an_audit_that_ends_with_bad_input_is_not_compared_and_says_so(job):
    job.write("base/report.json", "old")
    job.write("vestige-audit/report.json", "of an earlier run")
    assert job.run("audit.sh", STUB_AUDIT="2", INPUT_BASE="base").returncode == 0
    assert len(job.calls("vestige")) == 1
    assert job.run("collect.sh").returncode == 0
    assert "no result" in job.beside("step-summary")
    assert not (job.folder / "vestige-report" / "report.json").exists()
    assert "audit-sarif=vestige-report/audit.sarif" in job.beside("output")
    assert job.run("finish.sh").returncode == 2


@pytest.mark.parametrize("code", ["0", "1"])
def test_an_audit_without_a_report_is_never_a_passed_or_failed_gate(job, code):
    assert job.run("audit.sh", STUB_AUDIT=code, STUB_CRASH="yes").returncode == 0
    assert job.run("finish.sh").returncode == 2


def test_a_base_in_the_output_folder_is_read_before_it_is_replaced(job):
    job.write("vestige-audit/report.json", "old")
    assert job.run("audit.sh", INPUT_BASE="vestige-audit").returncode == 0
    assert job.beside("base") == "old"


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"INPUT_BASE": "nowhere"}, "no base result at 'nowhere'"),
        ({"INPUT_ARGUMENTS": "--targets\n50\n--show-text"}, "--show-text is not allowed"),
    ],
)
def test_a_missing_base_and_unmasked_text_are_refused_before_the_audit(job, inputs, message):
    ran = job.run("audit.sh", **inputs)
    assert (ran.returncode, job.calls("vestige")) == (2, [])
    assert message in ran.stderr
    assert job.run("finish.sh").returncode == 2
