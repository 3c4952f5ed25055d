"""Take the pictures of `vestige view` in docs/images/, from real runs and a real server.

usage: python tools/view_screenshots.py RUNS [FOLDER]

Runs that are not in the folder RUNS yet are made there first, which takes minutes. With FOLDER, every page is
photographed there instead, at 1280 and 400 pixels, light and dark.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from csv import writer
from pathlib import Path
from shutil import which
from typing import Literal
from urllib.parse import quote

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from vestige.encoders.load import load_encoder
from vestige.text.corpora import load_corpus

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
VESTIGE = str(Path(sys.executable).parent / "vestige")
SIZES = ("--targets", "300", "--pairs", "2000")
PAGE = ("--texts", "complaints", "--encoder", "minilm", *SIZES)
"""What the live page attacks, so that figures of the sweep may stand next to its defenses."""

LETTERS = (
    *("--encoder", "minilm", "--unit", "text", "--access", "pairs", "--document-column", "letter", *SIZES),
    *("--probe", "words", "--probe", "attributes", "--fail-on", "words>0.30"),
)
RUNS: dict[str, tuple[str, ...]] = {
    "complaints": ("audit", *PAGE, "--probe", "words", "--probe", "attributes", "--fail-on", "words>0.60"),
    "first": ("audit", "data/first/letters.npy", "--texts", "data/first/letters.csv", *LETTERS),
    "grown": ("audit", "data/grown/letters.npy", "--texts", "data/grown/letters.csv", *LETTERS),
    "protected": ("audit", "data/protected/letters.npy", "--texts", "data/grown/letters.csv", *LETTERS),
    "change": ("compare", "grown", "protected"),
    "defend": (
        *("defend", *PAGE, "--limit", "words<0.25", "--limit", "recall@10>0.20", "--probe", "words"),
        *("--defenses", "int8,rounding:1,pca:128,pca:32,gaussian:768,gaussian:192,rotation"),
    ),
    "encoders": (
        *("leaderboard", "--texts", "complaints", "--encoder", "tfidf:512", "--encoder", "hashing:256"),
        *("--encoder", "wordllama", "--probe", "words", "--targets", "200", "--pairs", "800", "--lengths", "none"),
    ),
}
"""The runs that the pictures show, as `vestige` makes them; a run is in a folder of its name.

The trend is one of the store: the same audit of the vectors of 400 letters, of 550, and of these behind a defense.
Nothing else differs.
"""

FIRST, GROWN, STORED_BEHIND = 400, 550, "gaussian:768"
TEXT = "I noticed unauthorized charges on my credit card statement, and the bank refuses to refund the money."
DEFENSE = "gaussian:768"
PATIENCE_MS = 900_000
SEARCH_MS = 10_000
Scheme = Literal["dark", "light"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


DOCS: dict[str, tuple[str, tuple[int, int], Scheme]] = {
    "live": ("live", (1280, 900), "light"),
    "live-dark": ("live", (1280, 900), "dark"),
    "phone": ("live", (400, 900), "light"),
    "phone-dark": ("live", (400, 900), "dark"),
    "runs": ("runs", (1280, 900), "light"),
    "runs-dark": ("runs", (1280, 900), "dark"),
    "trend": ("trend", (1280, 900), "light"),
    "compare": ("compare", (1280, 900), "light"),
    "frontier": ("run-defend", (1280, 1000), "light"),
    "defense": ("defense", (1280, 900), "light"),
    "evidence": ("evidence", (1280, 900), "light"),
    "word": ("word", (1280, 760), "light"),
    "document": ("document", (1280, 620), "light"),
    "map": ("map-label", (1280, 900), "light"),
    "leaderboard": ("run-encoders", (1280, 900), "light"),
}
"""The pictures of the documentation: the page, its size, and its colours."""


def store_letters(folder: Path) -> None:
    """The store of letters at three times: as it was, with new letters, and behind a defense."""
    whole = load_corpus("complaints").sentences(8, 40)
    for name, count in (("first", FIRST), ("grown", GROWN)):
        letters = set(list(dict.fromkeys(whole.documents))[:count])
        rows = [row for row, letter in enumerate(whole.documents) if letter in letters]
        if (folder / name).exists():
            continue
        (folder / name).mkdir(parents=True)
        columns = [[each[row] for row in rows] for each in (whole.texts, whole.documents, whole.attributes["product"])]
        with (folder / name / "letters.csv").open("w", encoding="utf-8", newline="") as file:
            writer(file).writerows([["text", "letter", "product"], *zip(*columns, strict=True)])
        np.save(folder / name / "letters.npy", load_encoder("minilm").encode(columns[0]))
    protected = folder / "protected" / "letters.npy"
    if not protected.exists():
        protected.parent.mkdir(parents=True, exist_ok=True)
        source = folder / "grown" / "letters.npy"
        subprocess.run([VESTIGE, "protect", str(source), str(protected), "--defense", STORED_BEHIND], check=True)


def make_runs(folder: Path) -> None:
    """Make the runs that are not there yet. A gate or a limit that fails is part of the picture."""
    store_letters(folder / "data")
    for name, words in RUNS.items():
        if not (folder / name).exists():
            ended = subprocess.run([VESTIGE, *words, "--out", name], cwd=folder, check=False)
            assert ended.returncode in (0, 1), name


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The address of a server on the runs, with its token."""
    command = [VESTIGE, "view", str(folder), "--no-browser", *SIZES, "--cache", str(folder / "cache")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None
    try:
        yield found[0]
    finally:
        process.terminate()
        process.wait()


def open_page(browser: Browser, address: str, size: tuple[int, int], scheme: Scheme) -> Page:
    """A page of this size that the server lets in."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    return page


def list_paths(page: Page, base: str) -> dict[str, str]:
    """The addresses of all kinds of pages by the names of their pictures."""
    page.goto(f"{base}/runs")
    runs = {str(link.text_content()): str(link.get_attribute("href")) for link in page.locator("tr.run th a").all()}
    base_id, new_id = (runs[name].rpartition("/")[2] for name in ("grown", "protected"))
    page.goto(f"{base}/explore")
    word = str(page.locator(".word-table a").first.get_attribute("href"))
    page.goto(f"{base}/explore/map")
    document = str(page.locator(".columns a").first.get_attribute("href"))
    page.goto(base + runs["defend"])
    defense = str(page.locator("svg.broad-screen a").filter(has_text=DEFENSE).first.get_attribute("href"))
    return {
        "runs": "/runs",
        "trend": "/trend",
        "compare-form": "/compare",
        "compare": f"/compare?base={base_id}&new={new_id}",
        "explore": "/explore",
        "explore-band": "/explore?band=0",
        "word": word,
        "document": document,
        "map": "/explore/map",
        "map-label": "/explore/map?by=product",
        "map-umap": "/explore/map?by=product&method=umap",
        "missing": "/run/nothing",
        "evidence": f"{runs['complaints']}/evidence",
        "defense": defense,
        **{f"run-{name}": path for name, path in runs.items()},
    }


def fit(page: Page, base: str) -> None:
    """Wait until all attacks are fitted, also behind the defense."""
    page.goto(f"{base}/live?defense={quote(DEFENSE)}")
    page.locator('#fitting[data-finished="yes"]').wait_for()


def attack(page: Page, base: str) -> None:
    """The live page with words and a first sentence, without and behind the defense."""
    page.goto(f"{base}/live?defense={quote(DEFENSE)}")
    page.get_by_label("Your text").fill(TEXT)
    page.get_by_label(f"Behind {DEFENSE}").locator(".chip").first.wait_for()
    page.locator("[data-part=state]").filter(has_text="cosine").first.wait_for()
    page.wait_for_timeout(SEARCH_MS)
    page.locator("#text").blur()


def take_docs(browser: Browser, address: str, folder: Path) -> None:
    """The pictures of the documentation."""
    base = address.partition("/?")[0]
    page = open_page(browser, address, (1180, 860), "light")
    fit(page, base)
    paths = list_paths(page, base)
    page.close()
    for name, (path, size, scheme) in DOCS.items():
        page = open_page(browser, address, size, scheme)
        if path == "live":
            attack(page, base)
        else:
            page.goto(base + paths[path])
            page.locator("#drawing").wait_for(state="detached")
        if name == "frontier":
            page.locator("figure.plot").first.scroll_into_view_if_needed()
        page.screenshot(path=folder / f"view-{name}.png")
        page.close()


def take_all(browser: Browser, address: str, folder: Path) -> None:
    """Every page at two widths, light and dark, from its top to its end."""
    folder.mkdir(parents=True, exist_ok=True)
    base = address.partition("/?")[0]
    for width in (1280, 400):
        for scheme in SCHEMES:
            page = open_page(browser, address, (width, 900), scheme)
            fit(page, base)
            for name, path in list_paths(page, base).items():
                page.goto(base + path)
                page.locator("#drawing").wait_for(state="detached")
                page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True)
            attack(page, base)
            page.screenshot(path=folder / f"live-{width}-{scheme}.png", full_page=True)
            page.close()


def main() -> None:
    """Make the runs, start the server, and take the pictures."""
    runs = Path(sys.argv[1]).resolve()
    make_runs(runs)
    with sync_playwright() as playwright, serve(runs) as address:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        if sys.argv[2:]:
            take_all(browser, address, Path(sys.argv[2]))
        else:
            take_docs(browser, address, IMAGES)
        browser.close()


if __name__ == "__main__":
    main()
