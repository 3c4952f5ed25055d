"""action.yml, the hooks of pre-commit, the GitLab job and their page: they parse, and what they use exists."""

import json
import os
import re
import shlex
import subprocess

import pytest
import yaml
from click import Context
from typer.main import get_command

from tests.unit.ci.conftest import CI, find_unknown_options
from vestige.audit.gate import parse_gate
from vestige.cli.main import app
from vestige.probes.plan import list_probes

ROOT = CI.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GUIDE = (ROOT / "docs" / "how-to" / "ci-platforms.md").read_text(encoding="utf-8")


def list_steps():
    return ACTION["runs"]["steps"]


def test_inputs_reach_the_shell_of_the_action_through_the_environment_only():
    commands = [step["run"] for step in list_steps() if "run" in step]
    assert len(commands) == 5
    for command in commands:
        script = re.fullmatch(r'bash "\$GITHUB_ACTION_PATH/ci/(\w+\.sh)"', command)
        assert script is not None, command
        assert (CI / script[1]).is_file()


def test_the_action_gives_each_script_the_variables_that_it_reads():
    for step in list_steps():
        if "run" in step:
            source = (CI / step["run"].rsplit("/", 1)[1].strip('"')).read_text()
            read = set(re.findall(r"\b(?:INPUT_\w+|PULL_REQUEST|GH_TOKEN)\b", source))
            assert set(step["env"]) == read, step["name"]


def test_every_input_of_the_action_is_used_and_declared():
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(list_steps())))
    assert used == set(ACTION["inputs"])
    assert all(each["description"] for each in ACTION["inputs"].values())


def test_reports_are_uploaded_and_commented_after_a_failed_gate():
    later = list_steps()[3:]
    assert len(later) == 6
    assert all(step["if"].startswith("always()") for step in later)
    assert later[-1]["run"].endswith('finish.sh"')


def read_hooks():
    return {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}


def test_the_options_of_the_hooks_exist():
    hooks = read_hooks()
    entries = [hook["entry"] for hook in hooks.values()]
    calls = [shlex.split(call)[1:] for entry in entries for call in re.findall(r"vestige [a-z][^|;']*", entry)]
    assert [words[0] for words in calls] == ["check", "audit"]
    assert [option for words in calls for option in find_unknown_options(words)] == []


def test_the_check_hook_checks_every_file_and_fails_if_one_does(tmp_path):
    stub = tmp_path / "vestige"
    stub.write_text('#!/bin/sh\necho "$2"\ntest "$2" != "bad vectors.npy"\n')
    stub.chmod(0o755)
    entry = shlex.split(read_hooks()["vestige-check"]["entry"])
    known = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}

    def run(*files):
        ran = subprocess.run([*entry, *files], env=known, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout.splitlines()

    assert run("bad vectors.npy", "vectors.npy") == (1, ["bad vectors.npy", "vectors.npy"])
    assert run("vectors.npy") == (0, ["vectors.npy"])


@pytest.mark.parametrize(
    ("path", "matches"),
    [
        ("data/vectors.npy", True),
        ("letters-embeddings-2.parquet", True),
        ("sales.parquet", False),
        ("vectors.md", False),
    ],
)
def test_the_check_hook_selects_files_of_vectors(path, matches):
    assert bool(re.search(read_hooks()["vestige-check"]["files"], path)) == matches


def test_the_gitlab_job_runs_the_scripts_with_variables_that_they_read():
    job = yaml.safe_load((CI / "gitlab.yml").read_text(encoding="utf-8"))["vestige"]
    scripts = re.findall(r"vestige/ci/(\w+\.sh)", " ".join(job["script"]))
    assert scripts == ["install.sh", "audit.sh", "collect.sh", "finish.sh"]
    read = set(re.findall(r"INPUT_\w+", "".join((CI / script).read_text() for script in scripts)))
    assert {name for name in job["variables"] if name.startswith("INPUT_")} <= read
    assert job["artifacts"]["reports"]["junit"].startswith(job["variables"]["INPUT_REPORT"])


def test_the_audit_of_the_guide_runs_the_probes_that_its_gates_need(tmp_path, monkeypatch):
    """With the preset of the action, the hook and the GitLab job, which runs few probes by itself."""
    example = re.search(r'```toml title="vestige.toml"\n(.*?)```', GUIDE, re.DOTALL)[1]
    (tmp_path / "vestige.toml").write_text(example)
    (tmp_path / "letters.csv").write_text("text\nDear Sir\n")
    monkeypatch.chdir(tmp_path)
    command = get_command(app).commands["audit"]
    context = command.make_context("audit", ["letters", "--preset", "quick"], parent=Context(get_command(app)))
    gates = [parse_gate(gate, list_probes()).probe for gate in context.params["fail_on"]]
    assert len(gates) > 1
    assert set(gates) <= set(context.params["probes"])


def test_the_examples_of_the_guide_use_inputs_and_hooks_that_exist():
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)]
    steps = [step for block in blocks if "jobs" in block for job in block["jobs"].values() for step in job["steps"]]
    calls = [step for step in steps if "vestige@" in step.get("uses", "")]
    hooks = [hook["id"] for block in blocks if "repos" in block for repo in block["repos"] for hook in repo["hooks"]]
    assert calls
    assert all(set(step["with"]) <= set(ACTION["inputs"]) for step in calls)
    assert set(hooks) == set(read_hooks())
