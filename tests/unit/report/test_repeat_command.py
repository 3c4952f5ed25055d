import inspect
from dataclasses import fields, make_dataclass, replace

import pytest
import typer.main

from tests.sample_frontier import swept
from tests.sample_result import SUBJECT, result, typical
from vestige.case.settings import Settings
from vestige.cli.audit import audit
from vestige.cli.build_settings import build_settings
from vestige.cli.main import app
from vestige.report.repeat_command import (
    build_audit_command,
    build_audit_config,
    build_command,
    build_defend_command,
    build_defend_config,
)


def test_the_command_names_inputs_settings_and_limits():
    assert build_audit_command(typical()) == [
        "vestige audit",
        "--texts letters",
        "--encoder minilm",
        "--seed 0",
        "--targets 1000",
        "--pairs 8000",
        "--unit sentence",
        "--shortest 8",
        "--longest 40",
        "--vocabulary-size 8000",
        "--recipe default",
        "--access weights",
        "--rewritten 30",
        "--labels 50",
        "--importance tfidf",
        "--precision fp32",
        "--fail-on 'words>0.30'",
        "--fail-on 'words.recall>0.9'",
    ]


def test_vectors_come_first_and_odd_names_are_quoted():
    subject = replace(SUBJECT, vectors="my vectors.npy", encoder=None, auxiliary="$(rm).txt", trained_on="my half.txt")
    lines = build_audit_command(replace(result(show_text=True), subject=subject))
    assert lines is not None
    assert lines[0] == "vestige audit 'my vectors.npy'"
    assert "--auxiliary '$(rm).txt'" in lines
    assert "--trained-on 'my half.txt'" in lines
    assert "--show-text" in lines
    assert not [line for line in lines if line.startswith("--encoder")]


def test_inputs_passed_in_python_have_no_command():
    assert build_audit_command(replace(result(), subject=replace(SUBJECT, named=False))) is None


def test_every_setting_is_an_option_of_the_command_line():
    understood = set(inspect.signature(audit).parameters)
    assert {"vectors", "texts", "encoder", "auxiliary", "trained_on", "fail_on"} <= understood
    assert {field.name for field in fields(Settings)} <= understood


def test_the_command_lines_defaults_are_the_settings_own():
    defaults = {name: option.default for name, option in inspect.signature(audit).parameters.items()}
    lists = {"keywords", "patterns", "attributes", "probes", "vocabulary", "budgets"}
    assert all(defaults[name] is None for name in lists)
    others = [field.name for field in fields(Settings) if field.name not in lists]
    assert all(defaults[name] == getattr(Settings(), name) for name in others)


def test_every_named_attribute_is_an_option_of_its_own():
    lines = build_audit_command(replace(result(), settings=Settings(attributes=("author", "my label"))))
    assert lines is not None
    assert [line for line in lines if line.startswith("--attribute")] == [
        "--attribute author",
        "--attribute 'my label'",
    ]


def test_the_command_repeats_the_sweep():
    lines = build_defend_command(swept(task="product"))
    assert lines is not None
    assert lines[0] == "vestige defend"
    assert "--limit 'words<0.10'" in lines
    assert "--defenses rotation,gaussian:3000,pca:16,leace" in lines
    assert "--task product" in lines
    assert "--no-halving" in build_defend_command(swept(halving=False))
    narrowed = replace(swept(), settings=Settings(probes=("words",), sample=700, vector_column="v", id_column="i"))
    assert {"--probe words", "--sample 700", "--vector-column v", "--id-column i"} <= set(
        build_defend_command(narrowed)
    )
    assert build_defend_command(replace(swept(), settings=Settings(keywords=("a,b",)))) is None


def test_options_that_are_not_set_are_not_typed():
    options = [("seed", 0), ("task", None), ("show_text", True), ("send", False)]
    assert build_command("vestige audit", "my v.npy", options) == [
        "vestige audit 'my v.npy'",
        "--seed 0",
        "--show-text",
    ]


@pytest.fixture
def parse(tmp_path, monkeypatch):
    """Parse a vestige.toml as a command does; gives the parameters of the command."""
    monkeypatch.chdir(tmp_path)
    root = typer.main.get_command(app)

    def parse(config, command):
        (tmp_path / "vestige.toml").write_text(config, encoding="utf-8")
        with root.make_context("vestige", [command], resilient_parsing=True) as outer:
            outer.resilient_parsing = False
            return root.commands[command].make_context(command, [], parent=outer).params

    return parse


def read_settings(parameters):
    return build_settings(make_dataclass("Options", parameters)(**parameters))


def test_the_file_gives_back_the_settings_inputs_and_gates_of_the_audit(parse, tmp_path):
    for name in ("my vectors.npy", "letters.csv", 'odd"name.txt'):
        (tmp_path / name).touch()
    settings = Settings(
        targets=50, pairs=300, queries=5, keywords=("debt", "a b"), patterns=("genome",), attributes=("a b", "é"),
        probes=("words", "names"), access="pairs", show_text=True, vector_column="v", sample=700, precision="bf16",
    )  # fmt: skip
    subject = replace(SUBJECT, vectors="my vectors.npy", corpus="letters.csv", auxiliary='odd"name.txt')
    audited = replace(typical(), settings=settings, subject=subject)
    parameters = parse(build_audit_config(audited), "audit")
    assert read_settings(parameters) == settings
    assert parameters["fail_on"] == [gate.gate for gate in audited.gates]
    named = {name: parameters[name] for name in ("vectors", "texts", "encoder", "auxiliary", "trained_on")}
    assert named == {
        "vectors": "my vectors.npy",
        "texts": "letters.csv",
        "encoder": "minilm",
        "auxiliary": 'odd"name.txt',
        "trained_on": None,
    }


@pytest.mark.parametrize("halving", [True, False])
def test_the_file_gives_back_the_sweep(parse, tmp_path, halving):
    sweep = swept(task="product", halving=halving)
    for name in (sweep.subject.vectors, sweep.subject.corpus):
        if name:
            (tmp_path / name).touch()
    parameters = parse(build_defend_config(sweep), "defend")
    assert read_settings(parameters) == sweep.settings
    assert (parameters["halving"], parameters["task"], parameters["draws"]) == (halving, "product", sweep.draws)
    assert parameters["limits"] == list(sweep.limits)
    assert parameters["defenses"] == ",".join(sweep.defenses)


def test_inputs_passed_in_python_have_no_file():
    subject = replace(SUBJECT, named=False)
    assert build_audit_config(replace(result(), subject=subject)) is None
    assert build_defend_config(replace(swept(), subject=subject)) is None
