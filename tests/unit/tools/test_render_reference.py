"""The reference is what the program declares."""

import render_reference
import typer.main
from render_reference import FOLDER, list_commands, list_outdated, render_command, write_pages

from vestige.cli.main import app


def test_the_pages_follow_the_program():
    assert list_outdated() == []


def test_a_page_that_was_edited_is_found_and_written(tmp_path):
    write_pages(tmp_path)
    assert list_outdated(tmp_path) == []
    (tmp_path / "cli.md").write_text("old")
    assert list_outdated(tmp_path) == [tmp_path / "cli.md"]


def test_every_command_and_option_is_in_the_page():
    page = (FOLDER / "cli.md").read_text(encoding="utf-8")
    missing = [
        f"{name} {option.opts}"
        for name, command in list_commands()
        for option in command.params
        if option.param_type_name == "option" and f"`{option.opts[0]}`" not in page
    ]
    assert missing == []
    assert len(list(list_commands())) > 14


def test_a_command_has_its_usage_choices_and_defaults():
    group = typer.main.get_command(app)
    page = render_command("audit", group.commands["audit"])
    assert "`vestige audit [SOURCE] [OPTIONS]`" in page
    assert (
        "| `--unit` `sentence`, `text` | Split texts into sentences, or encode each text whole. | `sentence` |" in page
    )
    assert "--config" not in page
    assert "| `--defense` `SPEC` |" in render_command("protect", group.commands["protect"])


def test_a_new_public_name_without_a_group_is_noticed():
    assert list(render_reference.PYTHON_GROUPS)[-1] == "Measures, records and errors"
    assert "::: vestige.audit.run.audit" in (FOLDER / "python.md").read_text(encoding="utf-8")
