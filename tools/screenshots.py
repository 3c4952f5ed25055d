"""Take the pictures of docs/images/ from recorded runs, and those of the built site.

usage: python tools/screenshots.py [FOLDER]

The report is that of the recorded audit of the embedded example. With a folder, the pages of the site are photographed
there instead, at 1280 and 400 pixels, light and dark.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Browser, sync_playwright
from record_audits import read_whole

import vestige

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
SITE_PAGES = (
    *("index", "tutorials/first-audit", "how-to/protect", "explanation/personal-data", "explanation/attacks/words"),
    *("reference/cli", "reference/python", "papers/claims", "papers/song2020", "glossary"),
)
Scheme = Literal["dark", "light"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def take_report(browser: Browser, record: str, folder: Path) -> None:
    """The report of a recorded audit: its first screen, and the section of its first probe."""
    with TemporaryDirectory() as out:
        reports = vestige.write_report(read_whole(record), out)
        take_picture(browser, reports.html, folder / "report.png", (1280, 1180), "light")
        page = browser.new_page(viewport={"width": 1000, "height": 1000}, color_scheme="light")
        page.goto(reports.html.resolve().as_uri())
        page.locator("section.finding").first.screenshot(path=folder / "finding.png")
        page.close()


def take_picture(browser: Browser, source: Path, target: Path, size: tuple[int, int], scheme: Scheme) -> None:
    """A page as a picture of this size."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.goto(source.resolve().as_uri())
    page.screenshot(path=target)
    page.close()


def take_site(browser: Browser, folder: Path, pages: Sequence[str] = SITE_PAGES) -> None:
    """The pages of the site at two widths, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in pages:
        for width in (1280, 400):
            for scheme in SCHEMES:
                target = folder / f"{name.replace('/', '-')}-{width}-{scheme}.png"
                take_picture(browser, ROOT / "site" / f"{name}.html", target, (width, 1000), scheme)


def main() -> None:
    """Take the picture of the report, or those of the site if a folder is given."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        if sys.argv[1:]:
            take_site(browser, Path(sys.argv[1]))
        else:
            take_report(browser, "default", IMAGES)
        browser.close()


if __name__ == "__main__":
    main()
