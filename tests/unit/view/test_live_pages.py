"""The parts of the live page."""

import json
import re
from dataclasses import replace

import pytest

from tests.sample_result import HOSTILE
from tests.sample_view import DEFENSE, fitted_model, list_typed, toy_model
from vestige.errors import InputError
from vestige.view.attacker import Attacker
from vestige.view.live_pages import (
    AT_ONCE,
    LONGEST_TEXT,
    MOST_SEARCHES,
    Panel,
    SearchQueue,
    attack_text,
    check_text,
    count_ended,
    describe_status,
    render_live,
    render_panels,
)
from vestige.view.live_records import DefenseChoice
from vestige.view.site import MissingPage, Site

SITE = Site()


def test_panels_show_words_with_probabilities_and_outcomes(model):
    text = list_typed(model)
    page = render_panels(SITE, attack_text(model, SearchQueue(), text, DEFENSE), text)
    plain, defended = page.split('<section class="panel defended level-none"')
    assert plain.count('class="chip correct"') >= 6
    assert defended.count('class="chip correct"') <= 2
    assert defended.count('class="chip missed"') >= 6
    assert f"Behind {DEFENSE}" in defended
    for shown in ("Sensitive keywords", "Names", "Label: half", "Encoder", "Nearest stored texts", "data-search"):
        assert shown in plain


def test_html_and_escapes_are_shown_literally(model):
    text = f"bacox {HOSTILE} \x1b[31m cobax"
    page = render_panels(SITE, attack_text(model, SearchQueue(), text, ""), text)
    assert HOSTILE not in page
    assert "alert" in page
    assert "&lt;<span" in page or "&lt;" in page
    assert "\x1b" not in page
    assert "\\x1b[" in page


def test_without_a_meaningful_word_nothing_is_attacked(model):
    page = render_panels(SITE, attack_text(model, SearchQueue(), "the of", ""), "the of")
    assert "Type a few words" in page


def test_an_unknown_defense_is_refused(model):
    with pytest.raises(InputError, match="unknown defense 'gausian'"):
        attack_text(model, SearchQueue(), "bacox", "gausian:8")


def test_before_the_fit_the_page_waits(tmp_path):
    model = toy_model(tmp_path)
    page = render_panels(SITE, attack_text(model, SearchQueue(), "bacox", ""), "bacox")
    assert "The attack is being fitted" in page
    status = describe_status(model, "")
    assert (status["done"], status["ready"]) == (0, False)


def test_the_status_of_a_fitted_model(model):
    status = describe_status(model, DEFENSE)
    assert (status["done"], status["total"], status["ready"], status["finished"]) == (11, 11, True, True)
    assert (status["share"], status["error"]) == (1.0, "")


def test_the_answer_says_how_many_jobs_had_ended_before_it(model, client):
    page = client.post("/live", data={"text": list_typed(model), "defense": DEFENSE, "part": "panels"}).text
    assert f'data-ended="{count_ended(model, DEFENSE)}"' in page
    assert count_ended(model, DEFENSE) == describe_status(model, DEFENSE)["done"] == 11


def test_an_attack_that_failed_does_not_hide_what_the_others_recovered(tmp_path, monkeypatch):
    def fail(*_arguments):
        raise InputError("there are no sentences")

    monkeypatch.setattr(Attacker, "fit_sentence", fail)
    model = fitted_model(tmp_path)
    text = list_typed(model)
    page = render_panels(SITE, attack_text(model, SearchQueue(), text, ""), text)
    assert "there are no sentences" in page
    assert "The search could not be fitted" in page
    assert page.count('class="chip correct"') >= 6


def test_a_search_is_a_stream_of_events_that_gets_closer(model):
    searches, text = SearchQueue(), list_typed(model)
    (panel,) = attack_text(model, searches, text, "")
    *steps, last = searches.follow(model, panel.search)
    assert last == "event: done\ndata: {}\n\n"
    found = [json.loads(step.removeprefix("data: ")) for step in steps]
    assert found[-1]["cosine"] > found[0]["cosine"]
    assert found[-1]["recovered"] == found[-1]["present"] == 8


def test_abandoned_streams_do_not_stop_others(model):
    """A browser that closes a page leaves the stream suspended."""
    searches = SearchQueue()
    streams = []
    for _ in range(AT_ONCE + 1):
        (panel,) = attack_text(model, searches, list_typed(model), "")
        streams.append(searches.follow(model, panel.search))
        assert next(streams[-1]).startswith("data: ")


def test_old_searches_are_forgotten(model):
    searches, vector = SearchQueue(), model.case.targets[0]
    keys = [searches.add("", vector, frozenset()) for _ in range(MOST_SEARCHES + 1)]
    with pytest.raises(MissingPage):
        searches.follow(model, keys[0])
    assert searches.follow(model, keys[-1])


def test_a_search_keeps_no_attacker_that_the_model_forgot(model):
    searches = SearchQueue()
    key = searches.add("pca:3", model.case.targets[0], frozenset())
    with pytest.raises(MissingPage):
        searches.follow(model, key)


def test_without_keywords_the_page_says_what_to_do(model):
    attacker = replace(model.find_attacker(""), keywords=(), keyword_attack=None)
    text = list_typed(model)
    result = attacker.attack(text, model.encode(text, attacker))
    assert result.keywords == ()
    page = render_panels(SITE, [Panel("", result, None, "", waiting=False)], text)
    assert "Name some with --keywords" in page


def test_a_long_text_is_refused():
    with pytest.raises(InputError, match="the text has 10,001 characters; expected at most 10,000"):
        check_text("x" * (LONGEST_TEXT + 1))
    assert check_text("a\r\nb") == "a\nb"


def test_the_page_has_labels_and_a_selector(model):
    groups = [
        (
            "From the frontier of x",
            [DefenseChoice("gaussian:3000", "gaussian:3000 (words 0.08)", "In a sweep.")],
        ),
        ("All", [DefenseChoice("int8", "int8")]),
    ]
    page = render_live(SITE, model, groups, HOSTILE, "gaussian:3000", panels="")
    assert HOSTILE not in page
    for shown in ('<label for="text">', '<label for="defense">', '<optgroup label="From the frontier of x">'):
        assert shown in page
    assert '<option value="gaussian:3000" data-note="In a sweep." selected>' in page
    assert 'id="defense-note" aria-live="polite">In a sweep.</p>' in page
    assert 'aria-live="polite"' in page
    assert 'role="status" id="announced"' in page
    assert 'data-listed="yes"' in page


@pytest.mark.parametrize("defense", ["pca:2", "rounding:1", "int8", ""])
def test_the_defense_of_the_address_is_selected_once_in_whichever_group_it_is(tmp_path, defense):
    groups = [
        ("A sweep", [DefenseChoice("rounding:1", "rounding:1, 0.4")]),
        ("All", [DefenseChoice("pca:2", "pca:2"), DefenseChoice("rounding:1", "rounding:1")]),
    ]
    page = render_live(SITE, toy_model(tmp_path), groups, "", defense, panels="")
    selected = re.findall(r'<option value="([^"]*)" selected', page)
    assert selected == ([defense] if defense else [])


def test_the_selector_says_whether_all_defenses_are_known_yet(tmp_path):
    assert 'data-listed="no"' in render_live(SITE, toy_model(tmp_path), [], "", "", panels="")
