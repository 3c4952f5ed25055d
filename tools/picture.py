"""Take the screenshot of a report for the README.

usage: python tools/picture.py vestige-audit/report.html docs/images/report.png [WIDTH HEIGHT light|dark]
"""

import sys
from pathlib import Path
from shutil import which
from typing import Literal

from playwright.sync_api import sync_playwright


def main() -> None:
    page_path, picture = Path(sys.argv[1]).resolve(), sys.argv[2]
    width, height = (int(value) for value in sys.argv[3:5] or (1280, 1180))
    scheme: Literal["dark", "light"] = "dark" if "dark" in sys.argv else "light"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        page.goto(page_path.as_uri())
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main()
