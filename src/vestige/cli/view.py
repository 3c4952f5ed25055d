"""`vestige view`: the local web app."""

import os
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from vestige.cli import options
from vestige.cli.build_settings import parse_keywords
from vestige.cli.echo import echo
from vestige.cli.option_groups import COMMON, grouped
from vestige.cli.options import DEFAULTS
from vestige.errors import InputError

if TYPE_CHECKING:
    from vestige.view.server import Address


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What to show, and where."""

    panel: ClassVar[str] = COMMON
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FOLDER",
            help="Folders with results; everything below them is searched.",
            show_default="the live page on the embedded example",
        ),
    ] = None
    texts: options.Texts = None
    encoder: options.Encoder = None
    show_text: Annotated[
        bool, typer.Option("--show-text", metavar="", help="Show stored texts unmasked, and documents by name.")
    ] = DEFAULTS.show_text
    export: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write the runs as a static site, and exit.")
    ] = None
    browser: Annotated[bool, typer.Option("--browser/--no-browser", metavar="", help="Open the browser.")] = True
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="The port.", show_default="a free one")] = 0


@dataclass(frozen=True, kw_only=True)
class _Live:
    """What the live page attacks; the defaults are those of an audit."""

    panel: ClassVar[str] = "Live page"
    pairs: Annotated[int, typer.Option(metavar="N", help="(text, vector) pairs of the attacker, at most.")] = (
        DEFAULTS.pairs
    )
    targets: Annotated[int, typer.Option(metavar="N", help="Stored vectors to attack, at most.")] = DEFAULTS.targets
    unit: options.Unit = DEFAULTS.unit
    seed: options.Seed = DEFAULTS.seed
    text_column: options.TextColumn = None
    document_column: options.DocumentColumn = None
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="The folder for vectors and fitted attacks.", show_default="~/.cache/vestige/view"
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class _Probes:
    """What the attacks look for."""

    panel: ClassVar[str] = "Live page"
    keywords: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Sensitive words: comma-separated, or a file.", show_default="common ones"),
    ] = None
    attributes: Annotated[
        list[str] | None,
        typer.Option(
            "--attribute",
            metavar="COLUMN",
            help="A column of labels to infer. Repeatable.",
            show_default="columns that look like labels",
        ),
    ] = None


@grouped
def view(common: _Common, live: _Live, probes: _Probes) -> None:
    """Open a local web app: type a text and see what its embedding reveals, browse and compare runs.

    Without FOLDER, it opens the live page on the embedded example, or on --texts and --encoder. Stop it with Ctrl-C;
    vectors and attacks are kept, and the next start continues.

    The server answers this machine only, and nothing leaves it.
    """
    from vestige.cli.progress import report_interrupt
    from vestige.view.runs import RunIndex, check_folders
    from vestige.view.server import check_extra, serve

    folders = common.folders or []
    check_folders(folders)
    index = RunIndex(folders)
    if common.export is not None:
        from vestige.view.export import export_site

        pages = export_site(index.list_runs(), common.export)
        echo(f"site: {common.export / 'index.html'} ({pages} pages)")
        return
    check_extra()
    _check_source(common.texts, live.text_column, common.encoder)
    app = _build(common, live, probes, index)
    with report_interrupt("stopped; vectors and fitted attacks are kept, and the next start continues"):
        serve(app, lambda address: _announce(address, browser=common.browser), port=common.port)


def _check_source(texts: str | None, column: str | None, encoder: str | None) -> None:
    """Raise before the server starts if there are no such texts or no such encoder."""
    from vestige.encoders.load import is_learned, load_encoder
    from vestige.text.corpora import is_available, stream_texts

    if texts is not None and not is_available(texts):
        stream_texts(texts, column)
    if encoder is not None and not is_learned(encoder):
        load_encoder(encoder)


def _build(common: _Common, live: _Live, probes: _Probes, index: Any) -> Any:
    from vestige.case.settings import Settings
    from vestige.encoders.load import list_public_encoders
    from vestige.view.app import Pages, build_app
    from vestige.view.live import LiveModel
    from vestige.view.live_source import LiveSource
    from vestige.view.site import Site

    settings = Settings(
        seed=live.seed,
        targets=live.targets,
        pairs=live.pairs,
        unit=live.unit,
        keywords=() if probes.keywords is None else parse_keywords(probes.keywords),
        attributes=tuple(dict.fromkeys(probes.attributes or ())),
        text_column=live.text_column,
        document_column=live.document_column,
        show_text=common.show_text,
    )
    source = LiveSource(common.texts, common.encoder, settings, live.cache or _find_cache(), list_public_encoders())
    model = LiveModel(source)
    if not index.folders:
        model.start()
    return build_app(Pages(index, model, Site(show_text=common.show_text)))


def _find_cache() -> Path:
    """The folder for caches of this user."""
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "vestige" / "view"
    except RuntimeError as error:
        raise InputError("this user has no home folder; name a folder for vectors and attacks with --cache") from error


def _announce(address: "Address", *, browser: bool) -> None:
    echo(f"view: {address.url}")
    if browser:
        webbrowser.open(address.url_once)
