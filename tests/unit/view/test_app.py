"""Addresses and what they answer."""

import json
import re
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from tests.sample_frontier import swept
from tests.sample_view import DEFENSE, list_typed, toy_model
from vestige.report.write import write_frontier
from vestige.view import run_pages
from vestige.view.app import Pages, build_app
from vestige.view.runs import RunIndex
from vestige.view.site import Site


def test_home_leads_to_the_runs_or_without_a_folder_to_the_live_page(client, model):
    assert client.get("/").headers["location"] == "/runs"
    alone = TestClient(build_app(Pages(RunIndex([]), model, Site())), follow_redirects=False)
    assert alone.get("/").headers["location"] == "/live"
    assert "There is no result here" in alone.get("/runs").text


def test_every_page_answers(client, index):
    run = {run.name: run.id for run in index.list_runs()}
    for path in (
        "/live",
        f"/live?defense={DEFENSE}",
        "/live/status",
        "/runs",
        "/trend",
        "/compare",
        f"/compare?base={run['main']}&new={run['branch']}",
        f"/run/{run['main']}",
        f"/run/{run['main']}/evidence",
        f"/run/{run['defend']}?probe=words&cost=recall@10",
        f"/defense/{run['defend']}/2",
        f"/files/{run['defend']}/frontier.html",
        "/explore",
        "/explore?band=0",
        "/explore/document/0",
        "/explore/map?by=half",
        "/static/view.js",
        "/static/report.css",
    ):
        assert client.get(path).status_code == 200, path


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/run/nothing",
        "/explore?band=x",
        "/explore/word/zanzibar",
        "/explore/document/99999",
        "/static/secret.txt",
        "/live/sentence/nothing",
        "/compare?base=1&new=2",
        "/files/nothing/report.json",
    ],
)
def test_what_does_not_exist_is_not_found(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert "There is no such page" in answer.text


def test_bad_input_is_explained(client):
    answer = client.get("/explore/map?method=tsne")
    assert answer.status_code == 400
    assert "choose among those on the page" in answer.text


def test_a_file_is_offered_for_saving(client, index):
    run = next(run for run in index.list_runs() if run.name == "main")
    answer = client.get(f"/files/{run.id}/report.sarif")
    assert answer.headers["content-disposition"] == 'attachment; filename="report.sarif"'
    assert client.get(f"/files/{run.id}/report.exe").status_code == 404


def test_a_form_gives_the_whole_page_and_a_script_gets_the_panels(client, model):
    text = list_typed(model)
    whole = client.post("/live", data={"text": text, "defense": ""}).text
    assert "<!DOCTYPE html>" in whole
    assert f">{text}</textarea>" in whole
    part = client.post("/live", data={"text": text, "defense": "", "part": "panels"}).text
    assert "<!DOCTYPE html>" not in part
    assert 'class="chip correct"' in part


def test_a_search_is_sent_as_events(client, model):
    part = client.post("/live", data={"text": list_typed(model), "part": "panels"}).text
    key = part.split('data-search="')[1].split('"')[0]
    answer = client.get(f"/live/sentence/{key}")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text.endswith("event: done\ndata: {}\n\n")


def test_a_bar_of_a_report_leads_to_its_words(client, model):
    word = model.explorer.words[0].word
    assert client.get(f"/explore/bar?label={word}").headers["location"] == f"/explore/word/{word}"
    assert client.get("/explore/bar?label=100 most frequent").headers["location"] == "/explore?band=0"
    assert client.get("/explore/bar?label=8,000 pairs").headers["location"] == "/explore"


def show_selector(model, folder, subject):
    """The live page with a sweep of this subject in the folder."""
    write_frontier(replace(swept(), subject=subject), folder)
    return TestClient(build_app(Pages(RunIndex([folder]), model, Site()))).get("/live").text


def test_the_selector_offers_the_frontier_of_a_sweep_of_the_page_with_its_figures(model, tmp_path):
    page = show_selector(model, tmp_path / "defend", model.case.subject)
    assert '<optgroup label="From the frontier of defend">' in page
    assert "gaussian:3000 (words 0.08, recall@10 0.92, chosen)" in page
    sized = replace(model.case.subject, target_texts=7, digest="another")
    assert "(words 0.08" in show_selector(model, tmp_path / "sized", sized), "other targets of the same texts"


@pytest.mark.parametrize(
    "change",
    [{"encoder": "wordllama"}, {"corpus": "letters.csv"}, {"documents": 7}],
    ids=lambda change: next(iter(change)),
)
def test_figures_of_another_encoder_or_corpus_are_not_shown(model, tmp_path, change):
    subject = replace(model.case.subject, **change)
    page = show_selector(model, tmp_path / "defend", subject)
    assert f'<optgroup label="From the frontier of defend, a sweep of {subject.corpus}, {subject.encoder}">' in page
    assert re.search('<option value="gaussian:3000"[^>]*>gaussian:3000</option>', page)
    assert "0.08" not in page


def test_before_the_texts_are_read_no_figure_is_shown(tmp_path):
    page = show_selector(toy_model(tmp_path), tmp_path / "defend", swept().subject)
    assert "gaussian:3000</option>" in page
    assert "0.08" not in page


def test_a_damaged_sweep_does_not_break_the_live_page(model, tmp_path):
    path = write_frontier(swept(), tmp_path).json
    plain = json.loads(path.read_text())
    path.write_text(json.dumps(plain | {"trials": "none"}))
    client = TestClient(build_app(Pages(RunIndex([tmp_path]), model, Site())))
    assert not RunIndex([tmp_path]).list_runs()[0].error
    answer = client.get("/live")
    assert answer.status_code == 200
    assert "From the frontier of" not in answer.text


def test_a_defect_is_a_page_that_says_so_and_not_a_missing_page(index, model, monkeypatch):
    def fail(*_arguments):
        raise KeyError("words")

    monkeypatch.setattr(run_pages, "render_runs", fail)
    client = TestClient(build_app(Pages(index, model, Site())), raise_server_exceptions=False)
    answer = client.get("/runs")
    assert answer.status_code == 500
    assert "this is a defect of Vestige" in answer.text
    assert "words" not in answer.text
