"""Every command takes its defaults from vestige.toml and from presets: flag, then file, then preset, then default."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import pytest
import typer

from vestige.case.settings import PRESETS, Settings
from vestige.cli import options
from vestige.cli.configured import list_run_names
from vestige.cli.main import app
from vestige.cli.option_groups import CommandApp, grouped
from vestige.errors import InputError

RAN = {}


@dataclass(frozen=True, kw_only=True)
class Inputs:
    panel: ClassVar[str] = "Common options"
    vectors: options.OptionalSource = None
    texts: options.Texts = None
    encoder: options.Encoder = None
    probes: Annotated[list[str] | None, typer.Option("--probe", metavar="NAME", help="A probe.")] = None
    seed: options.Seed = 0
    send: options.Send = False
    show_text: Annotated[bool, typer.Option("--show-text/--no-show-text", help="Show.")] = False
    fail_on: Annotated[list[str] | None, typer.Option(metavar="GATE", help="Fail.")] = None
    within: Annotated[float | None, typer.Option(metavar="MARGIN", help="Margin.")] = None
    out: options.OutFolder = Path("vestige-audit")


@grouped
def audit(inputs: Inputs, adversary: options.AdversaryOptions, sizes: options.SizeOptions) -> None:
    """Record what the command was called with."""
    RAN.clear()
    RAN.update({name: getattr(group, name) for group in (inputs, adversary, sizes) for name in vars(group)})


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `audit` in a folder, after writing its vestige.toml."""
    monkeypatch.chdir(tmp_path)
    small = CommandApp()
    small.command("audit")(audit)
    small.command("other")(lambda: None)

    def call(content, *arguments):
        (tmp_path / "vestige.toml").write_text(content)
        assert typer.main.get_command(small)(["audit", *arguments], standalone_mode=False) in (None, 0)
        return dict(RAN)

    return call


def test_a_preset_also_runs_the_probes_that_gates_need(run):
    assert run("[audit]\npreset = 'quick'\nfail-on = ['names>0.1']\n")["probes"] == ["words", "attributes", "names"]
    assert run("[audit]\npreset = 'quick'\nfail-on = ['words>0.1']\n")["probes"] == ["words", "attributes"]


def test_an_option_that_was_typed_drops_its_alternative_in_the_file(run):
    assert run("[audit]\nwithin = 0.05\n", "--targets", "300")["within"] is None
    assert run("[audit]\ntargets = 300\n", "--within", "0.05")["within"] == 0.05
    with pytest.raises(InputError, match="--targets and --within contradict each other"):
        run("", "--targets", "300", "--within", "0.05")
    assert run("[audit]\nquiet = true\n", "--verbose")
    assert run("[audit]\nshow-text = true\n", "--no-show-text")["show_text"] is False


def test_the_order_is_flag_file_preset_default(run):
    file = "[audit]\npreset = 'quick'\npairs = 4000\n"
    got = run(file)
    assert (got["targets"], got["pairs"], got["longest"]) == (PRESETS["quick"]["targets"], 4000, 40)
    assert tuple(got["probes"]) == PRESETS["quick"]["probes"]
    got = run(file, "--pairs", "5000", "--preset", "thorough", "--probe", "names")
    assert (got["targets"], got["pairs"]) == (PRESETS["thorough"]["targets"], 5000)
    assert got["probes"] == ["names"]
    assert run("")["targets"] == Settings().targets


def test_values_have_the_types_of_the_options(run):
    got = run("[audit]\nprobe = ['words']\nshow-text = true\nout = 'folder'\nseed = 3\n")
    assert got["probes"] == ["words"]
    assert got["show_text"] is True
    assert got["out"] == Path("folder")
    assert got["seed"] == 3


def test_an_array_typed_as_flags_replaces_that_of_the_file(run):
    assert run("[audit]\nprobe = ['words', 'names']\n", "--probe", "budget")["probes"] == ["budget"]


def test_a_named_audit_is_selected_by_its_name(run, tmp_path, capsys):
    (tmp_path / "v.npy").touch()
    got = run("[audit]\nseed = 1\n[audit.letters]\nsource = 'v.npy'\ntargets = 50\n", "letters", "--seed", "7")
    assert (got["vectors"], got["targets"], got["seed"]) == ("v.npy", 50, 7)
    assert got["out"] == Path("vestige-audit/letters")
    assert "vestige.toml [audit.letters]" in capsys.readouterr().err


def test_a_named_audit_without_a_source_has_none(run):
    assert run("[audit.letters]\ntexts = 'complaints'\n", "letters")["vectors"] is None


def test_a_named_audit_takes_another_source(run, tmp_path):
    for name in ("v.npy", "w.npy"):
        (tmp_path / name).touch()
    file = "[audit.letters]\nsource = 'v.npy'\ntargets = 50\n"
    got = run(file, "letters", "--source", "w.npy")
    assert (got["vectors"], got["targets"]) == ("w.npy", 50)
    assert run("[audit.letters]\ntexts = 'complaints'\n", "letters", "--source", "w.npy")["vectors"] == "w.npy"
    assert run(file, "--source", "w.npy")["vectors"] == "w.npy"
    with pytest.raises(InputError, match=r"'v.npy' and --source both name vectors"):
        run(file, "v.npy", "--source", "w.npy")


def test_an_empty_encoder_takes_back_that_of_the_file(run, tmp_path):
    (tmp_path / "w.npy").touch()
    file = "[audit.letters]\ntexts = 'complaints'\nencoder = 'minilm'\n"
    assert run(file, "letters")["encoder"] == "minilm"
    assert run(file, "letters", "--source", "w.npy", "--encoder", "")["encoder"] is None


def test_an_audit_wins_over_a_file_of_its_name_and_says_so(run, tmp_path, capsys):
    (tmp_path / "letters").touch()
    file = "[audit.letters]\nsource = 'letters'\nseed = 4\n"
    assert run(file, "letters")["seed"] == 4
    assert "for the file, write ./letters" in capsys.readouterr().err
    assert run(file, "./letters")["seed"] == 0


def test_an_audit_must_be_named_if_the_table_has_no_input(run):
    file = "[audit]\nseed = 1\n[audit.letters]\n[audit.notes]\n"
    with pytest.raises(InputError, match=r"vestige.toml:3: .*choose one: vestige audit letters\|notes"):
        run(file)
    assert run(file, "--texts", "complaints")["seed"] == 1


def test_a_misspelt_audit_is_suggested(run):
    with pytest.raises(InputError, match=r"vestige.toml:2: .*neither a file nor a run .*did you mean 'letters'"):
        run("[audit]\n[audit.letters]\n", "leters")


def test_a_value_out_of_range_has_a_line(run):
    with pytest.raises(InputError, match=r"vestige.toml:2: 'seed' is -1: .*greater than or equal to 0"):
        run("[audit]\nseed = -1\n")


def test_sending_needs_the_flag(run):
    with pytest.raises(InputError, match=r"vestige.toml:2: 'send' may not be set in a file.*--send"):
        run("[audit]\nsend = true\n")
    assert run("", "--send")["send"] is True


def test_another_file_is_named_with_a_flag(run, tmp_path):
    (tmp_path / "other.toml").write_text("[audit]\nseed = 9\n")
    assert run("[audit]\nseed = 1\n", "--config", "other.toml")["seed"] == 9


def test_quiet_mentions_no_settings(run, capsys):
    run("[audit]\nseed = 1\n", "--quiet")
    assert capsys.readouterr().err == ""


def test_paths_of_a_file_in_a_parent_folder_start_there(run, tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    (tmp_path / "texts.txt").touch()
    (tmp_path / "vestige.toml").write_text("")
    monkeypatch.chdir(tmp_path / "inner")
    assert run("[audit]\ntexts = 'texts.txt'\n")["texts"] == str(tmp_path / "texts.txt")


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("[audit]\ntargets = [\n", 3, "not valid TOML"),
        ("[audit]\n\ntarget = 300\n", 3, "did you mean 'targets'"),
        ("[audit]\ntargets = '300'\n", 2, "expected a whole number"),
        ("[audit.a]\nseed = 1\n[audit.a]\n", 3, "defined twice"),
        ("[audit]\n# a comment\nsource = 'nowhere.npy'\n", 3, "nowhere.npy does not exist"),
        ("[encode]\nencoder = 'minilm'\nfail-on = []\n", 3, "unknown key 'fail-on' in [encode]"),
        ("[audit]\n[canaries.plant]\neach = 'x'\n", 3, "expected a whole number"),
    ],
)
def test_a_broken_file_ends_every_command_with_code_2_and_the_line(
    vestige_command, tmp_path, monkeypatch, content, line, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vestige.toml").write_text(content)
    ran = vestige_command("audit")
    assert ran.code == 2
    assert f"vestige.toml:{line}: " in ran.err
    assert message in ran.err
    assert ran.out == ""


def test_help_works_with_a_broken_file(vestige_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vestige.toml").write_text("[")
    assert vestige_command("audit", "--help").code == 0


def test_a_missing_file_is_reported(vestige_command):
    ran = vestige_command("list", "--config", "nowhere.toml")
    assert ran.code == 2
    assert "nowhere.toml cannot be read" in ran.err


def test_commands_other_than_audit_and_subcommands_read_the_file(vestige_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vestige.toml").write_text(
        "[list]\njson = true\n[canaries.plant]\ntexts = 'complaints'\nkey = 'k.json'\nout = 't.csv'\neach = 10\n"
    )
    assert vestige_command("list").out.startswith("{")
    ran = vestige_command("canaries", "plant", "--times", "1,4")
    assert (ran.code, "and 50 canaries" in ran.out) == (0, True)
    assert (tmp_path / "k.json").is_file()


def test_names_of_runs_are_listed_for_completion(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    root = typer.main.get_command(app)
    command = root.commands["audit"]
    with root.make_context("vestige", ["audit"], resilient_parsing=True) as outer:
        context = command.context_class(command, info_name="audit", parent=outer)
        assert list_run_names(context) == []
        (tmp_path / "vestige.toml").write_text("[audit.letters]\n[audit.notes]\n")
        assert list_run_names(context) == ["letters", "notes"]
        (tmp_path / "vestige.toml").write_text("[")
        assert list_run_names(context) == []


@pytest.mark.parametrize(
    ("content", "command", "line", "fault"),
    [
        ("[audit]\nfail-on = [\n  'words>0.3',\n  'wrods>0.3',\n]\n", "audit", 4, "names no probe"),
        ("[audit]\nprobe = ['words', 'wrods']\n", "audit", 2, "unknown probe 'wrods'"),
        ("[audit]\ntexts = 'complaints'\nencoder = 'minilmm'\n", "audit", 3, "unknown encoder 'minilmm'; did you mean"),
        ("[compare]\nfail-on = ['words>much']\n", "compare a b", 2, "cannot be read"),
        ("[compare]\nbase = 'old/report.json'\n", "compare a b", 2, "does not exist"),
        ("[audit]\nseed = 1\ntargets = -3\n", "audit", 3, "at least 30"),
        ("[defend]\n\nlimit = ['words<']\n", "defend", 3, "words<"),
        ("[defend]\n\ndefenses = 'int8,pcaa:3'\n", "defend", 3, "unknown defense 'pcaa'"),
        ("[protect]\ndefense = 'pcaa:3'\n", "protect a b", 2, "unknown defense 'pcaa'"),
        ("[audit]\nrecipe = 'song'\n", "audit", 2, "unknown recipe 'song'"),
        ("[audit]\nsurrogate = 'minilmm'\n", "audit", 2, "unknown encoder 'minilmm'"),
        ("[audit]\npattern = [\n'genom']\n", "audit", 3, "neither a TOML file nor a shipped pattern"),
        ("[audit.letters]\n[compare]\nbase = 'leters'\n", "compare a b", 3, "did you mean 'letters'"),
        ("[audit.letters]\ntexts = 'complaints'\n[compare]\nbase = 'letters'\n", "compare", 3, "not set new;"),
        ("[audit.a]\ntexts = 'complaints'\n", "protect a", 1, "'a' has no vectors"),
    ],
)
def test_a_value_that_a_command_cannot_parse_is_reported_with_its_line(
    tmp_path, monkeypatch, content, command, line, fault
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vestige.toml").write_text(content)
    with pytest.raises(InputError, match=rf"vestige\.toml:{line}: .*{fault}"):
        typer.main.get_command(app)(command.split(), standalone_mode=False)
