"""The command that installs an extra."""

import json

import pytest

from vestige.errors import MissingExtra, format_install


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "src" / "vestige"
    folder.mkdir(parents=True)
    return folder


def test_a_source_tree_installs_from_the_tree(package, tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "vestige"\n')
    assert format_install("demo", package=package) == "pip install '.[demo]'"


@pytest.mark.parametrize("project", [None, '[project]\nname = "other"\n'])
def test_anything_else_installs_from_a_clone(package, tmp_path, project):
    if project is not None:
        (tmp_path / "pyproject.toml").write_text(project)
    assert format_install("demo", package=package) == "pip install '.[demo]' in a clone of Vestige"
    again = format_install("use", package=package, reinstall=True)
    assert again == "pip install --force-reinstall '.[use]' in a clone of Vestige"


def test_an_installed_package_installs_from_the_clone_it_came_from(package, tmp_path):
    clone, note = tmp_path / "my clone", package.parent / "vestige-0.1.0.dist-info" / "direct_url.json"
    note.parent.mkdir()
    note.write_text(json.dumps({"url": clone.as_uri(), "dir_info": {}}))
    assert format_install("demo", package=package) == "pip install '.[demo]' in a clone of Vestige"
    clone.mkdir()
    (clone / "pyproject.toml").touch()
    assert format_install("demo", package=package) == f"pip install '{clone}[demo]'"


def test_a_wheel_is_installed_again(package, tmp_path):
    wheel, note = tmp_path / "vestige-0.1.0.whl", package.parent / "vestige-0.1.0.dist-info" / "direct_url.json"
    note.parent.mkdir()
    note.write_text(json.dumps({"url": wheel.as_uri(), "archive_info": {}}))
    wheel.touch()
    assert format_install("demo", package=package) == f"pip install '{wheel}[demo]'"


@pytest.mark.parametrize("written", ["", "{}", '{"url": 3}', '{"url": "https://example.org/vestige.whl"}'])
def test_a_note_without_a_folder_is_ignored(package, written):
    note = package.parent / "vestige-0.1.0.dist-info" / "direct_url.json"
    note.parent.mkdir()
    note.write_text(written)
    assert format_install("demo", package=package) == "pip install '.[demo]' in a clone of Vestige"


def test_a_missing_extra_names_the_command():
    assert str(MissingExtra("'faiss'", "faiss")) == f"'faiss' is not installed; get it with: {format_install('faiss')}"
