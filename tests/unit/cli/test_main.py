"""The command `vestige` itself: version, help pages, and light imports."""

import re
import subprocess
import sys

import pytest
from typer.main import get_command

import vestige
from vestige.cli.command_keys import NOT_CONFIGURED
from vestige.cli.main import PANELS, app

NAMES = [name for commands in PANELS.values() for name in commands] + ["canaries plant", "canaries score"]


@pytest.fixture
def read_help(vestige_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def read(*command):
        ran = vestige_command(*command, "--help")
        assert ran.code == 0
        return ran.out

    return read


def test_version(vestige_command):
    assert vestige_command("--version").out.strip() == f"vestige {vestige.__version__}"


def test_no_arguments_give_help(vestige_command):
    assert "audit" in vestige_command().out


def test_the_help_of_an_audit_has_panels_with_the_common_options_first(read_help):
    page = read_help("audit")
    panels = re.findall(r"^╭─ (.+?) ─", page, re.M)
    assert panels == [
        *("Arguments", "Common options", "Input", "Adversary", "Probes", "Output", "Sizes"),
        "Columns, detected if not given",
    ]
    common = page[page.index("Common options") : page.index("─ Input ─")]
    options = ["--texts", "--encoder", "--probe", "--fail-on", "--out", "--preset", "--config", "--quiet", "--verbose"]
    assert re.findall(r"^│ (--[a-z-]+)", common, re.M) == [*options, "--help"]
    assert len(page.splitlines()) <= 140


def test_defend_has_the_same_panels(read_help):
    panels = (re.findall(r"^╭─ (.+?) ─", read_help(command), re.M) for command in ("audit", "defend"))
    assert len({tuple(each) for each in panels}) == 1


@pytest.mark.parametrize("command", ["", "canaries", *NAMES])
def test_every_page_fits_into_80_columns_and_explains_the_command(read_help, command):
    page = read_help(*command.split())
    assert max(map(len, page.splitlines())) <= 80
    assert "…" not in page
    assert re.search(r"^ [A-Z].{20,}", page.partition("Usage")[2], re.M)


@pytest.mark.parametrize("command", [name for name in NAMES if name not in NOT_CONFIGURED])
def test_every_command_that_reads_a_file_has_the_options_that_all_have(read_help, command):
    page = read_help(*command.split())
    assert all(f"--{name} " in page for name in ("config", "quiet", "verbose", "help"))


@pytest.mark.parametrize("command", NAMES)
def test_every_option_has_a_sentence_of_help(command):
    found = get_command(app)
    for name in command.split():
        found = found.commands[name]
    assert all(option.help.endswith(".") for option in found.params)


def print_in_new_process(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_help_imports_no_heavy_library():
    heavy = "[m for m in ('torch', 'transformers', 'sklearn', 'pyarrow') if m in sys.modules]"
    assert print_in_new_process(f"import sys, vestige.cli.main; print({heavy})") == "[]\n"
