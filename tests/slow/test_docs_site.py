"""The site builds strictly, and its pages fit a phone, request nothing from other hosts, and can be searched."""

import subprocess
import sys
from pathlib import Path
from shutil import copytree, which

import pytest
import yaml
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
PAGES = ("index", "tutorials/first-audit", "explanation/personal-data", "reference/cli", "papers/claims", "glossary")


def build(folder, **changes):
    """Build the pages in `folder`/docs into `folder`/site, with changes of the configuration; the finished process."""
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8")) | changes
    config["plugins"][1]["mkdocstrings"]["handlers"]["python"]["paths"] = [str(ROOT / "src")]
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config))
    command = [Path(sys.executable).parent / "zensical", "build", "--strict", "-f", "mkdocs.yml"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    copytree(ROOT / "docs", folder / "docs")
    done = build(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def test_a_broken_link_and_a_broken_anchor_end_the_build(tmp_path):
    page, changes = tmp_path / "docs" / "index.md", {"nav": ["index.md"], "extra_css": [], "exclude_docs": ""}
    page.parent.mkdir()
    page.write_text("# Title\n\n[here](#title)\n")
    assert build(tmp_path, **changes).returncode == 0
    for target in ("missing.md", "index.md#missing"):
        page.write_text(f"# Title\n\n[there]({target})\n")
        assert build(tmp_path, **changes).returncode != 0


def test_the_python_reference_has_signatures_and_docstrings(site):
    page = (site / "reference" / "python.html").read_text(encoding="utf-8")
    assert 'id="vestige.audit.run.audit"' in page
    assert "Measure what an attacker could recover from these vectors." in page
    assert (site / "search.json").stat().st_size > 100_000


@pytest.fixture(scope="module")
def browser():
    if which("chromium") is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_pages_fit_and_request_nothing_from_other_hosts(site, browser, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        broken = page.evaluate("[...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src)")
        assert broken == [], name
    page.close()
    assert [url for url in requested if not url.startswith(("file:", "data:"))] == []
    assert len(requested) > len(PAGES)
