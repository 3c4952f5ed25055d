"""`vestige completion`: the script that lets a shell complete commands, options and names."""

import os
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

import typer

from vestige.cli.configured import list_run_names
from vestige.cli.echo import echo

PROGRAM, VARIABLE = "vestige", "_VESTIGE_COMPLETE"
"""The program, and the variable by which the script asks it for completions."""

Shell = Annotated[Literal["bash", "zsh", "fish"], typer.Argument(metavar="SHELL", help="The shell: bash, zsh or fish.")]


def completion(shell: Shell) -> None:
    """Print the script that completes commands, options and names in your shell.

    For bash, add this line to ~/.bashrc: eval "$(vestige completion bash)". For zsh, the same with zsh in ~/.zshrc,
    after compinit. For fish, write the output to ~/.config/fish/completions/vestige.fish.
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    echo(get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell))


def prepare_completion() -> None:
    """Make ready to answer a shell that asks for completions; does nothing in any other run."""
    if VARIABLE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()


def complete_runs(ctx: typer.Context) -> Iterable[str]:
    """The runs that the nearest `vestige.toml` names; without a match, the shell completes files."""
    return list_run_names(ctx)


def complete_encoders() -> Iterable[str]:
    """The encoders."""
    from vestige.encoders.load import ENCODERS

    return [name for name, _ in ENCODERS]


def complete_probes() -> Iterable[str]:
    """The probes."""
    from vestige.probes.plan import list_probes

    return [probe.name for probe in list_probes()]


def complete_defenses() -> Iterable[str]:
    """The defenses."""
    from vestige.defenses.catalogue import DEFENSES

    return [name for name, _ in DEFENSES]


def complete_patterns() -> Iterable[str]:
    """The formats that ship with Vestige."""
    from vestige.text.patterns import shipped_patterns

    return list(shipped_patterns())


COMPLETIONS: dict[str, Callable[..., Iterable[Any]]] = {
    "vectors": complete_runs,
    "source": complete_runs,
    "encoder": complete_encoders,
    "probes": complete_probes,
    "defense": complete_defenses,
    "defenses": complete_defenses,
    "pattern": complete_patterns,
    "patterns": complete_patterns,
}
"""How the value of a parameter is completed, by the name of the parameter, in every command that has it."""
