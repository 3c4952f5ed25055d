"""The pages in a real browser: they fit, make no request, and work with a screen reader and in dark mode."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from shutil import which

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from tests import sample_frontier
from tests.sample_comparison import compared, hostile_comparison
from tests.sample_frontier import hostile, swept
from tests.sample_preflight import preflighted
from tests.sample_result import CROSS_DOMAIN, crowded, finding, result, typical
from tests.unit.papers.sample import sample
from tests.unit.report.test_charts import STEPS
from vestige.papers.page import write_reproduction
from vestige.report.write import write_comparison, write_frontier, write_report

pytestmark = pytest.mark.browser

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
SAMPLES = {
    "typical": partial(write_report, typical()),
    "crowded": partial(write_report, crowded()),
    "checked": partial(write_report, replace(result(replace(finding(), roc=(STEPS,))), preflight=preflighted())),
    "empty": partial(write_report, result(not_run=(CROSS_DOMAIN,))),
    "frontier": partial(write_frontier, swept()),
    "crowded frontier": partial(write_frontier, sample_frontier.crowded()),
    "hostile frontier": partial(write_frontier, hostile()),
    "comparison": partial(write_comparison, compared()),
    "hostile comparison": partial(write_comparison, hostile_comparison()),
    "paper": partial(write_reproduction, sample()),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=chromium, args=[*QUIET, "--disable-component-update", "--disable-sync"]
        )
        yield opened
        opened.close()


@pytest.fixture(params=SAMPLES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return SAMPLES[request.param](tmp_path).html.as_uri()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_the_page_makes_no_request_and_logs_nothing(page: Page, url: str) -> None:
    requests: list[str] = []
    messages: list[str] = []

    def on_request(request: Request) -> None:
        requests.append(request.url)

    def on_console(message: ConsoleMessage) -> None:
        messages.append(message.text)

    page.on("request", on_request)
    page.on("console", on_console)
    page.on("dialog", lambda dialog: messages.append(dialog.message) or dialog.dismiss())
    page.goto(url, wait_until="networkidle")
    assert [request for request in requests if not request.startswith("data:")] == [url]
    assert messages == []


@pytest.mark.parametrize("width", [400, 1280])
def test_the_page_never_scrolls_sideways(page: Page, url: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(url)
    wide, seen = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= seen


LABELS = """() => {
  const texts = [...document.querySelectorAll('svg.frontier text')].map(t => t.getBoundingClientRect());
  return texts.filter(box => box.width > 0).map(box => [box.left, box.top, box.right, box.bottom]);
}"""

OUTSIDE = """() => [...document.querySelectorAll('.trials tbody td, .trials tbody th')]
  .filter(cell => cell.getBoundingClientRect().right > document.documentElement.clientWidth)
  .map(cell => cell.textContent.trim())"""


COVERED = """() => [...document.querySelectorAll('.trials td[data-label]')]
  .filter(cell => getComputedStyle(cell, '::before').position === 'absolute')
  .filter(cell => parseFloat(getComputedStyle(cell, '::before').width) > parseFloat(getComputedStyle(cell).paddingLeft))
  .map(cell => cell.dataset.label)"""
"""Cells whose name, which a narrow screen shows before the figure, would cover the figure."""


def overlap(one: list[float], other: list[float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("width", [400, 1280])
def test_the_frontier_fits_a_phone_and_its_labels_are_readable(page: Page, tmp_path: Path, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(SAMPLES["crowded frontier"](tmp_path).html.as_uri())
    drawn = page.evaluate("[...document.querySelectorAll('svg.frontier')].filter(s => s.clientWidth > 0).length")
    assert drawn == 1, "one chart for each width of the screen"
    labels = page.evaluate(LABELS)
    assert min(bottom - top for _, top, _, bottom in labels) >= 12
    assert not [pair for pair in combinations(labels, 2) if overlap(*pair)]
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(COVERED) == []


def test_the_charts_of_a_phone_would_be_unreadable_on_it_if_they_were_shrunk(page: Page, tmp_path: Path) -> None:
    """The test above can fail: the broad chart on a narrow screen has letters of seven pixels."""
    page.set_viewport_size({"width": 400, "height": 900})
    page.goto(SAMPLES["crowded frontier"](tmp_path).html.as_uri())
    shown = ".broad-screen { display: block !important } .narrow-screen { display: none !important }"
    page.add_style_tag(content=shown)
    assert min(bottom - top for _, top, _, bottom in page.evaluate(LABELS)) < 12


def test_light_and_dark_differ_and_print_is_always_light(page: Page, url: str) -> None:
    page.goto(url)

    def ink(media: str, scheme: str) -> tuple[str, str]:
        page.emulate_media(media=media, color_scheme=scheme)
        return page.evaluate("(style => [style.backgroundColor, style.color])(getComputedStyle(document.body))")

    light, dark = ink("screen", "light"), ink("screen", "dark")
    assert light[0] != dark[0]
    assert light[1] != dark[1]
    assert ink("print", "dark") == ink("print", "light")
    assert ink("print", "dark")[1] == light[1]


def test_headings_descend_one_level_at_a_time(page: Page, url: str) -> None:
    page.goto(url)
    steps = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => Number(h.tagName[1]))")
    assert steps[0] == 1
    assert steps.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(steps))


def test_every_chart_has_a_label_or_is_hidden(page: Page, url: str) -> None:
    page.goto(url)
    drawings = page.evaluate(
        "[...document.querySelectorAll('svg')].map(s => [s.getAttribute('role'), s.getAttribute('aria-label'),"
        " s.getAttribute('aria-hidden')])"
    )
    assert all((role == "img" and name) or hidden == "true" for role, name, hidden in drawings)


def test_every_table_header_has_a_scope(page: Page, url: str) -> None:
    page.goto(url)
    assert page.evaluate("document.querySelectorAll('th:not([scope])').length") == 0


CONTRAST = """() => {
  const parts = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parts(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest('.unseen')) continue;
    const style = getComputedStyle(element);
    const ink = light(parts(element.closest('svg') ? style.fill : style.color)), behindIt = light(behind(element));
    const ratio = (Math.max(ink, behindIt) + .05) / (Math.min(ink, behindIt) + .05);
    if (ratio < 4.5) found.push([element.className, walker.currentNode.data.trim(), ratio]);
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_has_enough_contrast(page: Page, url: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(url)
    assert page.evaluate(CONTRAST) == []
    page.add_style_tag(content="footer p { color: #7f7f7f; }")
    assert len(page.evaluate(CONTRAST)) == 1, "the test would not notice a faint word"
