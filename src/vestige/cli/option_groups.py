"""Groups of options: a command takes one dataclass per panel of its help page, instead of 40 parameters.

    @dataclass(frozen=True, kw_only=True)
    class Sizes:
        panel: ClassVar[str] = "Sizes"
        targets: Annotated[int, typer.Option(help="Vectors to attack.")] = 1000

    @grouped
    def audit(common: Common, sizes: Sizes) -> None: ...

Typer sees one keyword parameter per field. The order of the groups is the order of the panels.
"""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import MISSING, fields
from inspect import Parameter, Signature, cleandoc, signature
from typing import Annotated, Any, get_args, get_type_hints

from typer.core import TyperCommand, TyperOption
from typer.models import OptionInfo, ParameterInfo

COMMON = "Common options"
"""The panel that comes first."""


class PanelCommand(TyperCommand):
    """A command with a readable help page: text that fills the line, and `--help` among the common options."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help page; typer would keep the line breaks of the docstring."""
        paragraphs = cleandoc(self.help or "").split("\n\n")
        self.help = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
        super().format_help(ctx, formatter)

    def get_help_option(self, ctx: Any) -> TyperOption | None:
        """The option `--help`, in the first panel and without a type."""
        option: TyperOption | None = super().get_help_option(ctx)
        if option is not None:
            option.metavar = ""
            option.rich_help_panel = COMMON if COMMON in map(_find_panel, self.params) else None
        return option


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Turn a command that takes groups of options into one that takes the options themselves, as typer expects."""
    groups = {name: taken.annotation for name, taken in signature(command, eval_str=True).parameters.items()}

    def run(**options: Any) -> None:
        command(**{name: _build_group(group, options) for name, group in groups.items()})

    parameters = [parameter for group in groups.values() for parameter in _expand_group(group)]
    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return run


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
    """An option goes to the panel of its group; an argument stays among the arguments."""
    if not isinstance(declared, OptionInfo):
        return declared
    placed = copy(declared)
    placed.rich_help_panel = panel
    return placed


def _find_panel(option: Any) -> str | None:
    return getattr(option, "rich_help_panel", None)
