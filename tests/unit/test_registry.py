"""Names of built-in objects and of plugins; a broken plugin is reported by name and skipped."""

import logging
from importlib.metadata import EntryPoint

import pytest

from vestige import registry
from vestige.errors import InputError, MissingExtra
from vestige.registry import Entry, Registry, find_declared, first_line, nearest

KINDS = {"alpha": Entry("vestige.types:Score", "a"), "beta": Entry("x:Y", "b", "no_such_lib", "more")}
GROUP = "vestige.kinds"
PLUGINS = '''
class Good:
    """A good plugin.

    More about it.
    """

class Unfit:
    """Fails the check."""
'''


def require_good(loaded):
    return None if loaded.__name__ == "Good" else f"{loaded.__name__} has no method 'fit'"


@pytest.fixture
def plugins(tmp_path, monkeypatch):
    """Declare entry points by name and value, in modules that exist on the path, and build a registry with them."""
    (tmp_path / "some_plugins.py").write_text(PLUGINS)
    (tmp_path / "raising_plugin.py").write_text("raise RuntimeError('no such device')\n")
    monkeypatch.syspath_prepend(tmp_path)

    def build(**declared):
        points = [EntryPoint(name, value, GROUP) for name, value in declared.items()]
        monkeypatch.setattr(registry, "entry_points", lambda *, group: points if group == GROUP else [])
        return Registry("kind", KINDS, GROUP, check=require_good)

    return build


def test_a_known_name_loads():
    assert Registry("kind", KINDS)["alpha"].load().__name__ == "Score"


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(InputError, match="unknown kind 'alfa'; did you mean 'alpha'"):
        Registry("kind", KINDS)["alfa"]
    assert nearest("zzz", KINDS) == "known: alpha, beta"


def test_a_missing_library_is_reported_with_the_command_to_install_it():
    beta = Registry("kind", KINDS)["beta"]
    assert not beta.installed
    with pytest.raises(MissingExtra, match=r"pip install '(\.|vestige)\[more\]'"):
        beta.load()


def test_an_entry_that_can_work_without_its_library_loads_without_it():
    assert Entry("vestige.types:Score", "a", "no_such_lib", "more", strict=False).load().__name__ == "Score"


def test_built_in_entries_are_found_when_they_are_first_needed():
    calls = []

    def find():
        calls.append("found")
        return KINDS

    kinds = Registry("kind", find)
    assert not calls
    assert [name for name, _ in kinds] == ["alpha", "beta"]
    assert "alpha" in kinds
    assert calls == ["found"]


def test_a_good_plugin_is_listed_and_loads(plugins, caplog):
    kinds = plugins(gamma="some_plugins:Good")
    assert [name for name, _ in kinds] == ["alpha", "beta", "gamma"]
    assert kinds["gamma"].summary == "A good plugin."
    assert kinds["gamma"].load().__name__ == "Good"
    assert kinds.broken == {}
    assert not caplog.records


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("raising_plugin:Any", "RuntimeError: no such device"),
        ("no_such_module:Any", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("some_plugins:Missing", "AttributeError: .*'Missing'"),
        ("some_plugins:Unfit", "ValueError: Unfit has no method 'fit'"),
    ],
)
def test_a_broken_plugin_is_reported_by_name_and_skipped(plugins, caplog, value, reason):
    kinds = plugins(delta=value, gamma="some_plugins:Good")
    with caplog.at_level(logging.WARNING, logger="vestige.registry"):
        assert [name for name, _ in kinds] == ["alpha", "beta", "gamma"]
    (record,) = caplog.records
    assert record.getMessage() == f"kind plugin 'delta' is skipped: {kinds.broken['delta']}"
    assert "delta" not in kinds
    with pytest.raises(InputError, match=f"kind 'delta' is a plugin that cannot be used: {reason}"):
        kinds["delta"]


def test_a_plugin_cannot_take_the_name_of_a_built_in_entry(plugins, caplog):
    kinds = plugins(alpha="some_plugins:Good")
    assert kinds["alpha"].load().__name__ == "Score"
    assert "the name 'alpha' is taken by vestige" in kinds.broken["alpha"]
    assert "kind plugin 'alpha' is skipped" in caplog.text


def test_without_a_group_no_entry_point_is_read(plugins):
    plugins(gamma="some_plugins:Good")
    assert "gamma" not in Registry("kind", KINDS)


def test_an_installed_distribution_is_the_origin_of_its_plugins(tmp_path, monkeypatch):
    (tmp_path / "some_plugins.py").write_text(PLUGINS)
    metadata = tmp_path / "toy_kinds-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-kinds\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\ngamma = some_plugins:Good\ndelta = some_plugins:Unfit\n")
    monkeypatch.syspath_prepend(tmp_path)
    kinds = Registry("kind", KINDS, GROUP, check=require_good)
    assert kinds["gamma"].origin == "toy-kinds"
    assert kinds["alpha"].origin == "vestige"
    assert kinds.broken == {"delta": "ValueError: Unfit has no method 'fit' (package toy-kinds)"}


def test_classes_that_declare_themselves_are_found_where_they_are_defined(tmp_path, monkeypatch):
    package = tmp_path / "declaring"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "inner" / "__init__.py").touch()
    (package / "base.py").write_text("class Base:\n    card = 'base'\n\nclass Plain:\n    pass\n")
    (package / "inner" / "deep.py").write_text(
        "from declaring.base import Base\n\nclass Deep(Base):\n    card = 'deep'\n\nclass Inherits(Base):\n    pass\n"
    )
    (package / "heavy.py").write_text("raise RuntimeError('imported')\n")
    monkeypatch.syspath_prepend(tmp_path)
    declared = find_declared("declaring", "card")
    assert {place: member.card for place, member in declared.items()} == {
        "declaring.base:Base": "base",
        "declaring.inner.deep:Deep": "deep",
    }


def test_the_summary_is_the_first_line_of_the_docstring():
    assert first_line(Entry).startswith("Where an object is defined")
    assert first_line(object()) == "The base class of the class hierarchy."
    assert first_line(type("Bare", (), {})) == ""
