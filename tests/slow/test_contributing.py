"""CONTRIBUTING.md is true: in a copy of the tree, its examples pass their tests and take part in an audit."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import toy_corpus

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### An? (\w+)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
BIN = Path(sys.executable).parent
SIZES = ("--targets", "60", "--pairs", "400", "--queries", "0")


@dataclass(frozen=True)
class Block:
    """A fenced block of the page; its first line names a new file, or the place of an edit."""

    place: str
    content: str

    @property
    def path(self) -> str:
        return self.place if self.edit is None else self.edit[1]

    @property
    def edit(self) -> "re.Match[str] | None":
        return re.fullmatch(r"in (\S+), (before|at the end of) (\w+)", self.place)


def find_blocks(text: str) -> list[Block]:
    found = re.findall(r"^```\w+\n# ([^\n]+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Block(place, content) for place, content in found]


BLOCKS = [block for section in SECTIONS.values() for block in find_blocks(section)]


def apply(block: Block, tree: Path) -> None:
    """Write a new file, or insert an edit at the place that the block names."""
    edit = block.edit
    if edit is None:
        path = tree / block.path
        assert not path.exists(), f"{block.path} exists already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.content, encoding="utf-8")
        return
    path, before = tree / block.path, edit[2] == "before"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assignment = find_assignment(ast.parse("".join(lines)), edit[3])
    row = (assignment.lineno if before else find_collection(assignment).end_lineno) - 1
    lines[row:row] = [*block.content.splitlines(keepends=True), *(["\n\n"] if before else [])]
    path.write_text("".join(lines), encoding="utf-8")


def find_assignment(module: ast.Module, name: str) -> ast.Assign:
    """The assignment of this name."""
    assignments = [node for node in module.body if isinstance(node, ast.Assign)]
    return next(node for node in assignments if name in [getattr(target, "id", None) for target in node.targets])


def find_collection(assignment: ast.Assign) -> ast.expr:
    """The largest dict, list or tuple in an assignment; its last line is the closing bracket."""
    found = [node for node in ast.walk(assignment) if isinstance(node, ast.Dict | ast.List | ast.Tuple)]
    return max(found, key=lambda node: node.end_lineno - node.lineno)


def execute(tree: Path, *command: str, **more: str) -> str:
    """Run a command in a tree, with the tree's own source first on the path; return what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", **more}
    program, *arguments = command
    done = subprocess.run(
        [str(BIN / program), *arguments], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def copy_tree(folder: Path) -> Path:
    for part in ("src", "tests", "docs", "tools"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "slow", "browser"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the tree with everything that the page adds, formatted as it says."""
    folder = copy_tree(tmp_path_factory.mktemp("tree"))
    for block in BLOCKS:
        apply(block, folder)
    execute(folder, "ruff", "check", "--fix", *{block.path for block in BLOCKS if block.edit})
    execute(folder, "ruff", "format", *{block.path for block in BLOCKS if block.edit})
    return folder


@pytest.fixture(scope="module")
def letters(tree):
    """Toy texts, and shards of the vectors that the new encoder gives them."""
    rng = np.random.default_rng(0)
    texts = [" ".join(text.split()[: rng.integers(6, 28)]) for text in toy_corpus(600).texts]
    (tree / "texts.txt").write_text("\n".join(texts), encoding="utf-8")
    execute(tree, "vestige", "encode", "texts.txt", "--encoder", "letters", "--out", "vectors.npy")
    (tree / "shards").mkdir()
    for number, part in enumerate(np.array_split(np.load(tree / "vectors.npy"), 3)):
        np.save(tree / "shards" / f"{number}.npy", part)
    return tree


def test_there_is_an_example_of_every_kind():
    assert set(SECTIONS) == {"attack", "defense", "encoder", "store", "probe", "paper"}
    for section in SECTIONS.values():
        places = [block.place for block in find_blocks(section)]
        assert any(place.startswith("src/vestige/") for place in places)
        assert any(re.match(r"tests/unit/.*/test_\w+\.py$", place) for place in places)
    for kind in ("attack", "defense", "probe"):
        assert [block.edit for block in find_blocks(SECTIONS[kind])] == [None, None], "two new files, and no edit"


def test_the_layers_are_those_that_are_checked():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    existing = {path.stem for path in (ROOT / "src" / "vestige").iterdir()}
    layers = [set(re.findall(r"\w+", layer)) & existing for layer in contracts[0]["layers"]]
    listed = re.search(r"^    cli .*?(?=\n\n)", PAGE, re.MULTILINE | re.DOTALL)[0].splitlines()
    assert [set(line[:54].split()) for line in listed] == layers


@pytest.mark.parametrize("kind", SECTIONS)
def test_the_commands_below_an_example_pass(kind, tree):
    commands = re.findall(r"^    \.venv/bin/(.+)$", SECTIONS[kind], re.MULTILINE)
    assert commands
    for command in commands:
        program, *arguments = shlex.split(command)
        printed = execute(tree, program, *arguments, *(["-vv"] if program == "pytest" else []))
        assert all(path in printed for path in arguments if path.startswith("tests/")), printed


def test_the_examples_pass_the_linter_the_type_checker_and_the_layers(tree):
    modules = [block.path for block in BLOCKS if block.path.endswith(".py")]
    execute(tree, "mypy", *{path for path in modules if path.startswith("src/")})
    execute(tree, "ruff", "check", *modules)
    execute(tree, "ruff", "format", "--check", *modules)
    execute(tree, "lint-imports")


def test_what_was_added_is_listed(tree):
    listed = json.loads(execute(tree, "vestige", "list", "--json"))
    added = {
        "attacks": "nearest-words",
        "defenses": "last-columns",
        "encoders": "letters",
        "stores": "shards",
        "probes": "lengths",
    }
    assert {kind: name for kind, name in added.items() if name not in listed[kind]} == {}
    assert "nobody2026" in execute(tree, "vestige", "reproduce")


def test_the_tables_of_the_docs_gain_rows(tree):
    code = "import render_tables as t; t.write_pages(); print(*t.find_outdated(), sep='\\n')"
    gaps = execute(tree, "python", "-c", code, PYTHONPATH=f"{tree / 'src'}:{tree / 'tools'}").splitlines()
    assert {re.search("`(.*)` is empty", gap)[1] for gap in gaps if "is empty" in gap} == {
        "last-columns:COLUMNS",
        "lengths",
    }
    assert "| `nearest-words` | `NearestWords` |" in (tree / "docs" / "reference" / "attacks.md").read_text()


def test_an_audit_runs_the_new_attack_encoder_store_and_probe(letters):
    source = ("shards:shards", "--texts", "texts.txt", "--encoder", "letters")
    execute(letters, "vestige", "audit", *source, "--probe", "words", "--probe", "lengths", *SIZES, "--out", "audit")
    report = json.loads((letters / "audit" / "report.json").read_text())
    findings = {finding["probe"]: finding for finding in report["findings"]}
    assert set(findings) == {"words", "lengths"}
    bars = [bar["label"] for chart in findings["words"]["charts"] for bar in chart["bars"]]
    assert "nearest-words" in bars
    assert findings["lengths"]["measures"][0]["name"] == "accuracy"
    assert report["subject"]["encoder"] == "letters"
    assert "Can a stranger infer whether a text is long or short?" in (letters / "audit" / "report.html").read_text()


def test_a_sweep_judges_the_new_defense_by_the_new_probe(letters):
    source = ("shards:shards", "--texts", "texts.txt", "--encoder", "letters")
    judged = ("--defenses", "last-columns", "--probe", "lengths", "--limit", "lengths<0.9")
    execute(letters, "vestige", "defend", *source, *judged, *SIZES, "--out", "defend")
    printed = (letters / "defend" / "frontier.json").read_text()
    assert "last-columns:13" in printed


def test_the_same_objects_work_as_plugins(tree, tmp_path):
    """The entry points of the page, in a package that is installed next to an unchanged tree."""
    (snippet,) = re.findall(r"```toml\n# pyproject.toml of the other package\n(.*?)```", PAGE, re.DOTALL)
    points = re.sub(r'project\.entry-points\."([\w.]+)"', r"\1", snippet).replace('"', "")
    info = tmp_path / "my_package-1.0.dist-info"
    (tmp_path / "my_package").mkdir()
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)
    for module, kind in re.findall(r"my_package\.(\w+):(\w+)", snippet):
        source = next(
            path
            for path in (tree / "src/vestige").rglob("*.py")
            if re.search(rf"(class|def) {kind}\b", path.read_text())
        )
        shutil.copy(source, tmp_path / "my_package" / f"{module}.py")
    listed = json.loads(execute(ROOT, "vestige", "list", "--json", PYTHONPATH=f"{ROOT / 'src'}:{tmp_path}"))
    assert "broken plugins" not in listed or listed["broken plugins"] == {}
    assert {name for members in listed["plugins"].values() for name in members} >= set(
        re.findall(r"^([\w-]+) = ", snippet, re.MULTILINE)
    )
