"""The web app: which address answers with which page."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from vestige.defend.candidates import explain
from vestige.defend.record import DefendResult
from vestige.errors import InputError, VestigeError
from vestige.view import evidence_pages, explore_pages, run_pages, trend_pages
from vestige.view.downloads import TYPES, build_download
from vestige.view.explore_pages import MapCache
from vestige.view.explorer import Explorer
from vestige.view.live import UNDEFENDED, LiveModel
from vestige.view.live_pages import (
    Group,
    SearchQueue,
    attack_text,
    check_text,
    count_ended,
    describe_status,
    render_live,
    render_panels,
)
from vestige.view.live_records import DefenseChoice
from vestige.view.runs import RunIndex, RunSummary, open_run
from vestige.view.site import REPORT_STYLE, SCRIPT, VIEW_STYLE, MissingPage, Site, read_asset

DEFECT = (
    "Vestige failed to make this page, and the terminal shows why. If the result was edited or damaged, run it again; "
    "otherwise this is a defect of Vestige."
)
ASSETS = {REPORT_STYLE: "text/css", VIEW_STYLE: "text/css", SCRIPT: "text/javascript"}


@dataclass
class Pages:
    """Everything that the pages show: the runs of some folders, and the live model."""

    index: RunIndex
    model: LiveModel
    site: Site
    searches: SearchQueue = field(default_factory=SearchQueue)
    _map: MapCache | None = None

    def home(self, _request: Request) -> Response:
        """The runs if there are folders, else the live page."""
        return RedirectResponse(self.site.link("runs" if self.index.folders else "live"), 303)

    def live(self, request: Request) -> Response:
        """The live page; it begins to fit what it needs."""
        self.model.start()
        defense = request.query_params.get("defense", UNDEFENDED)
        self.model.select(defense)
        return self._render_live("", defense, panels="")

    def answer(self, form: dict[str, str]) -> Response:
        """Attack a text: the parts of the page that change, or the whole page for a browser without JavaScript."""
        text, defense = check_text(form.get("text", "")), form.get("defense", UNDEFENDED)
        self.model.start()
        ended = count_ended(self.model, defense)
        panels = render_panels(self.site, attack_text(self.model, self.searches, text, defense), text, ended)
        if form.get("part") == "panels":
            return HTMLResponse(panels)
        return self._render_live(text, defense, panels=panels)

    def status(self, request: Request) -> Response:
        """How far the fitting is."""
        return JSONResponse(describe_status(self.model, request.query_params.get("defense", UNDEFENDED)))

    def sentence(self, request: Request) -> Response:
        """The search for a sentence, as server-sent events."""
        events = self.searches.follow(self.model, request.path_params["key"])
        return StreamingResponse(events, media_type="text/event-stream")

    def runs(self, _request: Request) -> Response:
        """All runs."""
        folders = [folder.resolve().name for folder in self.index.folders]
        return HTMLResponse(run_pages.render_runs(self.site, self.index.list_runs(), folders))

    def trend(self, _request: Request) -> Response:
        """Leakage over time."""
        return HTMLResponse(trend_pages.render_trend(self.site, self.index.list_runs()))

    def run(self, request: Request) -> Response:
        """One run; a sweep may be drawn for other axes."""
        run, asked = self._find_run(request), request.query_params
        if run.kind == "sweep":
            result = open_run(run)
            assert isinstance(result, DefendResult)
            return HTMLResponse(run_pages.render_sweep(self.site, run, result, asked.get("probe"), asked.get("cost")))
        explorer = self.model.explorer
        return HTMLResponse(run_pages.render_run(self.site, run, explored="" if explorer is None else explorer.digest))

    def evidence(self, request: Request) -> Response:
        """What the record of an audit holds."""
        return HTMLResponse(evidence_pages.render_evidence(self.site, self._find_run(request)))

    def defense(self, request: Request) -> Response:
        """One defense of a sweep."""
        number = request.path_params["number"]
        return HTMLResponse(run_pages.render_defense(self.site, self._find_run(request), number))

    def compare(self, request: Request) -> Response:
        """Two audits side by side."""
        asked, runs = request.query_params, self.index.list_runs()
        sides = [self.index.find(asked[name]) if asked.get(name) else None for name in ("base", "new")]
        return HTMLResponse(run_pages.render_compare(self.site, runs, *sides))

    def file(self, request: Request) -> Response:
        """A file of a run, to be saved."""
        run, name = self._find_run(request), request.path_params["name"]
        content, kind = build_download(run, name), TYPES[name.rpartition(".")[2]]
        return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})

    def explore(self, request: Request) -> Response:
        """The words recovered from the stored vectors."""
        band = request.query_params.get("band")
        number = None if band is None else int(band) if band.isdecimal() else -1
        return self._explore(lambda explorer: explore_pages.render_words(self.site, explorer, number))

    def explore_bar(self, request: Request) -> Response:
        """The words of a bar of a report on the same vectors."""
        self.model.start()
        explorer, label = self.model.explorer, request.query_params.get("label", "")
        if explorer is None:
            return HTMLResponse(explore_pages.render_waiting(self.site, self.model.find_error(UNDEFENDED)))
        return RedirectResponse(explore_pages.find_bar(self.site, explorer, label), 303)

    def explore_word(self, request: Request) -> Response:
        """One word."""
        word = request.path_params["word"]
        return self._explore(lambda explorer: explore_pages.render_word(self.site, explorer, word))

    def explore_document(self, request: Request) -> Response:
        """One document."""
        number = request.path_params["number"]
        return self._explore(lambda explorer: explore_pages.render_document(self.site, explorer, number))

    def explore_map(self, request: Request) -> Response:
        """The map."""
        asked = request.query_params

        def render(explorer: Explorer) -> str:
            if self._map is None or self._map.explorer is not explorer:
                self._map = MapCache(explorer, self.model.worker)
            return explore_pages.render_map(
                self.site, self._map, asked.get("method", "pca"), asked.get("by", explore_pages.LEAKAGE)
            )

        return self._explore(render)

    def _explore(self, render: Callable[[Explorer], str]) -> Response:
        self.model.start()
        if self.model.explorer is None:
            return HTMLResponse(explore_pages.render_waiting(self.site, self.model.find_error(UNDEFENDED)))
        return HTMLResponse(render(self.model.explorer))

    def _find_run(self, request: Request) -> RunSummary:
        return self.index.find(request.path_params["run"])

    def _render_live(self, text: str, defense: str, *, panels: str) -> Response:
        every = [DefenseChoice(spec, spec, explain(spec)) for spec in self.model.list_defenses()]
        groups = [*self._list_frontiers(), ("All defenses", every)]
        return HTMLResponse(render_live(self.site, self.model, groups, text, defense, panels=panels))

    def _list_frontiers(self) -> Iterator[Group]:
        """The defenses of every sweep that can be read; figures only of sweeps of the texts and encoder of the page."""
        for run in self.index.list_runs():
            if run.kind == "sweep" and not run.error and (result := _read_sweep(run)):
                same = self.model.is_about(result.subject)
                heading = f"From the frontier of {run.name}" + ("" if same else f", a sweep of {run.audited}")
                yield heading, run_pages.list_frontier(result, figures=same)


def _read_sweep(run: RunSummary) -> DefendResult | None:
    """A sweep; None if its record is damaged, which its own page explains."""
    try:
        result = open_run(run)
    except InputError:
        return None
    assert isinstance(result, DefendResult)
    return result


def build_app(pages: Pages) -> Starlette:
    """The app without its guard."""
    routes = [
        Route("/", pages.home),
        Route("/live", pages.live, methods=["GET"]),
        Route("/live", _answer_form(pages), methods=["POST"]),
        Route("/live/status", pages.status),
        Route("/live/sentence/{key}", pages.sentence),
        Route("/runs", pages.runs),
        Route("/trend", pages.trend),
        Route("/compare", pages.compare),
        Route("/run/{run}", pages.run),
        Route("/run/{run}/evidence", pages.evidence),
        Route("/defense/{run}/{number:int}", pages.defense),
        Route("/files/{run}/{name}", pages.file),
        Route("/explore", pages.explore),
        Route("/explore/bar", pages.explore_bar),
        Route("/explore/map", pages.explore_map),
        Route("/explore/word/{word}", pages.explore_word),
        Route("/explore/document/{number:int}", pages.explore_document),
        Route("/static/{name}", _serve_asset),
    ]
    handlers: dict[Any, Any] = {
        404: _handle(pages, 404, "There is no such page."),
        405: _handle(pages, 405, "This address does not accept such a request."),
        MissingPage: _handle(pages, 404, "There is no such page. The run may have been moved or deleted."),
        VestigeError: _handle(pages, 400, None),
        500: _handle(pages, 500, DEFECT),
    }
    return Starlette(routes=routes, exception_handlers=handlers)


def _answer_form(pages: Pages) -> Callable[[Request], Any]:
    """Read a form without blocking, then answer in a thread."""

    async def answer(request: Request) -> Response:
        body = (await request.body()).decode("utf-8", "replace")
        return await run_in_threadpool(pages.answer, dict(parse_qsl(body, keep_blank_values=True)))

    return answer


def _serve_asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in ASSETS:
        raise MissingPage(name)
    return Response(read_asset(name), media_type=ASSETS[name])


def _handle(pages: Pages, status: int, sentence: str | None) -> Callable[[Request, Exception], Response]:
    def handle(_request: Request, error: Exception) -> Response:
        said = sentence or str(error)
        page = pages.site.render("error.html.j2", active="", title="This page cannot be shown", sentence=said)
        return HTMLResponse(page, status)

    return handle
