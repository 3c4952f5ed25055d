import json
from xml.etree import ElementTree as ET

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest


def audited(folder, *more):
    return ("audit", folder / "vectors.npy", "--texts", folder / "texts.txt", "--out", folder / "out", *more)


def test_it_ends_with_a_verdict_and_the_path_of_the_report(owned, vestige_command):
    ran = vestige_command(*audited(owned))
    assert ran.code == 0
    assert "Whoever holds these vectors can read much of the text." in ran.out
    assert ran.out.strip().splitlines()[-1] == f"report: {owned / 'out' / 'report.html'}"
    assert ran.err == ""
    for name in ("report.html", "report.json", "report.md"):
        assert (owned / "out" / name).stat().st_size > 1000


def test_json_is_alone_on_standard_output(owned, vestige_command):
    ran = vestige_command(*audited(owned, "--json"))
    assert json.loads(ran.out) == json.loads((owned / "out" / "report.json").read_text())
    assert "report.html" in ran.err


def test_a_second_run_writes_the_same_bytes(owned, vestige_command):
    vestige_command(*audited(owned))
    first = (owned / "out" / "report.json").read_bytes()
    vestige_command(*audited(owned))
    assert (owned / "out" / "report.json").read_bytes() == first


@pytest.mark.parametrize(("limit", "code"), [("words>0.95", 0), ("words>0.05", 1)])
def test_the_gate_sets_the_exit_code(owned, vestige_command, limit, code):
    ran = vestige_command(*audited(owned, "--fail-on", limit))
    assert ran.code == code
    assert limit in ran.out
    assert (owned / "out" / "report.html").is_file()


def test_text_is_masked_unless_asked_for(owned, vestige_command):
    def tokens():
        finding = json.loads((owned / "out" / "report.json").read_text())["findings"][0]
        return [token for example in finding["examples"] for token in example["tokens"]]

    vestige_command(*audited(owned))
    assert {token["state"] for token in tokens() if token["text"]} == {"hit"}
    vestige_command(*audited(owned, "--show-text"))
    assert {token["state"] for token in tokens() if token["text"]} > {"hit"}
    assert all(token["text"] for token in tokens())


def spoil(folder, name, content):
    (folder / name).write_bytes(content)


def spoil_vectors(folder, change):
    vectors = np.load(folder / "vectors.npy")
    np.save(folder / "vectors.npy", change(vectors))


def untouched(_folder):
    """The files are fine; the arguments are not."""


def poisoned(vectors):
    vectors[3, 3] = np.nan
    return vectors


BAD = {
    "missing vectors": (lambda f: (f / "vectors.npy").unlink(), (), "vectors.npy is not there"),
    "missing texts": (lambda f: (f / "texts.txt").unlink(), (), "texts.txt is not there"),
    "empty texts": (lambda f: spoil(f, "texts.txt", b""), (), "texts.txt is empty"),
    "empty vectors": (lambda f: spoil(f, "vectors.npy", b""), (), "vectors.npy is empty"),
    "unknown extension": (untouched, ("--texts", "letters.doc"), "ends in '.doc'"),
    "not UTF-8": (lambda f: spoil(f, "texts.txt", b"caf\xe9\n"), (), "is not UTF-8"),
    "no such column": (untouched, ("--text-column", "body"), "no column 'body'"),
    "too few texts": (
        lambda f: (spoil(f, "texts.txt", b"one bank\ntwo banks\n"), spoil_vectors(f, lambda v: v[:2])),
        (),
        "expected at least 20",
    ),
    "NaN": (lambda f: spoil_vectors(f, poisoned), (), "NaN or infinite values in 1 of 300 rows"),
    "infinite": (lambda f: spoil_vectors(f, lambda v: v + np.inf), (), "NaN or infinite values in 300 of 300"),
    "wrong dimension": (untouched, ("--encoder", "minilm"), "64 dimensions, and 'minilm' gives 384"),
    "counts differ": (lambda f: spoil_vectors(f, lambda v: v[:-1]), (), "299 rows but texts.txt has 300 texts"),
    "unknown encoder": (untouched, ("--encoder", "minilmm"), "did you mean 'minilm'"),
    "unknown corpus": (untouched, ("--texts", "speech"), "did you mean 'speeches'"),
    "learned by no encoder": (untouched, ("--trained-on", "complaints"), "name the encoder with --encoder"),
    "unknown learned corpus": (untouched, ("--trained-on", "speech"), "did you mean 'speeches'"),
    "bad gate": (untouched, ("--fail-on", "words"), "gate 'words' cannot be read"),
    "unwritable folder": (untouched, ("--out", "/dev/null/report"), "cannot be written"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gives_one_message_exit_code_2_and_leaves_nothing(owned, vestige_command, name):
    spoilt, arguments, message = BAD[name]
    spoilt(owned)
    before = sorted(owned.rglob("*"))
    ran = vestige_command(*audited(owned, *arguments))
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.startswith("error: ")
    assert len(ran.err.strip().splitlines()) == 1
    assert ran.out == ""
    assert sorted(owned.rglob("*")) == before


def test_an_option_that_is_not_there(vestige_command):
    ran = vestige_command("audit", "--encodr", "minilm")
    assert ran.code == 2
    assert "--encoder" in ran.err


def test_too_little_auxiliary_text_leaves_nothing_either(owned, vestige_command):
    (owned / "little.txt").write_text("one bank fee that nobody explained to any of us", encoding="utf-8")
    before = sorted(owned.rglob("*"))
    where = ("--auxiliary", owned / "little.txt", "--out", owned / "out")
    ran = vestige_command("audit", "--texts", "complaints", "--encoder", "minilm", *where)
    assert (ran.code, ran.out) == (2, "")
    assert "little.txt gives 1 auxiliary texts, sentence by sentence" in ran.err
    assert sorted(owned.rglob("*")) == before


def test_a_full_disk_is_bad_input_and_not_a_failed_gate(owned, vestige_command, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "report.json")

    monkeypatch.setattr("vestige.report.write.write_whole", full)
    ran = vestige_command(*audited(owned))
    assert ran.code == 2
    assert ran.err == "error: report.json cannot be used (No space left on device); mend that and run again\n"


def test_ctrl_c_says_how_to_go_on(owned, vestige_command, monkeypatch):
    def stop(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("vestige.audit.run.prepare", stop)
    ran = vestige_command(*audited(owned))
    assert ran.code == 130
    assert "the same command goes on where it was" in ran.err


def test_vectors_alone_are_asked_what_needs_no_text(owned, vestige_command):
    ran = vestige_command("audit", owned / "vectors.npy", "--out", owned / "out")
    assert ran.code == 0
    assert "What a stranger could read of the texts was not measured." in ran.out
    assert "not run: words: the texts behind the vectors are not there" in ran.out
    told = json.loads((owned / "out" / "report.json").read_text())
    assert [finding["probe"] for finding in told["findings"]] == ["membership"]
    assert told["preflight"]["checks"]
    assert "learns from these to read words" in (owned / "out" / "report.html").read_text()
    assert "learns from these to read words" in (owned / "out" / "report.md").read_text()


def test_too_few_vectors_alone_measure_nothing_and_say_so(owned, vestige_command):
    spoil_vectors(owned, lambda vectors: vectors[:50])
    ran = vestige_command("audit", owned / "vectors.npy", "--out", owned / "out")
    assert ran.code == 2
    assert "nothing could be measured: the texts behind the vectors are not there" in ran.err
    assert (owned / "out" / "report.html").is_file()


def test_a_defect_is_told_apart_from_a_failed_gate(owned, vestige_command, monkeypatch):
    def broken(*_args, **_kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr("vestige.audit.run.prepare", broken)
    ran = vestige_command(*audited(owned))
    assert ran.code == 70
    assert "defect of Vestige" in ran.err


def with_labels(folder, **columns):
    """The same texts as CSV, with columns beside them."""
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
    [("sides", "did you mean 'side'"), ("language", "is 'en' throughout; expected two classes")],
)
def test_a_column_that_is_no_attribute_ends_the_run_where_it_was_named(owned, vestige_command, column, message):
    ran = vestige_command(*with_labels(owned, side=["left", "right"], language=["en"]), "--attribute", column)
    assert ran.code == 2
    assert message in ran.err
    assert not (owned / "out" / "report.html").exists()


def test_attributes_are_attacked_and_limits_on_them_are_held(owned, vestige_command):
    given = with_labels(owned, side=["left", "right"], language=["en"])
    ran = vestige_command(*given, "--labels", 10, "--fail-on", "attributes>0.4")
    assert ran.code == 0
    record = json.loads((owned / "out" / "report.json").read_text())
    found = next(finding for finding in record["findings"] if finding["probe"] == "attributes")
    assert found["measures"][0]["label"].startswith("side: ")
    assert record["settings"]["labels"] == 10
    assert "held: attributes>0.4" in ran.out


def test_what_lies_in_clear_comes_first_and_machines_get_their_files(owned, vestige_command):
    """The texts beside the vectors need no attack, and CI reads SARIF and JUnit."""
    vectors, texts = np.load(owned / "vectors.npy"), (owned / "texts.txt").read_text().splitlines()
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1])
    pq.write_table(pa.table({"vector": column, "text": texts}), owned / "store.parquet")
    files = ("--sarif", owned / "told" / "audit.sarif", "--junit", owned / "told" / "audit.xml")
    ran = vestige_command("audit", owned / "store.parquet", "--out", owned / "out", *files)
    assert ran.code == 0
    told = json.loads((owned / "out" / "report.json").read_text())
    assert told["verdict"]["sentences"][0].startswith("Column 'text' holds text in clear in 100% of rows")
    assert told["preflight"]["checks"][0]["name"] == "plaintext"
    assert told["subject"]["stored"]["texts"]
    page = (owned / "out" / "report.html").read_text()
    assert page.index("Before any attack") < page.index("Can a stranger who has similar text read your words?</h2>")
    (run,) = json.loads((owned / "told" / "audit.sarif").read_text())["runs"]
    assert {result["ruleId"] for result in run["results"]} >= {"preflight/plaintext", "audit/words"}
    suites = ET.fromstring((owned / "told" / "audit.xml").read_text())
    assert {suite.get("name") for suite in suites} >= {"vestige.preflight"}


def test_bad_input_is_told_in_the_files_that_machines_read(owned, vestige_command):
    spoil(owned, "vectors.npy", b"")
    files = ("--sarif", owned / "told" / "audit.sarif", "--junit", owned / "told" / "audit.xml")
    ran = vestige_command(*audited(owned, *files))
    assert ran.code == 2
    message = ran.err.removeprefix("error: ").strip()
    (run,) = json.loads((owned / "told" / "audit.sarif").read_text())["runs"]
    assert run["results"] == []
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification == {"level": "error", "message": {"text": message}}
    suites = ET.fromstring((owned / "told" / "audit.xml").read_text())
    assert (suites.get("tests"), suites.get("errors"), suites.get("failures")) == ("1", "1", "0")
    assert suites.find("testsuite/testcase/error").get("message") == message
    assert not (owned / "out").exists()
    assert len(list((owned / "told").iterdir())) == 2


def test_a_file_for_machines_that_cannot_be_written_is_the_error(owned, vestige_command):
    ran = vestige_command(*audited(owned, "--sarif", "/dev/null/audit.sarif", "--junit", owned / "audit.xml"))
    assert ran.code == 2
    assert "/dev/null cannot be written" in ran.err
