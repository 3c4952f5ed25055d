"""The command `audit`: output, exit codes, and the files that CI reads."""

import json
import os
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.unit.cli.conftest import make_owned, run_command


def build_command(folder, *more):
    return ("audit", folder / "vectors.npy", "--texts", folder / "texts.txt", "--out", folder / "out", "--quiet", *more)


@pytest.fixture(autouse=True)
def no_candidates(monkeypatch):
    """Compare with no other encoder before an attack: loading them all takes seconds, and none made these vectors."""
    monkeypatch.setattr("vestige.preflight.run.list_public_encoders", lambda: ())


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with the input and the report of an audit by all probes, and what the command printed."""
    folder = make_owned(tmp_path_factory.mktemp("finished"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vestige.preflight.run.list_public_encoders", lambda: ())
        return folder, run_command(patch, *build_command(folder))


@pytest.fixture
def again(finished, tmp_path):
    """A copy of the finished audit, which a second run can resume."""
    return Path(shutil.copytree(finished[0], tmp_path / "again"))


def test_it_ends_with_a_verdict_and_the_path_of_the_report(finished):
    folder, ran = finished
    assert ran.code == 0
    assert "Whoever holds these vectors can read much of the text." in ran.out
    assert ran.out.strip().splitlines()[-1] == f"report: {folder / 'out' / 'report.html'}"
    assert ran.err == ""
    for name in ("report.html", "report.json", "report.md"):
        assert (folder / "out" / name).stat().st_size > 1000


def test_json_is_alone_on_standard_output(again, vestige_command):
    ran = vestige_command(*build_command(again, "--json"))
    assert json.loads(ran.out) == json.loads((again / "out" / "report.json").read_text())
    assert "report.html" in ran.err


def test_a_second_run_reuses_all_findings_and_writes_the_same_bytes(again, vestige_command, monkeypatch):
    first = (again / "out" / "report.json").read_bytes()
    (again / "out" / "report.json").unlink()
    monkeypatch.setattr("vestige.probes.inversion_choice.run_tournament", None)
    assert vestige_command(*build_command(again)).code == 0
    assert (again / "out" / "report.json").read_bytes() == first


def test_a_run_from_scratch_writes_the_same_bytes(finished, owned, vestige_command):
    probe = ("--probe", "words")
    assert vestige_command(*build_command(owned, *probe)).code == 0
    first, second = (json.loads((folder / "out" / "report.json").read_text()) for folder in (finished[0], owned))
    assert second["findings"] == first["findings"][:1]


@pytest.mark.parametrize(("limit", "code"), [("words>0.95", 0), ("words>0.05", 1)])
def test_the_gate_sets_the_exit_code(again, vestige_command, limit, code):
    (again / "out" / "report.html").unlink()
    ran = vestige_command(*build_command(again, "--fail-on", limit))
    assert ran.code == code
    assert limit in ran.out
    assert (again / "out" / "report.html").is_file()


def test_text_is_masked_unless_show_text_is_given(again, vestige_command):
    def tokens():
        finding = json.loads((again / "out" / "report.json").read_text())["findings"][0]
        return [token for example in finding["examples"] for token in example["tokens"]]

    assert {token["state"] for token in tokens() if token["text"]} == {"hit"}
    vestige_command(*build_command(again, "--probe", "words", "--show-text"))
    assert {token["state"] for token in tokens() if token["text"]} > {"hit"}
    assert all(token["text"] for token in tokens())


def spoil(folder, name, content):
    (folder / name).write_bytes(content)


def spoil_vectors(folder, change):
    vectors = np.load(folder / "vectors.npy")
    np.save(folder / "vectors.npy", change(vectors))


def keep(_folder):
    """Leave the files as they are, for cases in which an argument is wrong."""


def add_nan(vectors):
    vectors[3, 3] = np.nan
    return vectors


BAD = {
    "missing vectors": (lambda f: (f / "vectors.npy").unlink(), (), "vectors.npy does not exist"),
    "missing texts": (lambda f: (f / "texts.txt").unlink(), (), "texts.txt does not exist"),
    "empty texts": (lambda f: spoil(f, "texts.txt", b""), (), "texts.txt is empty"),
    "empty vectors": (lambda f: spoil(f, "vectors.npy", b""), (), "vectors.npy is empty"),
    "unknown extension": (keep, ("--texts", "letters.doc"), "ends in '.doc'"),
    "not UTF-8": (lambda f: spoil(f, "texts.txt", b"caf\xe9\n"), (), "is not UTF-8"),
    "no such column": (keep, ("--text-column", "body"), "no column 'body'"),
    "too few texts": (
        lambda f: (spoil(f, "texts.txt", b"one bank\ntwo banks\n"), spoil_vectors(f, lambda v: v[:2])),
        (),
        "expected at least 20",
    ),
    "NaN": (lambda f: spoil_vectors(f, add_nan), (), "NaN or infinite values in 1 of 300 rows"),
    "infinite": (lambda f: spoil_vectors(f, lambda v: v + np.inf), (), "NaN or infinite values in 300 of 300"),
    "wrong dimension": (keep, ("--encoder", "minilm"), "64 dimensions, but 'minilm' gives 384"),
    "counts differ": (lambda f: spoil_vectors(f, lambda v: v[:-1]), (), "299 rows but texts.txt has 300 texts"),
    "unknown encoder": (keep, ("--encoder", "minilmm"), "did you mean 'minilm'"),
    "unknown corpus": (keep, ("--texts", "speech"), "did you mean 'speeches'"),
    "learned by no encoder": (keep, ("--trained-on", "complaints"), "name the encoder with --encoder"),
    "unknown learned corpus": (keep, ("--trained-on", "speech"), "did you mean 'speeches'"),
    "bad gate": (keep, ("--fail-on", "words"), "gate 'words' cannot be read"),
    "a folder for SARIF": (keep, ("--sarif", "."), ". is a folder"),
    "a folder of keywords": (keep, ("--keywords", "."), ". is a folder"),
    "almost no time": (keep, ("--within", "1e-9"), "within"),
    "unwritable folder": (keep, ("--out", "/dev/null/report"), "cannot be written"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gives_one_message_exit_code_2_and_leaves_nothing(owned, vestige_command, name):
    spoil_files, arguments, message = BAD[name]
    spoil_files(owned)
    before = sorted(owned.rglob("*"))
    ran = vestige_command(*build_command(owned, *arguments))
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.startswith("error: ")
    assert len(ran.err.strip().splitlines()) == 1
    assert ran.out == ""
    assert sorted(owned.rglob("*")) == before


def test_an_unknown_option(vestige_command):
    ran = vestige_command("audit", "--encodr", "minilm")
    assert ran.code == 2
    assert "--encoder" in ran.err


def test_too_little_auxiliary_text_leaves_no_file(owned, vestige_command):
    (owned / "little.txt").write_text("one bank fee that nobody explained to any of us", encoding="utf-8")
    before = sorted(owned.rglob("*"))
    where = ("--auxiliary", owned / "little.txt", "--out", owned / "out")
    ran = vestige_command("audit", "--texts", "complaints", "--encoder", "minilm", *where)
    assert (ran.code, ran.out) == (2, "")
    assert "little.txt gives 1 auxiliary texts, sentence by sentence" in ran.err
    assert sorted(owned.rglob("*")) == before


def test_a_full_disk_is_bad_input_and_not_a_failed_gate(again, vestige_command, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "report.json")

    monkeypatch.setattr("vestige.report.write.write_together", full)
    ran = vestige_command(*build_command(again))
    assert ran.code == 2
    assert ran.err == "error: report.json cannot be used (No space left on device); fix that and run it again\n"


def test_ctrl_c_says_how_to_resume(owned, vestige_command, monkeypatch):
    def stop(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("vestige.audit.run.plan_case", stop)
    ran = vestige_command(*build_command(owned))
    assert ran.code == 130
    assert "run the same command to resume" in ran.err


def test_vectors_alone_get_the_probes_that_need_no_text(owned, vestige_command):
    ran = vestige_command("audit", owned / "vectors.npy", "--out", owned / "out")
    assert ran.code == 0
    assert "What a stranger could recover of the texts was not measured." in ran.out
    assert "not run: words: the texts behind the vectors are not available" in ran.out
    record = json.loads((owned / "out" / "report.json").read_text())
    assert [finding["probe"] for finding in record["findings"]] == ["membership"]
    assert record["preflight"]["checks"]
    assert "can learn from them to recover words" in (owned / "out" / "report.html").read_text()
    assert "can learn from them to recover words" in (owned / "out" / "report.md").read_text()


@pytest.mark.parametrize("rows", [1, 31, 50])
def test_too_few_vectors_alone_end_with_bad_input_and_without_a_report(owned, vestige_command, rows):
    spoil_vectors(owned, lambda vectors: vectors[:rows])
    ran = vestige_command("audit", owned / "vectors.npy", "--out", owned / "out")
    assert ran.code == 2
    assert "nothing could be measured, so there is no report: the texts behind the vectors are not available" in ran.err
    assert not list((owned / "out").glob("report.*"))


def test_every_skipped_text_and_what_texts_lack_is_in_the_report(owned, vestige_command):
    """Texts without spaces are skipped and counted; without capitals no names are found, and the advice says so."""
    texts = (owned / "texts.txt").read_text().lower().splitlines()
    texts[-60:] = [f"我的银行账户上个月被盗了，第{row}次投诉也没有人回复我。" for row in range(60)]
    (owned / "texts.txt").write_text("\n".join(texts), encoding="utf-8")
    ran = vestige_command(*build_command(owned, "--probe", "words", "--probe", "names"))
    assert ran.code == 0
    skipped = f"Skipped: 60 of {len(texts):,} texts: 60 written without spaces between words."
    report = (owned / "out" / "report.md").read_text()
    for shown in (ran.out, report):
        assert skipped in " ".join(shown.split())
        assert "The texts have almost no capital letters: names cannot be found" in " ".join(shown.split())
    assert json.loads((owned / "out" / "report.json").read_text())["subject"]["left_out"] == 60
    assert "give the texts in their original case" in report
    assert "give texts that name persons" not in report


def test_a_defect_has_its_own_exit_code(owned, vestige_command, monkeypatch):
    def broken(*_args, **_kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr("vestige.audit.run.plan_case", broken)
    ran = vestige_command(*build_command(owned))
    assert ran.code == 70
    assert "defect of Vestige" in ran.err


def with_labels(folder, **columns):
    """The same texts as CSV, with further columns."""
    texts = (folder / "texts.txt").read_text(encoding="utf-8").splitlines()
    rows = [
        ",".join([f'"{text}"', *(values[row % len(values)] for values in columns.values())])
        for row, text in enumerate(texts)
    ]
    place = folder / "labelled.csv"
    place.write_text("\n".join([",".join(["text", *columns]), *rows]) + "\n", encoding="utf-8")
    return ("audit", folder / "vectors.npy", "--texts", place, "--out", folder / "out")


@pytest.mark.parametrize(
    ("column", "message"),
    [("sides", "did you mean 'side'"), ("language", "is 'en' throughout; expected at least two classes")],
)
def test_a_named_column_that_is_no_attribute_ends_the_run(owned, vestige_command, column, message):
    ran = vestige_command(*with_labels(owned, side=["left", "right"], language=["en"]), "--attribute", column)
    assert ran.code == 2
    assert message in ran.err
    assert not (owned / "out" / "report.html").exists()


def test_attributes_are_attacked_and_gated(owned, vestige_command):
    given = with_labels(owned, side=["left", "right"], language=["en"])
    ran = vestige_command(*given, "--probe", "attributes", "--labels", 10, "--fail-on", "attributes>0.4")
    assert ran.code == 0
    record = json.loads((owned / "out" / "report.json").read_text())
    found = next(finding for finding in record["findings"] if finding["probe"] == "attributes")
    assert found["measures"][0]["label"].startswith("side: ")
    assert record["settings"]["labels"] == 10
    assert "held: attributes>0.4" in ran.out


def test_plain_text_comes_first_and_ci_gets_its_files(owned, vestige_command):
    """Texts stored with the vectors need no attack, and CI reads SARIF and JUnit."""
    vectors, texts = np.load(owned / "vectors.npy"), (owned / "texts.txt").read_text().splitlines()
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1])
    pq.write_table(pa.table({"vector": column, "text": texts}), owned / "store.parquet")
    files = ("--sarif", owned / "ci" / "audit.sarif", "--junit", owned / "ci" / "audit.xml")
    ran = vestige_command("audit", owned / "store.parquet", "--probe", "words", "--out", owned / "out", *files)
    assert ran.code == 0
    record = json.loads((owned / "out" / "report.json").read_text())
    assert record["verdict"]["sentences"][0].startswith("Column 'text' contains plain text in 100% of rows")
    assert record["preflight"]["checks"][0]["name"] == "plaintext"
    assert record["subject"]["stored"]["texts"]
    page = (owned / "out" / "report.html").read_text()
    assert page.index("<h2>Preflight</h2>") < page.index("Can a stranger who has similar text recover your words?</h2>")
    (run,) = json.loads((owned / "ci" / "audit.sarif").read_text())["runs"]
    assert {result["ruleId"] for result in run["results"]} >= {"preflight/plaintext", "audit/words"}
    suites = ET.fromstring((owned / "ci" / "audit.xml").read_text())
    assert {suite.get("name") for suite in suites} >= {"vestige.preflight"}


def test_bad_input_is_written_to_the_files_of_ci(owned, vestige_command):
    spoil(owned, "vectors.npy", b"")
    files = ("--sarif", owned / "ci" / "audit.sarif", "--junit", owned / "ci" / "audit.xml")
    ran = vestige_command(*build_command(owned, *files))
    assert ran.code == 2
    message = ran.err.removeprefix("error: ").strip()
    (run,) = json.loads((owned / "ci" / "audit.sarif").read_text())["runs"]
    assert run["results"] == []
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification == {"level": "error", "message": {"text": message}}
    suites = ET.fromstring((owned / "ci" / "audit.xml").read_text())
    assert (suites.get("tests"), suites.get("errors"), suites.get("failures")) == ("1", "1", "0")
    assert suites.find("testsuite/testcase/error").get("message") == message
    assert not (owned / "out").exists()
    assert len(list((owned / "ci").iterdir())) == 2


@pytest.mark.parametrize("option", ["--sarif", "--junit"])
@pytest.mark.parametrize("name", ["vectors.npy", "texts.txt", "pipe"])
def test_a_ci_file_never_replaces_what_another_program_wrote(option, name, owned, vestige_command):
    os.mkfifo(owned / "pipe")
    before = {path.name: path.read_bytes() for path in owned.iterdir() if path.is_file()}
    ran = vestige_command(*build_command(owned, option, owned / name))
    assert ran.code == 2
    assert f"{name} exists, and {option} did not write it" in ran.err
    assert {path.name: path.read_bytes() for path in owned.iterdir() if path.is_file()} == before
    assert (owned / "pipe").is_fifo()


def test_one_file_for_sarif_and_junit_is_refused(owned, vestige_command):
    ran = vestige_command(*build_command(owned, "--sarif", owned / "ci.out", "--junit", owned / "ci.out"))
    assert (ran.code, "name two files" in ran.err) == (2, True)


def test_a_ci_file_that_cannot_be_written_is_the_error(owned, vestige_command):
    ran = vestige_command(*build_command(owned, "--sarif", "/dev/null/audit.sarif", "--junit", owned / "audit.xml"))
    assert ran.code == 2
    assert "/dev/null cannot be written" in ran.err
