"""The commands `list` and `encoders`: what is available, what is missing, and plugins."""

import json
from importlib.metadata import EntryPoint

import pytest

from vestige import registry
from vestige.attacks.attack import ATTACKS
from vestige.errors import format_install

KINDS = {"probes", "attacks", "encoders", "defenses", "stores", "files of vectors", "corpora", "patterns"}
DETAILS = {"attack details", "plugins", "broken plugins"}


@pytest.fixture
def attack_plugins(monkeypatch):
    """A plugin that is a copy of a built-in attack, and one that cannot be imported."""
    place = ATTACKS["fixed-words"].place
    found = [
        EntryPoint("copied-words", place, "vestige.attacks"),
        EntryPoint("lost-words", "no.such.module:Words", "vestige.attacks"),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: found if group == "vestige.attacks" else [])
    vars(ATTACKS).pop("entries", None)
    yield place
    vars(ATTACKS).pop("entries", None)
    ATTACKS.broken.clear()


def test_list_names_what_is_missing_and_how_to_install_it(vestige_command, monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    monkeypatch.setattr(registry, "find_spec", lambda _: None)
    printed = vestige_command("list").out
    assert "words-cross-domain" in printed
    assert f"not installed: {format_install('demo')}" in " ".join(printed.split())
    assert "Large Movie Review Dataset" in " ".join(printed.split())


def test_list_for_machines(vestige_command):
    lists = json.loads(vestige_command("list", "--json").out)
    assert set(lists) == KINDS | DETAILS
    assert {"minilm", "st"} <= set(lists["encoders"])
    assert all(isinstance(summary, str) for kind in KINDS for summary in lists[kind].values())
    assert set(lists["attack details"]) == set(lists["attacks"])
    assert lists["plugins"] == lists["broken plugins"] == {}


def test_attacks_are_listed_with_paper_access_and_recipes(vestige_command):
    details = json.loads(vestige_command("list", "--json").out)["attack details"]["multilabel"]
    assert details["access"] == ["pairs"]
    assert details["paper"].startswith("Song and Raghunathan")
    assert details["output"] == "WordGuesses"
    printed = " ".join(vestige_command("list").out.partition("\n  multilabel ")[2].split())
    assert f"access: pairs; recipes: {', '.join(details['recipes'])}" in printed


@pytest.mark.parametrize("command", ["list", "encoders"])
@pytest.mark.parametrize("columns", [80, 100])
def test_descriptions_are_beside_the_names_and_wrapped_with_a_hanging_indent(
    vestige_command, monkeypatch, command, columns
):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = vestige_command(command).out.splitlines()
    assert max(map(len, lines)) <= columns
    headings = [place for place, line in enumerate(lines) if line.endswith(":") and not line.startswith(" ")]
    assert len(headings) > 1
    assert all(lines[place - 1] == "" for place in headings[1:])


def test_a_long_description_goes_on_below_itself(vestige_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    printed = vestige_command("list").out
    assert (
        "\n  words-cross-domain     Can a stranger who has only unrelated text recover your"
        "\n                         words?\n" in printed
    )


def test_plugins_are_listed_with_their_package_and_broken_ones_with_the_reason(vestige_command, attack_plugins):
    ran = vestige_command("list")
    assert ran.code == 0
    assert ran.out[ran.out.index("plugins:") :].split() == [
        *("plugins:", "attacks:", "copied-words", attack_plugins, "broken", "plugins:", "attacks:", "lost-words"),
        *("ModuleNotFoundError:", "No", "module", "named", "'no'", "(package", "no.such.module:Words)"),
    ]
    lists = json.loads(vestige_command("list", "--json").out)
    assert lists["plugins"] == {"attacks": {"copied-words": attack_plugins}}
    assert list(lists["broken plugins"]["attacks"]) == ["lost-words"]
    assert "copied-words" in lists["attacks"]


def test_encoders_are_listed_with_what_is_missing(run, monkeypatch):
    real = registry.find_spec
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name == "gensim" else real("json"))
    code, printed, _ = run("encoders")
    assert code == 0
    assert f"not installed: {format_install('gensim')}" in " ".join(printed.split())
    rows = {row["encoder"]: row for row in json.loads(run("encoders", "--json")[1])}
    missing = [name for name, row in rows.items() if not row["installed"]]
    assert missing == ["doc2vec", "fasttext", "word2vec"]
    assert f"{len(rows) - 3} of {len(rows)} are installed" in printed
    assert rows["word2vec"]["get"] == format_install("gensim")
    assert rows["minilm"]["installed"]
    assert rows["tfidf"]["learns"]
    assert rows["tfidf"]["package"] == "vestige"
