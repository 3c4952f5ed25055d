"""Take the pictures of docs/images/ from real runs: the report of an audit, and the page of a sweep.

usage: python tools/screenshots.py [NAME.png ... | FOLDER]

Runs `vestige audit` and `vestige defend` on the embedded example at a small size, in a temporary folder, and
photographs their pages. With a folder, the pages of the built site are photographed there as well, at 1280 and 400
pixels, light and dark.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
PROGRAM = [sys.executable, "-c", "from vestige.cli.entry import main; main()"]
RUNS = {
    "report.png": (["audit", "--preset", "quick", "--probe", "words", "--probe", "attributes"], "report.html"),
    "frontier.png": (
        [
            "defend",
            "--probe",
            "words",
            "--targets",
            "300",
            "--pairs",
            "1000",
            "--defenses",
            "rotation,rounding:1,pca:64",
        ],
        "frontier.html",
    ),
}
SITE_PAGES = ("index", "tutorials/first-audit", "explanation/personal-data", "reference/cli", "papers/claims")
Scheme = Literal["dark", "light"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def take_run(browser: Browser, name: str) -> None:
    """Run a command and photograph its page."""
    arguments, page = RUNS[name]
    with TemporaryDirectory() as out:
        subprocess.run([*PROGRAM, *arguments, "--out", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        take_picture(browser, Path(out) / page, IMAGES / name, (1280, 1180), "light")


def take_picture(browser: Browser, source: Path, target: Path, size: tuple[int, int], scheme: Scheme) -> None:
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
    """Take the pictures of the runs, or of the site if a folder is given."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        if sys.argv[1:] and sys.argv[1] not in RUNS:
            take_site(browser, Path(sys.argv[1]))
        else:
            for name in sys.argv[1:] or RUNS:
                take_run(browser, name)
        browser.close()


if __name__ == "__main__":
    main()
