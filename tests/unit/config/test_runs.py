"""A named run takes what it does not set from the table of its command."""

import pytest

from vestige.config.config_file import read_config
from vestige.config.config_key import CommandTable, ConfigKey
from vestige.config.runs import INPUT_KEYS, borrow_inputs, build_run, list_runs
from vestige.errors import InputError

KEYS = [
    ConfigKey("source", "vectors", str, metavar="SOURCE"),
    ConfigKey("targets", "targets", int),
    ConfigKey("fail-on", "fail_on", str, many=True),
    ConfigKey("auxiliary", "auxiliary", str, metavar="FILE"),
    ConfigKey("out", "out", str, metavar="FOLDER", is_path=True, default="vestige-audit"),
]
AUDIT = CommandTable({key.name: key for key in KEYS}, named_runs=True)


@pytest.fixture
def read(tmp_path):
    def read(content):
        path = tmp_path / "vestige.toml"
        path.write_text(content)
        return read_config(path)

    return read


def test_values_are_inherited_and_replaced_key_by_key(read, tmp_path):
    (tmp_path / "v.npy").touch()
    file = read("[audit]\ntargets = 5\nfail-on = ['a', 'b']\n[audit.letters]\nsource = 'v.npy'\nfail-on = ['c']\n")
    run = build_run(file, ("audit",), AUDIT, "letters")
    assert run.values == {
        "targets": 5,
        "fail_on": ["c"],
        "vectors": f"{tmp_path}/v.npy",
        "out": f"{tmp_path}/vestige-audit/letters",
    }
    assert run.places["targets"] == ("audit", "targets")
    assert run.places["fail_on"] == ("audit", "letters", "fail-on")
    assert build_run(file, ("audit",), AUDIT, None).values == {"targets": 5, "fail_on": ["a", "b"]}
    assert list_runs(file, ("audit",)) == ["letters"]
    assert list_runs(file, ("defend",)) == []


def test_a_named_run_has_a_folder_below_that_of_the_table_or_its_own(read, tmp_path):
    file = read("[audit]\nout = 'all'\n[audit.a]\n[audit.b]\nout = 'other'\n")
    assert build_run(file, ("audit",), AUDIT, "a").values["out"] == f"{tmp_path}/all/a"
    assert build_run(file, ("audit",), AUDIT, "b").values["out"] == f"{tmp_path}/other"


def test_only_the_files_of_the_chosen_run_must_exist(read):
    file = read("[audit.a]\n[audit.b]\n\nauxiliary = 'nowhere.txt'\n")
    build_run(file, ("audit",), AUDIT, "a")
    with pytest.raises(InputError, match=r"vestige.toml:4: auxiliary = 'nowhere.txt': .*nowhere.txt does not exist"):
        build_run(file, ("audit",), AUDIT, "b")


def test_a_command_that_borrows_the_inputs_of_an_audit_writes_to_a_folder_of_its_own(read, tmp_path):
    (tmp_path / "v.npy").touch()
    keys = [each for each in KEYS if each.name in ("source", "targets")]
    keys.append(ConfigKey("out", "out", str, metavar="FOLDER", is_path=True, default="vestige-defend"))
    lent = {name: ConfigKey(name, name, str) for name in INPUT_KEYS} | AUDIT.keys
    commands = {("audit",): CommandTable(lent, True), ("defend",): CommandTable({key.name: key for key in keys}, True)}
    file = read("[audit.letters]\nsource = 'v.npy'\ntargets = 7\n[audit.mails]\nsource = 'v.npy'\n")
    run = borrow_inputs(file, ("defend",), commands, "letters")
    assert run.values == {"vectors": f"{tmp_path}/v.npy", "out": f"{tmp_path}/vestige-defend/letters"}
    assert borrow_inputs(file, ("defend",), commands, "mails").values["out"] == f"{tmp_path}/vestige-defend/mails"
