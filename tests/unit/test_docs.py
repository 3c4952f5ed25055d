"""The documentation is true: its tables follow the declarations, and what it mentions exists."""

import ast
import importlib.util
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer.main
import yaml

import vestige
from vestige.cli.command_keys import describe_commands
from vestige.cli.main import app
from vestige.config.config_file import FILE_NAME, read_config
from vestige.config.config_key import check_tables
from vestige.probes.plan import list_probes

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
}
COMMAND = re.compile(r"(?:[A-Z_]+=\S+ )*vestige [a-z].*")
COMMANDS = typer.main.get_command(app).commands


def load_tool(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tables():
    return load_tool("render_tables")


def test_tables_follow_the_declarations(tables):
    assert tables.find_outdated(DOCS) == []


def test_an_outdated_cell_an_empty_cell_and_a_missing_table_are_reported(tables, tmp_path):
    page = PAGES["docs/explanation/standards.md"]
    assert "AML.T0024.001 Invert AI Model" in page
    assert "Are persons identified (Art. 4)?" in page
    (tmp_path / "standards.md").write_text(
        page.replace("AML.T0024.001 Invert AI Model", "AML.T0000").replace("Are persons identified (Art. 4)?", "")
    )
    outdated, empty, *missing = tables.find_outdated(tmp_path)
    assert "a table differs" in outdated
    assert "`names` is empty" in empty
    assert "no page has the table 'attacks'" in missing


def test_cells_written_by_hand_survive_and_pipes_are_escaped(tables):
    table = tables.Table(("a", "b"), lambda: [("`x`", "1|2"), ("`y`", "")], by_hand=("note",))
    once = table.render("| a | b | note |\n|---|---|---|\n| `x` | old | mine |\n")
    assert once == "| a | b | note |\n|---|---|---|\n| `x` | 1\\|2 | mine |\n| `y` | | |\n"
    assert table.render(once) == once
    assert list(table.list_gaps(once)) == ["`y`"]


def resolve(dotted):
    """The object of a dotted name; raises ImportError or AttributeError if there is none."""
    parts = dotted.split(".")
    found = vestige
    for place, part in enumerate(parts[1:], start=2):
        found = getattr(found, part, None) or import_module(".".join(parts[:place]))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_dotted_names_exist(page):
    names = set(re.findall(r"(?<![\w/.-])vestige(?:\.[A-Za-z_]\w*)+", PAGES[page])) - {FILE_NAME}
    missing = []
    for name in sorted(names):
        try:
            resolve(name)
        except (ImportError, AttributeError):
            missing.append(name)
    assert missing == []


def test_a_dotted_name_that_does_not_exist_is_noticed():
    with pytest.raises(ImportError):
        resolve("vestige.case.case.NoSuchThing")


def list_commands(page):
    """Commands in blocks and between backticks, split into words."""
    inline = [code for code in re.findall(r"`([^`\n]+)`", page) if COMMAND.fullmatch(code)]
    fenced = "\n".join(re.findall(r"^```bash\n(.*?)^```", page, re.MULTILINE | re.DOTALL)).replace("\\\n", " ")
    lines = [line for line in page.splitlines() if line.startswith("    ")] + fenced.splitlines()
    block = [line.strip() for line in lines if COMMAND.match(line.strip())]
    return [shlex.split(line.replace("'", "\\'"), comments=True) for line in [*inline, *block]]


def find_command(words):
    """The command that the words call, and its arguments."""
    words = words[words.index("vestige") + 1 :]
    command = COMMANDS.get(words[0])
    if command is not None and hasattr(command, "commands"):
        return command.commands.get(words[1]), words[2:]
    return command, words[1:]


def list_options(command):
    return {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_their_options_exist(page):
    faults = []
    for words in list_commands(PAGES[page]):
        command, arguments = find_command(words)
        if command is None:
            faults.append(" ".join(words))
            continue
        unknown = {word for word in arguments if word.startswith("--")} - list_options(command)
        faults += [f"{option} in: {' '.join(words)}" for option in sorted(unknown)]
    assert faults == []


def test_the_commands_of_the_readme_are_found():
    assert len(list_commands(PAGES["README.md"])) > 8


def test_the_readme_is_short():
    lines = PAGES["README.md"].splitlines()
    assert len(lines) <= 90
    assert [line for line in lines if len(line) > 100] == []


CONFIGURED = [page for page in PAGES if re.search(r'^```toml(?: title="vestige.toml")?\n\[', PAGES[page], re.MULTILINE)]


@pytest.mark.parametrize("page", CONFIGURED)
def test_examples_of_the_configuration_file_are_accepted(page, tmp_path):
    examples = re.findall(r'^```toml(?: title="vestige.toml")?\n(\[.*?)^```', PAGES[page], re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        (tmp_path / FILE_NAME).write_text(example, encoding="utf-8")
        check_tables(read_config(tmp_path / FILE_NAME), describe_commands(typer.main.get_command(app)))


def test_several_pages_show_a_configuration_file():
    assert len(CONFIGURED) >= 3


def test_probes_of_commands_exist():
    known = {probe.name for probe in list_probes()} | {"NAME"}
    commands = [words for page in PAGES.values() for words in list_commands(page)]
    named = {words[place + 1] for words in commands for place, word in enumerate(words[:-1]) if word == "--probe"}
    assert named <= known


def test_every_public_name_is_in_the_python_reference():
    page = PAGES["docs/reference/python.md"]
    missing = [name for name in vestige.__all__ if not re.search(rf"^::: [\w.]*\.{name}$", page, re.MULTILINE)]
    assert missing in ([], ["__version__"])


@pytest.mark.parametrize("page", PAGES)
def test_python_examples_compile(page):
    for block in re.findall(r"```python\n(.*?)```", PAGES[page], re.DOTALL):
        ast.parse(block)


def test_benchmarks_exist():
    source = ast.parse((ROOT / "bench" / "__main__.py").read_text(encoding="utf-8"))
    keys = next(
        node.value.keys
        for node in ast.walk(source)
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict)
    )
    known = {key.value for key in keys}
    named = {name for page in PAGES.values() for name in re.findall(r"python -m bench (\w+)", page)}
    assert len(named) > 20
    assert named <= known


@pytest.mark.parametrize("page", PAGES)
def test_paths_exist(page):
    paths = set(re.findall(r"`((?:src|tests|tools|docs|bench)/[\w./-]+)`", PAGES[page]))
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def list_anchors(page):
    """The anchors of the headings, as the site makes them: an id in braces, or the words of the heading."""
    headings = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    named = [re.search(r"\{ #([\w-]+) \}$", heading) for heading in headings]
    return {found[1] if found else slugify(heading) for heading, found in zip(headings, named, strict=True)}


def slugify(heading):
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain.lower()).strip())


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    faults = []
    for target in re.findall(r"\]\(([^)\s]+)\)", PAGES[page]):
        name, _, anchor = target.partition("#")
        path = ((ROOT / page).parent / name).resolve() if name else ROOT / page
        if "://" in target:
            continue
        if not path.exists() or (anchor and anchor not in list_anchors(path.read_text(encoding="utf-8"))):
            faults.append(target)
    assert faults == []


def list_nav(entries):
    """The pages of the navigation, in order."""
    for entry in entries:
        value = next(iter(entry.values())) if isinstance(entry, dict) else entry
        yield from [value] if isinstance(value, str) else list_nav(value)


def test_every_page_is_in_the_navigation_once():
    config = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), yaml.SafeLoader)
    listed = [f"docs/{page}" for page in list_nav(config["nav"])]
    assert sorted(listed) == sorted(set(PAGES) - {"README.md"})


def test_the_tool_runs_as_a_command(tables, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["render_tables.py", "--check"])
    with pytest.raises(SystemExit) as stopped:
        tables.main()
    assert stopped.value.code == 0, capsys.readouterr().out


SCREEN = 450
"""Words that fit a screen, next to a figure."""


@pytest.mark.parametrize("page", [page for page in PAGES if "explanation/attacks/" in page])
def test_an_attack_is_explained_on_one_screen(page):
    assert len(PAGES[page].split()) <= SCREEN
