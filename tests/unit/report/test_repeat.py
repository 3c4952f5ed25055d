import inspect
from dataclasses import fields, replace

from tests.sample_result import SUBJECT, result, typical
from vestige.case.settings import Settings
from vestige.cli.audit import audit
from vestige.report.repeat import command


def test_the_command_names_inputs_settings_and_limits():
    assert command(typical()) == [
        "vestige audit",
        "--texts letters",
        "--encoder minilm",
        "--seed 0",
        "--targets 1000",
        "--pairs 12000",
        "--unit sentence",
        "--shortest 8",
        "--longest 40",
        "--vocabulary-size 8000",
        "--recipe default",
        "--access weights",
        "--rewritten 30",
        "--labels 50",
        "--precision fp32",
        "--fail-on 'words>0.30'",
        "--fail-on 'words.recall>0.9'",
    ]


def test_vectors_come_first_and_strange_names_are_quoted():
    subject = replace(SUBJECT, vectors="my vectors.npy", encoder=None, auxiliary="$(rm).txt", trained_on="my half.txt")
    lines = command(replace(result(show_text=True), subject=subject))
    assert lines is not None
    assert lines[0] == "vestige audit 'my vectors.npy'"
    assert "--auxiliary '$(rm).txt'" in lines
    assert "--trained-on 'my half.txt'" in lines
    assert "--show-text" in lines
    assert not [line for line in lines if line.startswith("--encoder")]


def test_what_was_given_in_python_has_no_command():
    assert command(replace(result(), subject=replace(SUBJECT, named=False))) is None


def test_every_setting_is_an_option_of_the_command_line():
    understood = set(inspect.signature(audit).parameters)
    assert {"vectors", "texts", "encoder", "auxiliary", "trained_on", "fail_on"} <= understood
    assert {field.name for field in fields(Settings)} <= understood


def test_the_command_lines_defaults_are_the_settings_own():
    defaults = {name: option.default for name, option in inspect.signature(audit).parameters.items()}
    lists = {"keywords", "patterns", "attributes", "probes"}
    assert all(defaults[name] is None for name in lists)
    others = [field.name for field in fields(Settings) if field.name not in lists]
    assert all(defaults[name] == getattr(Settings(), name) for name in others)


def test_every_attribute_that_was_named_is_an_option_of_its_own():
    lines = command(replace(result(), settings=Settings(attributes=("author", "my label"))))
    assert lines is not None
    assert [line for line in lines if line.startswith("--attribute")] == [
        "--attribute author",
        "--attribute 'my label'",
    ]
