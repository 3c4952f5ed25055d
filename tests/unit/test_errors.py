"""The command that installs an extra."""

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
def test_anything_else_installs_by_name(package, tmp_path, project):
    if project is not None:
        (tmp_path / "pyproject.toml").write_text(project)
    assert format_install("demo", package=package) == "pip install 'vestige[demo]'"
    again = format_install("use", package=package, reinstall=True)
    assert again == "pip install --force-reinstall 'vestige[use]'"


def test_a_missing_extra_names_the_command():
    assert str(MissingExtra("'faiss'", "faiss")) == f"'faiss' is not installed; get it with: {format_install('faiss')}"
