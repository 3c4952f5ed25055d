"""Groups of options become options of the command line, in panels of the help page."""

import inspect
from dataclasses import dataclass
from typing import Annotated, ClassVar

import pytest
import typer
from typer.testing import CliRunner

from vestige.cli.option_groups import COMMON, PanelCommand, grouped

RAN = []


@dataclass(frozen=True, kw_only=True)
class First:
    panel: ClassVar[str] = COMMON
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The source.")]
    out: Annotated[str, typer.Option(help="The folder.")] = "here"


@dataclass(frozen=True, kw_only=True)
class Second:
    panel: ClassVar[str] = "Sizes"
    pairs: Annotated[int, typer.Option(help="The pairs.")] = 7


@grouped
def command(first: First, second: Second) -> None:
    """Do it.

    A second paragraph that
    --goes on over two lines.
    """
    RAN.append((first, second))


@pytest.fixture
def run():
    app = typer.Typer()
    app.command("plain")(lambda: None)
    app.command("grouped", cls=PanelCommand)(command)
    return lambda *arguments: CliRunner().invoke(app, arguments, env={"COLUMNS": "80"})


def test_a_command_receives_its_groups(run):
    RAN.clear()
    assert run("grouped", "v.npy", "--pairs", "9").exit_code == 0
    assert [(First(source="v.npy"), Second(pairs=9))] == RAN


def test_every_field_is_a_parameter_with_its_default():
    parameters = inspect.signature(command).parameters
    assert {name: each.default for name, each in parameters.items()} == {
        "source": inspect.Parameter.empty,
        "out": "here",
        "pairs": 7,
    }


def test_panels_come_in_the_order_of_the_groups_and_help_is_among_the_common_options(run):
    page = run("grouped", "--help").output
    places = [page.index(text) for text in (COMMON, "--out", "--help", "Sizes", "--pairs")]
    assert places == sorted(places)
    assert " Options " not in page


def test_a_docstring_fills_the_line(run):
    assert "A second paragraph that --goes on over two lines." in run("grouped", "--help").output


def test_a_required_argument_is_required(run):
    result = run("grouped")
    assert result.exit_code == 2
    assert "SOURCE" in result.output
