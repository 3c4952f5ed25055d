"""`vestige compare`."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.sample_comparison import base_result, new_result
from vestige.report.write import write_report


@pytest.fixture
def audits(tmp_path, monkeypatch):
    """A folder with two audits, `main` and `branch`."""
    write_report(base_result(), tmp_path / "main")
    write_report(new_result(), tmp_path / "branch")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_comparison_is_printed_and_written(audits, run):
    code, out, _ = run("compare", "main", "branch/report.json", "--out", "out")
    assert code == 0
    assert "'branch' leaks more than 'main' in words" in out
    assert "not comparable: names" in out
    assert sorted(path.name for path in (audits / "out").iterdir()) == ["compare.html", "compare.json", "compare.md"]


@pytest.mark.usefixtures("audits")
@pytest.mark.parametrize(("condition", "expected"), [("worse", 1), ("words>+0.02", 1), ("words>+0.2", 0)])
def test_a_condition_that_is_met_exits_with_1(run, condition, expected):
    code, out, _ = run("compare", "main", "branch", "--fail-on", condition)
    assert code == expected
    assert ("FAILED" in out) == bool(expected)


@pytest.mark.usefixtures("audits")
def test_json_is_alone_on_standard_output(run):
    code, out, err = run("compare", "main", "branch", "--json", "--probe", "words")
    assert code == 0
    assert [change["probe"] for change in json.loads(out)["changes"]] == ["words"]
    assert "compare.html" in err


def test_files_for_ci_are_written(audits, run):
    assert run("compare", "main", "branch", "--sarif", "ci/c.sarif", "--junit", "ci/c.xml")[0] == 0
    assert "compare/words" in (audits / "ci" / "c.sarif").read_text()
    assert "vestige.changes" in (audits / "ci" / "c.xml").read_text()


def test_a_path_that_does_not_exist_is_refused_and_ci_learns_of_it(audits, run):
    code, _, err = run("compare", "main", "nowhere", "--junit", "c.xml")
    assert code == 2
    assert "nowhere does not exist, and vestige.toml names no such audit; name a report.json" in err
    assert 'name="compare"' in (audits / "c.xml").read_text()


def test_an_audit_that_was_stopped_needs_an_option(audits, run):
    write_report(replace(new_result(), pending=("budget",)), audits / "stopped")
    code, _, err = run("compare", "main", "stopped")
    assert code == 2
    assert "stopped before budget" in err
    assert run("compare", "main", "stopped", "--allow-incomplete")[0] == 0


@pytest.mark.parametrize("broken", ["nothing in it", "not a report", "stopped"])
def test_a_side_that_is_no_result_is_refused_before_the_other_is_audited(tmp_path, run, monkeypatch, broken):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts.txt").write_text("a text\n" * 200)
    (tmp_path / "vestige.toml").write_text("[audit.notes]\ntexts = 'texts.txt'\nencoder = 'hashing:64'\n")
    (tmp_path / "letters").mkdir()
    if broken == "not a report":
        (tmp_path / "letters" / "report.json").write_text("{")
    if broken == "stopped":
        write_report(replace(new_result(), pending=("budget",)), tmp_path / "letters")
    code, _, err = run("compare", "notes", "letters")
    assert code == 2
    assert "letters" in err
    assert not (tmp_path / "vestige-audit").exists()


def test_a_named_audit_comes_before_a_path_of_that_name(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vestige.toml").write_text("[audit.letters]\ntexts = 'complaints'\nencoder = 'hashing:64'\n")
    write_report(base_result(), tmp_path / "letters")
    ran = []
    monkeypatch.setattr("vestige.cli.compare.run_configured_audit", lambda name, _file: ran.append(name) or name)
    code, _, err = run("compare", "letters", "./letters")
    assert (code, ran) == (0, ["letters"])
    assert "for the path, write ./letters" in err


def test_audits_of_the_configuration_are_run_on_the_same_targets(tmp_path, run, monkeypatch):
    from tests.conftest import WordSum, toy_corpus

    corpus = toy_corpus()
    (tmp_path / "texts.txt").write_text("\n".join(corpus.texts))
    vectors = WordSum().encode(corpus.texts)
    np.save(tmp_path / "plain.npy", vectors)
    noise = np.random.default_rng(0).normal(size=vectors.shape)
    np.save(tmp_path / "noisy.npy", (vectors + 3 * vectors.std() * noise).astype(np.float32))
    runs = "".join(f"[audit.{name}]\nsource = '{name}.npy'\n" for name in ("plain", "noisy"))
    (tmp_path / "vestige.toml").write_text(
        f"[audit]\ntexts = 'texts.txt'\nprobe = ['words']\ntargets = 120\npairs = 400\nshortest = 4\n"
        f"fail-on = ['words>0.01']\n{runs}"
    )
    monkeypatch.chdir(tmp_path)
    code, out, err = run("compare", "noisy", "plain", "--fail-on", "worse", "--json")
    assert "not a gate of the comparison: words>0.01: " in err
    assert "(would fail in the audit alone)" in err
    assert "FAILED: words>0.01" not in err
    recorded = json.loads((tmp_path / "vestige-audit" / "plain" / "report.json").read_text())
    assert [gate["gate"] for gate in recorded["gates"]] == ["words>0.01"]
    change = json.loads(out)["changes"][0]
    assert (code, change["probe"], change["change"], change["paired"]) == (1, "words", "worse", True)
    code, _, err = run("compare", "noisy", "plane")
    assert code == 2
    assert "plain" in err
