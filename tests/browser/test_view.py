"""The local web app in a real browser: type and see words, switch the defense, browse runs, with or without a mouse."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shutil import which
from threading import Event, Thread

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.test_report_page import QUIET
from tests.sample_frontier import swept
from tests.sample_result import HOSTILE
from tests.sample_view import DEFENSE, fitted_model, list_typed, make_runs, running, toy_model
from vestige.defend.candidates import explain
from vestige.report.write import write_frontier
from vestige.types import Trial
from vestige.view.attacker import Attacker
from vestige.view.live import LiveModel
from vestige.view.runs import RunIndex
from vestige.view.server import Address

pytestmark = pytest.mark.browser

PATIENCE_MS = 20_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LiveModel:
    return fitted_model(tmp_path_factory.mktemp("live"), DEFENSE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_runs(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def address(model: LiveModel, folder: Path) -> Iterator[Address]:
    with running(model, folder) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: Address) -> Iterator[Page]:
    """A page that has the cookie; every request and every message of the console is recorded."""
    context = browser.new_context()
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    opened.goto(address.url)
    yield opened
    context.close()


@pytest.fixture
def base(address: Address) -> str:
    return f"http://127.0.0.1:{address.port}"


def ids(folder: Path) -> dict[str, str]:
    return {run.name: run.id for run in RunIndex([folder]).list_runs()}


def type_text(page: Page, base: str, text: str) -> None:
    page.goto(f"{base}/live")
    page.get_by_label("Your text").press_sequentially(text, delay=5)


def test_the_token_is_exchanged_for_a_cookie(page: Page, base: str) -> None:
    assert page.url == f"{base}/runs"
    (cookie,) = page.context.cookies()
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Strict"


def test_typed_words_appear_with_their_probabilities(page: Page, base: str, model: LiveModel) -> None:
    text = list_typed(model)
    type_text(page, base, text)
    correct = page.locator(".chip.correct .chip-word")
    expect(correct.first).to_be_visible()
    expect(page.locator("#announced")).to_contain_text("of 8 meaningful words recovered")
    assert set(correct.all_text_contents()) <= set(text.split())
    assert correct.count() >= 6
    assert "%" in page.locator(".chip.correct .chance").first.text_content()


def test_the_sentence_improves_step_by_step(page: Page, base: str, model: LiveModel) -> None:
    text = list_typed(model)
    type_text(page, base, text)
    state = page.locator("[data-part=state]")
    expect(state).to_contain_text("cosine")
    expect(page.locator("[data-part=end]")).to_contain_text("The search ended")
    expect(state).to_contain_text("8 of 8 words")


def test_searches_of_many_tabs_do_not_hold_up_the_words_of_others(
    browser: Browser, address: Address, base: str, model: LiveModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser has six connections for all tabs of a server; more searches than that would take them all."""

    def search(_self: Attacker, _vector: object) -> Iterator[Trial]:
        while not ended.wait(0.05):
            yield Trial(1, "a sentence", 0.5)

    ended, text = Event(), list_typed(model)
    monkeypatch.setattr(Attacker, "follow", search)
    context = browser.new_context()
    pages = [context.new_page() for _ in range(8)]
    pages[0].goto(address.url)
    try:
        for page in pages:
            page.goto(f"{base}/live")
            page.get_by_label("Your text").fill(text)
            expect(page.locator(".chip.correct").first).to_be_visible(timeout=PATIENCE_MS)
            page.wait_for_timeout(100)
        states = [page.locator("[data-part=state]").text_content() for page in pages]
        assert 1 < sum("cosine" in state for state in states) <= 4
        pages[0].close()
        waiting = next(page for page, state in zip(pages, states, strict=True) if "cosine" not in state)
        for page in pages[1:]:
            if page is not waiting and "cosine" in page.locator("[data-part=state]").text_content():
                page.close()
        expect(waiting.locator("[data-part=state]")).to_contain_text("cosine", timeout=PATIENCE_MS)
    finally:
        ended.set()
        context.close()


def test_behind_a_defense_the_words_disappear(page: Page, base: str, model: LiveModel) -> None:
    type_text(page, base, list_typed(model))
    expect(page.locator(".chip.correct").first).to_be_visible()
    page.get_by_label("Defense", exact=True).select_option(DEFENSE)
    defended = page.get_by_label(f"Behind {DEFENSE}")
    expect(defended.locator(".chip.missed").first).to_be_visible()
    assert defended.locator(".chip.correct").count() <= 2
    assert page.get_by_label("Without a defense").locator(".chip.correct").count() >= 6


def test_a_new_defense_shows_progress_and_then_its_words(page: Page, base: str, model: LiveModel) -> None:
    type_text(page, base, list_typed(model))
    expect(page.locator(".chip.correct").first).to_be_visible()
    page.get_by_label("Defense", exact=True).select_option("rotation")
    expect(page.get_by_label("Behind rotation").locator(".chip").first).to_be_visible(timeout=60_000)
    assert page.get_by_label("Behind rotation").locator(".chip.correct").count() >= 6, "rotation hides nothing"
    expect(page.locator("#fitting-state")).to_contain_text("All attacks are fitted", timeout=60_000)


def test_whoever_types_at_once_gets_the_defenses_as_soon_as_they_are_known(browser: Browser, tmp_path: Path) -> None:
    with running(toy_model(tmp_path)) as address:
        page = browser.new_context().new_page()
        page.goto(address.url)
        page.get_by_label("Your text").fill("bacox cobax")
        expect(page.locator('#defense[data-listed="yes"] option[value="rotation"]')).to_be_attached(timeout=60_000)
        expect(page.get_by_label("Your text")).to_have_value("bacox cobax")
        page.context.close()


def test_switching_to_a_fitted_defense_attacks_once(page: Page, base: str, model: LiveModel) -> None:
    """A second attack would begin the search for the sentence again."""
    type_text(page, base, list_typed(model))
    expect(page.locator(".chip.correct").first).to_be_visible()
    expect(page.locator("#fitting-state")).to_contain_text("All attacks are fitted")
    posted: list[str] = []
    page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    page.get_by_label("Defense", exact=True).select_option(DEFENSE)
    expect(page.get_by_label(f"Behind {DEFENSE}").locator(".chip").first).to_be_visible()
    page.wait_for_timeout(1500)
    assert len(posted) == 1


def test_figures_that_the_selector_cuts_are_below_it(browser: Browser, model: LiveModel, tmp_path: Path) -> None:
    write_frontier(replace(swept(), subject=model.case.subject), tmp_path)
    with running(model, tmp_path) as address:
        page = browser.new_page(viewport={"width": 400, "height": 900})
        page.goto(address.url)
        page.goto(f"http://127.0.0.1:{address.port}/live")
        note = page.locator("#defense-note")
        expect(note).to_be_hidden()
        page.get_by_label("Defense", exact=True).select_option("gaussian:3000")
        expect(note).to_contain_text("In the sweep: words leakage 0.080 (0.070 to 0.090), recall@10 0.920")
        assert note.evaluate("node => node.scrollWidth <= node.clientWidth")
        page.get_by_label("Defense", exact=True).select_option(DEFENSE)
        expect(note).to_have_text(explain(DEFENSE))
        page.close()


def test_a_server_that_has_ended_is_reported(page: Page, base: str, model: LiveModel) -> None:
    page.goto(f"{base}/live")
    expect(page.locator("#fitting-state")).to_contain_text("All attacks are fitted")
    page.route("**/live**", lambda route: route.abort())
    page.get_by_label("Your text").fill(list_typed(model))
    expect(page.locator("#results")).to_contain_text("The server does not answer")
    page.get_by_label("Defense", exact=True).select_option(DEFENSE)
    expect(page.locator("#fitting-state")).to_contain_text("The server does not answer")


def test_stored_vectors_are_shown_as_soon_as_they_have_been_attacked(browser: Browser, tmp_path: Path) -> None:
    with running(toy_model(tmp_path)) as address:
        page = browser.new_page()
        page.goto(address.url)
        page.goto(f"http://127.0.0.1:{address.port}/explore")
        expect(page.get_by_role("heading", level=1)).to_have_text(
            "Words recovered from the stored vectors", timeout=60_000
        )
        page.close()


def test_a_defense_that_does_not_exist_is_explained(page: Page, base: str, model: LiveModel) -> None:
    type_text(page, base, list_typed(model))
    page.evaluate("document.getElementById('defense').add(new Option('gausian:8', 'gausian:8'))")
    page.get_by_label("Defense", exact=True).select_option("gausian:8")
    expect(page.locator("#results")).to_contain_text("unknown defense 'gausian'; did you mean 'gaussian'?")


def test_everything_works_without_a_mouse(page: Page, base: str, model: LiveModel) -> None:
    text = list_typed(model)
    page.goto(f"{base}/live")
    assert page.evaluate("document.activeElement.id") == "text"
    page.keyboard.type(text, delay=5)
    expect(page.locator(".chip.correct").first).to_be_visible()
    visited = []
    for _ in range(12):
        page.keyboard.press("Tab")
        visited.append(page.evaluate("document.activeElement.id || document.activeElement.textContent"))
        if visited[-1] == "defense":
            break
    assert visited[-1] == "defense"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid", "the focus can be seen"
    page.keyboard.type("pca:2")
    chosen = page.get_by_label("Defense", exact=True).input_value()
    assert chosen == DEFENSE
    expect(page.get_by_label(f"Behind {DEFENSE}").locator(".chip").first).to_be_visible()
    page.goto(f"{base}/runs")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


FOCUSED = "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"


def press_until(page: Page, key: str, label: str, most: int = 60) -> None:
    """Press a key until the focus is on the control with this name."""
    for _ in range(most):
        page.keyboard.press(key)
        if page.evaluate(FOCUSED).strip().startswith(label):
            return
    raise AssertionError(f"{key} never reaches {label}")


def test_two_runs_are_compared_without_a_mouse(page: Page, base: str) -> None:
    page.goto(f"{base}/runs")
    for radio in ("main as base", "branch as new"):
        while not page.evaluate(FOCUSED).endswith(radio.split()[-1]):
            page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) != radio:
            press_until(page, "ArrowDown", radio)
        page.keyboard.press("Space")
    press_until(page, "Tab", "Compare the two")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2).first).to_contain_text("'branch' leaks more than 'main' in words")


def test_a_point_of_the_frontier_leads_to_its_defense_without_a_mouse(page: Page, base: str, folder: Path) -> None:
    page.goto(f"{base}/run/{ids(folder)['defend']}")
    press_until(page, "Tab", "3: gaussian:3000")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Defense 3: gaussian:3000")


def test_two_runs_are_compared(page: Page, base: str) -> None:
    page.goto(f"{base}/runs")
    page.get_by_label("main as base").check()
    page.get_by_label("branch as new").check()
    page.get_by_role("button", name="Compare the two").click()
    expect(page.get_by_role("heading", level=2).first).to_contain_text("'branch' leaks more than 'main' in words")


def test_the_newest_audit_is_proposed_against_the_one_before(page: Page, base: str) -> None:
    page.goto(f"{base}/compare")
    base_id, new_id = (page.get_by_label(side, exact=True).input_value() for side in ("Base", "New"))
    assert base_id != new_id
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_label("Base", exact=True)).to_have_value(base_id)
    expect(page.get_by_label("New", exact=True)).to_have_value(new_id)


def test_the_list_of_runs_can_be_filtered(page: Page, base: str) -> None:
    page.goto(f"{base}/runs")
    page.get_by_label("Filter").fill("nested")
    expect(page.locator("tr.run:visible")).to_have_count(1)
    expect(page.locator("#filtered")).to_have_text("1 of 7 runs")


def test_a_point_of_the_frontier_leads_to_its_defense_and_this_to_the_live_page(
    page: Page, base: str, folder: Path
) -> None:
    page.goto(f"{base}/run/{ids(folder)['defend']}")
    page.locator("svg.broad-screen a").nth(2).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Defense 3: gaussian:3000")
    page.get_by_role("link", name="Try it live").click()
    assert page.get_by_label("Defense", exact=True).input_value() == "gaussian:3000"


def test_from_a_bar_to_its_words_to_a_text_to_its_document(page: Page, base: str) -> None:
    page.goto(f"{base}/explore")
    page.locator(".bars a").first.click()
    word = page.locator(".word-table a").first.text_content()
    page.locator(".word-table a").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"The word “{word}”")
    expect(page.locator(".leak mark.hit").first).to_be_visible()
    page.locator(".leak h3 a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Document ")
    expect(page.locator(".leak mark.hit").filter(has_text=word).first).to_be_visible()


def test_the_map_leads_to_a_document(page: Page, base: str) -> None:
    page.goto(f"{base}/explore/map")
    page.get_by_label("Colour", exact=True).select_option("half")
    page.get_by_role("button", name="Draw").click()
    expect(page.locator(".legend li").first).to_contain_text("early")
    page.locator(".map-point").first.click(force=True)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Document ")


def test_html_and_terminal_escapes_are_shown_literally(page: Page, base: str) -> None:
    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.message) or dialog.dismiss())
    page.goto(f"{base}/live")
    page.get_by_label("Your text").fill(f"bacox {HOSTILE} \x1b[31mcobax <img src=x onerror=alert(2)>")
    expect(page.locator(".typed")).to_have_text(f"bacox {HOSTILE} \\x1b[31mcobax <img src=x onerror=alert(2)>")
    assert page.locator("#results script, #results img").count() == 0
    assert asked == []


PATHS = ("/live", "/runs", "/trend", "/compare", "/explore", "/explore/map", "/explore/document/0")


def list_pages(folder: Path) -> list[str]:
    run = ids(folder)
    return [
        *PATHS,
        f"/run/{run['main']}",
        f"/run/{run['main']}/evidence",
        f"/run/{run['defend']}",
        f"/defense/{run['defend']}/3",
        f"/run/{run['judged']}",
        f"/run/{run['encoders']}",
        f"/compare?base={run['main']}&new={run['branch']}",
    ]


@pytest.mark.parametrize("width", [400, 1600])
def test_no_page_scrolls_sideways(page: Page, base: str, folder: Path, model: LiveModel, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for path in list_pages(folder):
        page.goto(f"{base}{path}")
        wide, seen = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide <= seen, path
    type_text(page, base, list_typed(model))
    page.get_by_label("Defense", exact=True).select_option(DEFENSE)
    expect(page.get_by_label(f"Behind {DEFENSE}").locator(".chip").first).to_be_visible()
    wide, seen = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= seen


@pytest.mark.parametrize("width", [700, 1180])
def test_figures_of_the_list_do_not_overlap(page: Page, base: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{base}/runs")
    overlaps = page.evaluate(
        """() => [...document.querySelectorAll('.runs .figure dd')]
          .filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent)"""
    )
    assert overlaps == []


LUMINANCE = """() => {
  const value = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map(c => c / 255)
      .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (; node; node = node.parentElement) {
      const color = getComputedStyle(node).backgroundColor;
      if (!color.endsWith(', 0)') && color !== 'transparent') return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const texts = [...document.querySelectorAll('p, a, li, td, th, label, button, h1, h2, h3, .chip, .chance, .hint')];
  return texts.filter(node => node.offsetWidth && [...node.childNodes].some(c => c.nodeType === 3 && c.data.trim()))
    .map(node => {
      const [a, b] = [value(getComputedStyle(node).color), value(ground(node))].sort((x, y) => y - x);
      return [Math.round(100 * (a + 0.05) / (b + 0.05)) / 100, node.textContent.trim().slice(0, 40)];
    }).filter(([ratio]) => ratio < 4.5);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_have_enough_contrast(
    browser: Browser, address: Address, base: str, folder: Path, model: LiveModel, scheme: str
) -> None:
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(address.url)
    for path in list_pages(folder):
        page.goto(f"{base}{path}")
        assert page.evaluate(LUMINANCE) == [], path
    type_text(page, base, list_typed(model))
    expect(page.locator(".chip.correct").first).to_be_visible(timeout=PATIENCE_MS)
    page.wait_for_timeout(300)
    assert page.evaluate(LUMINANCE) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(20, 23, 28)") == (scheme == "dark")
    context.close()


def test_nothing_but_the_server_is_asked_and_nothing_is_logged(
    page: Page, base: str, folder: Path, model: LiveModel
) -> None:
    requests: list[str] = []
    messages: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    for path in list_pages(folder):
        page.goto(f"{base}{path}", wait_until="networkidle" if path != "/live" else "load")
    type_text(page, base, list_typed(model))
    expect(page.locator("[data-part=end]")).to_contain_text("The search ended")
    assert [url for url in requests if not url.startswith((f"{base}/", "data:"))] == []
    assert messages == []


UNNAMED = """() => [...document.querySelectorAll('input, select, textarea, button, a, progress')]
  .filter(node => node.offsetWidth || node.closest('svg'))
  .filter(node => !(node.labels?.length || node.getAttribute('aria-label') || node.textContent.trim()))
  .map(node => node.outerHTML.slice(0, 80))"""


def test_every_control_has_a_name_and_headings_are_in_order(page: Page, base: str, folder: Path) -> None:
    for path in list_pages(folder):
        page.goto(f"{base}{path}")
        assert page.evaluate(UNNAMED) == [], path
        assert page.locator("h1").count() == 1, path
        assert page.locator("main").count() == 1, path


def test_a_foreign_page_cannot_use_the_server(browser: Browser, address: Address, base: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    assert page.goto(f"{base}/runs").status == 403
    assert page.goto(f"{base}/?token=wrong").status == 403
    page.goto(address.url)
    page.goto("data:text/html,<title>foreign</title>")
    answers = page.evaluate(
        """async (base) => {
          const ask = (init) => fetch(base + '/live', init).then(r => r.status, () => 'blocked');
          return [await ask({}), await ask({method: 'POST', body: 'text=x', mode: 'no-cors'})];
        }""",
        base,
    )
    assert answers in (["blocked", 0], ["blocked", "blocked"]), "no answer can be read"
    own = page.request.post(f"{base}/live", headers={"origin": "http://evil.example"}, form={"text": "x"})
    assert own.status == 403
    assert page.request.get(f"{base}/runs", headers={"host": "evil.example"}).status == 403
    context.close()


@pytest.fixture
def neighbour() -> Iterator[Callable[[str], int]]:
    """Another server of this machine: the port of one that shows this content."""
    shown: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(shown[-1].encode())

        def log_message(self, *_arguments: object) -> None:
            """Quiet."""

    def show(content: str) -> int:
        shown.append(content)
        return server.server_port

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield show
        server.shutdown()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_link_in_a_terminal_of_the_browser_opens_the_app(
    browser: Browser, address: Address, base: str, neighbour: Callable[[str], int], name: str
) -> None:
    page = browser.new_page()
    port = neighbour(f'<a href="{address.url}">open</a>')
    page.goto(f"http://{name}:{port}/")
    page.get_by_text("open").click()
    expect(page).to_have_url(f"{base}/runs", timeout=PATIENCE_MS)
    expect(page.get_by_role("heading", level=1)).to_have_text("Runs")
    page.close()


def test_a_page_of_another_server_on_this_machine_cannot_start_a_fit(
    browser: Browser, address: Address, base: str, neighbour: Callable[[str], int], model: LiveModel
) -> None:
    """Browsers send the cookie to every port of a host."""
    page = browser.new_page()
    page.goto(address.url)
    target = f"{base}/live?defense=rounding:2"
    port = neighbour(f'<img src="{target}"><a href="{target}">open</a>')
    page.goto(f"http://127.0.0.1:{port}/", wait_until="networkidle")
    with page.expect_response(target) as answer:
        page.get_by_text("open").click()
    assert answer.value.status == 403
    assert model.worker.list_jobs("rounding:2") == []
    page.close()


def test_without_scripts_the_form_still_answers(
    browser: Browser, address: Address, base: str, model: LiveModel
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address.url)
    page.goto(f"{base}/live")
    page.get_by_label("Your text").fill(list_typed(model))
    page.get_by_role("button", name="Attack").click()
    expect(page.locator(".chip.correct").nth(5)).to_be_attached()
    context.close()


def test_the_status_is_json_that_the_page_understands(page: Page, base: str) -> None:
    page.goto(f"{base}/live/status")
    assert json.loads(page.locator("body").text_content())["finished"]
