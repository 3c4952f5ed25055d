"""Pages about the stored vectors: words, one word, one document, and the map."""

from dataclasses import dataclass, field
from typing import Literal

from vestige.errors import InputError, MissingExtra
from vestige.types import Floats, Progress
from vestige.view import projection
from vestige.view.explorer import Explorer
from vestige.view.projection import METHODS, VectorMap, color_by_label, color_by_value, has_umap, project
from vestige.view.site import MissingPage, Site
from vestige.view.worker import FitStep, FitWorker

MOST_WORDS, MOST_TARGETS, MOST_DOCUMENTS = 300, 100, 50
LEAKAGE = "leakage"
DRAWING = "UMAP places the vectors, which takes up to a minute."
Method = Literal["pca", "umap"]


UMAP_JOB = "map by UMAP"
"""The subject of the job that places the vectors by UMAP, which takes up to a minute."""


@dataclass
class MapCache:
    """The places of the vectors for each method, which are computed once: by PCA at once, by UMAP in the background."""

    explorer: Explorer
    worker: FitWorker
    places: dict[str, Floats] = field(default_factory=dict)

    def project(self, method: Method) -> Floats:
        """The place of each vector."""
        if method not in self.places:
            case = self.explorer.attacker.case
            self.places[method] = project(case.targets, method, self.explorer.attacker.settings.seed)
        return self.places[method]

    def prepare_umap(self) -> str:
        """Begin to place the vectors by UMAP, unless that was done before; what is missing until the map is there."""
        if not has_umap():
            return str(MissingExtra("umap-learn", "umap"))
        if "umap" in self.places:
            return ""
        jobs = self.worker.list_jobs(UMAP_JOB)
        if not jobs:
            self.worker.add(FitStep(UMAP_JOB, "Drawing the map by UMAP", self._place))
        return jobs[0].error if jobs and jobs[0].error else DRAWING

    def _place(self, progress: Progress) -> None:
        progress("placing the vectors", 1)
        self.project("umap")


def render_waiting(site: Site, error: str) -> str:
    """What the pages show until the stored vectors have been attacked."""
    return site.render("explore_waiting.html.j2", active="explore", title="Stored vectors", error=error)


def render_words(site: Site, explorer: Explorer, band: int | None) -> str:
    """Which words were recovered from the stored vectors, all or those of one band of frequency."""
    if band is not None and not 0 <= band < len(explorer.bands):
        raise MissingPage(band)
    rows = [row for row in explorer.words if band is None or row.band == band]
    return site.render(
        "explore.html.j2",
        active="explore",
        title="Words recovered from the stored vectors" if band is None else f"Words: {explorer.bands[band]}",
        explorer=explorer,
        charts_shown=explorer.charts if band is None else (),
        link_bar=lambda bar: find_bar(site, explorer, bar.label),
        rows=rows[:MOST_WORDS],
        unlisted=max(len(rows) - MOST_WORDS, 0),
        unseen=None if band is None else explorer.list_unseen(band),
        band=band,
    )


def find_bar(site: Site, explorer: Explorer, label: str) -> str:
    """The page that a bar leads to: its words, or its word."""
    if label in explorer.bands:
        return site.link("explore", band=explorer.bands.index(label))
    return site.link("explore", "word", label) if explorer.find_word(label) else site.link("explore")


def render_word(site: Site, explorer: Explorer, word: str) -> str:
    """The stored texts from whose vectors a word was recovered."""
    row = explorer.find_word(word)
    if row is None:
        raise MissingPage(word)
    targets = explorer.list_targets(word)
    return site.render(
        "explore_word.html.j2",
        active="explore",
        title=f"The word “{word}”",
        explorer=explorer,
        word=row,
        targets=[explorer.describe(target) for target in targets[:MOST_TARGETS]],
        unlisted=max(len(targets) - MOST_TARGETS, 0),
        show_text=explorer.attacker.settings.show_text,
    )


def render_document(site: Site, explorer: Explorer, number: int) -> str:
    """Everything that leaked about one document."""
    if number not in explorer.documents:
        raise MissingPage(number)
    rows = explorer.documents[number]
    show_text = explorer.attacker.settings.show_text
    name = explorer.attacker.truth.documents[rows[0]] if show_text else ""
    return site.render(
        "explore_document.html.j2",
        active="explore",
        title=f"Document {number}" + (f": {name}" if name else ""),
        explorer=explorer,
        number=number,
        leaks=[explorer.describe(row) for row in rows],
        show_text=show_text,
    )


def render_map(site: Site, cache: MapCache, method: str, by: str) -> str:
    """The map of the stored vectors, coloured by leakage or by a label."""
    explorer = cache.explorer
    colors = [LEAKAGE, *explorer.attacker.truth.attributes]
    if method not in METHODS or by not in colors:
        raise InputError(f"there is no map by {method} coloured by {by}; choose among those on the page")
    missing = cache.prepare_umap() if method == "umap" else ""
    drawn = _draw(cache, "umap" if method == "umap" and not missing else "pca", by)
    return site.render(
        "explore_map.html.j2",
        active="map",
        title="Map of the stored vectors",
        explorer=explorer,
        drawn=drawn,
        method=method,
        by=by,
        colors=colors,
        has_umap=has_umap(),
        missing=missing,
        drawing=missing == DRAWING,
        size=projection,
        most=explorer.rank_documents()[:MOST_DOCUMENTS],
    )


def _draw(cache: MapCache, method: Method, by: str) -> VectorMap:
    explorer, places = cache.explorer, cache.project(method)
    titles = [
        f"document {explorer.document_of[row]}: gain over guessing {gain:.2f}"
        for row, gain in enumerate(explorer.gains.tolist())
    ]
    if by == LEAKAGE:
        return color_by_value(places, explorer.gains, titles)
    return color_by_label(places, explorer.attacker.truth.attributes[by], titles)
