"""Unknown tables and keys, and values of a wrong type, are errors with a line and a suggestion."""

import pytest

from vestige.config.config_file import read_config
from vestige.config.config_key import CommandTable, ConfigKey, check_tables
from vestige.errors import InputError

KEYS = [
    ConfigKey("source", "vectors", str),
    ConfigKey("targets", "targets", int),
    ConfigKey("within", "within", float),
    ConfigKey("show-text", "show_text", bool),
    ConfigKey("fail-on", "fail_on", str, many=True),
    ConfigKey("access", "access", str, choices=("pairs", "queries")),
]
AUDIT = CommandTable({key.name: key for key in KEYS}, named_runs=True)
PLANT = CommandTable({"out": ConfigKey("out", "out", str)}, named_runs=False)
COMMANDS = {("audit",): AUDIT, ("canaries", "plant"): PLANT}


@pytest.fixture
def check(tmp_path):
    def check(content):
        path = tmp_path / "vestige.toml"
        path.write_text(content)
        check_tables(read_config(path), COMMANDS)

    return check


def test_a_correct_file_passes(check):
    check(
        """
        [audit]
        targets = 5
        within = 1
        show-text = false
        fail-on = []
        access = "pairs"
        [audit.letters]
        source = "v.npy"
        fail-on = ["words>0.1"]
        [canaries.plant]
        out = "x"
        """
    )


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("\n[audti]\n", 2, "unknown table 'audti'; did you mean 'audit'? known tables: audit, canaries"),
        ("[canaries]\n[canaries.plnat]", 2, "unknown table 'plnat' in [canaries]; did you mean 'plant'?"),
        ("targets = 5\n", 1, "'targets' is in no table; put it below that of its command, such as [audit]"),
        ("audit = 5\n", 1, "'audit' is not a table; expected the line [audit]"),
        ("[[audit]]\n", 1, "'audit' is not a table"),
        (
            "[audit]\n\n# comment\ntarget = 5\n",
            4,
            "unknown key 'target' in [audit]; did you mean 'targets'?",
        ),
        ("[audit]\nvectors = 'v.npy'\n", 2, "unknown key 'vectors' in [audit]; did you mean 'source'?"),
        ("[audit]\nxyz = 1\n", 2, "unknown key 'xyz' in [audit]; known keys: "),
        ("[audit]\nfail_on = []\n", 2, "unknown key 'fail_on' in [audit]; did you mean 'fail-on'?"),
        ("[audit.letters]\nsorce = 'a'", 2, "unknown key 'sorce' in [audit.letters]; did you mean 'source'?"),
        ("audit.letters = { sorce = 1 }", 1, "unknown key 'sorce' in [audit.letters]"),
        ("[canaries.plant.a]\nout = 'x'", 1, "unknown key 'a' in [canaries.plant]"),
        ("[audit]\ntargets = '5'\n", 2, "'targets' in [audit] is the string \"5\"; expected a whole number"),
        ("[audit]\ntargets = true\n", 2, "'targets' in [audit] is true; expected a whole number"),
        ("[audit]\ntargets = 5.0\n", 2, "'targets' in [audit] is 5.0; expected a whole number"),
        ("[audit]\nwithin = 'a'\n", 2, "'within' in [audit] is the string \"a\"; expected a number"),
        ("[audit]\nshow-text = 1\n", 2, "'show-text' in [audit] is 1; expected true or false"),
        ("[audit]\nsource = ['a']\n", 2, "'source' in [audit] is an array; expected a string"),
        ("[audit]\nsource = 1979-05-27\n", 2, "'source' in [audit] is a date or time; expected a string"),
        (
            "[audit]\nfail-on = 'words>0.3'\n",
            2,
            '\'fail-on\' in [audit] is the string "words>0.3"; expected an array, as in fail-on = ["words>0.3"]',
        ),
        (
            "[audit]\nfail-on = ['a',\n 1]\n",
            3,
            "element 2 of 'fail-on' in [audit] is 1; expected a string",
        ),
        ("[audit]\naccess = 'pair'\n", 2, "'access' in [audit] is \"pair\"; did you mean 'pairs'?"),
        ("[audit.source]\n", 1, "'source' is an option of audit; choose another name for the table"),
        (
            "[audit]\nsend = true\n",
            2,
            "'send' may not be set in a file; to send texts to a paid service, give the flag",
        ),
        ("[audit.letters]\n\nsend = false\n", 3, "'send' may not be set in a file"),
        ("[audit]\nengine = 'ray'\n", 2, "'engine' may not be set in a file; to run on a cluster, whose machines"),
        (
            "[audit.letters]\naddress = 'ray://foreign:1'\n",
            2,
            "'address' may not be set in a file; to run on a cluster",
        ),
    ],
)
def test_a_fault_is_reported_with_its_line(check, content, line, message):
    with pytest.raises(InputError) as raised:
        check(content)
    assert f"vestige.toml:{line}: {message}" in str(raised.value)
