"""Groups of options: a command takes one dataclass per panel of its help page, instead of 40 parameters.

    @dataclass(frozen=True, kw_only=True)
    class Sizes:
        panel: ClassVar[str] = "Sizes"
        targets: Annotated[int, typer.Option(help="Vectors to attack.")] = 1000

    @grouped
    def audit(common: Common, sizes: Sizes) -> None: ...

Typer sees one keyword parameter per field. The order of the groups is the order of the panels. Commands of a
`CommandApp` also have the options that every command has: --config, --memory, --quiet and --verbose.
"""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import MISSING, fields
from inspect import Parameter, Signature, cleandoc, signature
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.models import ArgumentInfo, OptionInfo, ParameterInfo

from vestige.cli.command_keys import NOT_CONFIGURED, OTHER_SOURCE
from vestige.cli.completion import COMPLETIONS
from vestige.cli.configured import configure
from vestige.cli.fault_lines import add_line
from vestige.cli.progress import report_interrupt
from vestige.cli.verbosity import use_verbosity
from vestige.errors import InputError
from vestige.memory import limit_memory, parse_bytes

STOPPED = "stopped; run the same command again"

COMMON = "Common options"
"""The panel that comes first."""

CONFIG = typer.Option(metavar="FILE", help="Read options from this file.", show_default="the nearest vestige.toml")
QUIET = typer.Option("--quiet", metavar="", help="Show no progress.")
MEMORY = typer.Option(metavar="SIZE", help="The memory to use at most: 80% of all, or 4GB.")
SOURCE = typer.Option("--source", metavar="SOURCE", help="Vectors in place of those of the named audit.")
VERBOSE = typer.Option("--verbose", metavar="", help="Show progress, and log what is done.")


class CommandGroup(TyperGroup):
    """A group of commands whose `--help` shows no type."""

    def get_help_option(self, ctx: Any) -> TyperOption | None:
        """The option `--help`."""
        return _hide_type(super().get_help_option(ctx))


class CommandApp(typer.Typer):
    """A group of commands; those that read a configuration have --config, --memory, --quiet and --verbose."""

    def __init__(self, **options: Any) -> None:
        super().__init__(cls=CommandGroup, **options)

    def command(self, name: str | None = None, **options: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:  # type: ignore[override]
        """Register a command."""
        register = super().command(name, cls=PanelCommand, **options)

        def add(command: Callable[..., None]) -> Callable[..., None]:
            register(command if name in NOT_CONFIGURED else _add_common(command))
            return command

        return add


class PanelCommand(TyperCommand):
    """A command that takes defaults from `vestige.toml`, with a readable help page.

    Its text fills the line, and `--help` is among the common options.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse what was typed, with the values of the file and of the preset as defaults."""
        typed: dict[str, Any] = self.make_parser(ctx).parse_args(args=[*args])[0]
        replaced = {} if ctx.resilient_parsing or typed.get("help") is True else configure(ctx, typed)
        rest: list[str] = super().parse_args(ctx, args)
        ctx.params.update(replaced)
        return rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an error over a value of the file names its line."""
        try:
            return super().invoke(ctx)
        except InputError as error:
            raise add_line(ctx, error) from error

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page; typer would keep the line breaks of the docstring."""
        paragraphs = cleandoc(self.help or "").split("\n\n")
        self.help = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
        super().format_help(ctx, formatter)

    def get_help_option(self, ctx: Any) -> TyperOption | None:
        """The option `--help`, in the first panel and without a type."""
        option = _hide_type(super().get_help_option(ctx))
        if option is not None:
            option.rich_help_panel = COMMON if COMMON in map(_find_panel, self.params) else None
        return option


def _hide_type(option: TyperOption | None) -> TyperOption | None:
    if option is not None:
        option.metavar = ""
    return option


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Turn a command that takes groups of options into one that takes the options themselves, as typer expects."""
    groups = {name: taken.annotation for name, taken in signature(command, eval_str=True).parameters.items()}

    def run(**options: Any) -> None:
        command(**{name: _build_group(group, options) for name, group in groups.items()})

    parameters = [parameter for group in groups.values() for parameter in _expand_group(group)]
    _pose_as(run, command, parameters)
    return run


def _add_common(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that every command has, in the panel of the common options if the command has one."""
    own = signature(command, eval_str=True).parameters
    panel = COMMON if any(_find_panel(_find_declared(each)) == COMMON for each in own.values()) else None
    kinds: dict[str, tuple[Any, OptionInfo, Any]] = {
        "config": (Path | None, CONFIG, None),
        "memory": (str | None, MEMORY, None),
        "quiet": (bool, QUIET, False),
        "verbose": (bool, VERBOSE, False),
    }
    if any(_is_source(each) for each in own.values()):
        kinds[OTHER_SOURCE] = (str | None, SOURCE, None)
    added = {
        name: Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=_annotate(kind, declared, panel))
        for name, (kind, declared, default) in kinds.items()
        if name not in own
    }

    def run(*, memory: str | None, quiet: bool, verbose: bool, **options: Any) -> None:
        limit = None if memory is None else parse_bytes(memory)
        with use_verbosity(quiet=quiet, verbose=verbose), limit_memory(limit), report_interrupt(STOPPED):
            command(**{name: value for name, value in options.items() if name in own})

    _pose_as(run, command, [*map(_prepare, own.values()), *added.values()])
    return run


def _is_source(parameter: Parameter) -> bool:
    """Whether this is the argument SOURCE, which may be the name of a run."""
    declared = get_args(parameter.annotation)[1:]
    return any(isinstance(each, ArgumentInfo) and each.metavar == "SOURCE" for each in declared)


def _prepare(parameter: Parameter) -> Parameter:
    """The parameter, by keyword, and with the completion of its values if there is one."""
    kind, *declared = get_args(parameter.annotation) or (parameter.annotation,)
    if parameter.name in COMPLETIONS and declared:
        completed = copy(declared[0])
        completed.autocompletion = COMPLETIONS[parameter.name]
        parameter = parameter.replace(annotation=Annotated[kind, completed])
    return parameter.replace(kind=Parameter.KEYWORD_ONLY)


def _pose_as(run: Callable[..., None], command: Callable[..., None], parameters: list[Parameter]) -> None:
    """Give a function the name and documentation of a command, and these parameters."""
    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]


def _annotate(kind: Any, declared: ParameterInfo, panel: str | None) -> Any:
    placed = copy(declared)
    placed.rich_help_panel = panel
    return Annotated[kind, placed]


def _find_declared(parameter: Parameter) -> Any:
    return next((each for each in get_args(parameter.annotation) if isinstance(each, OptionInfo)), None)


def _build_group(group: type[Any], options: dict[str, Any]) -> Any:
    return group(**{field.name: options[field.name] for field in fields(group) if field.name in options})


def _expand_group(group: type[Any]) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        kind, declared = get_args(hints[field.name])
        default = Parameter.empty if field.default is MISSING else field.default
        annotation = Annotated[kind, _set_panel(declared, group.panel)]  # type: ignore[valid-type]
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _set_panel(declared: ParameterInfo, panel: str) -> ParameterInfo:
    """An option goes to the panel of its group, unless it names one; an argument stays among the arguments."""
    if not isinstance(declared, OptionInfo):
        return declared
    placed = copy(declared)
    placed.rich_help_panel = declared.rich_help_panel or panel
    return placed


def _find_panel(option: Any) -> str | None:
    return getattr(option, "rich_help_panel", None)
