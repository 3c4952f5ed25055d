"""Scripts of ci/ run in a job: an empty folder, with stubs of `vestige` and `gh` on the path."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from tests.sample_result import typical
from vestige.case.codec import dumps
from vestige.cli.main import app

CI = Path(__file__).parents[3] / "ci"
COMMANDS = typer.main.get_command(app).commands

STUBS = {
    "vestige": """
folder = Path(words[words.index("--out") + 1])
name, report = ("audit", "report") if words[0] == "audit" else ("compare", "compare")
code = int(os.environ.get(f"STUB_{name.upper()}", "0"))
if code < 2 and "STUB_CRASH" not in os.environ:
    (folder / f"{report}.md").write_text(f"the {name}\\n")
    (folder / f"{report}.html").write_text(f"page of the {name}")
    (folder / f"{report}.json").write_text(os.environ["STUB_REPORT"] if name == "audit" else "{}")
    (folder / "cache").mkdir(exist_ok=True)
    (folder / "cache" / "vectors.bin").write_text("secret")
if name == "compare":
    Path(os.environ["STUB_LOG"]).with_name("base").write_text(Path(words[1]).read_text())
for option in ("--sarif", "--junit"):
    Path(words[words.index(option) + 1]).write_text(name)
sys.exit(code)
""",
    "gh": """
reading = "--paginate" in words
if not reading:
    body = words[words.index("--field") + 1].removeprefix("body=@")
    Path(os.environ["STUB_LOG"]).with_name("body").write_text(Path(body).read_text())
elif "STUB_COMMENTS" in os.environ:
    print(os.environ["STUB_COMMENTS"])
sys.exit(int(os.environ.get("STUB_READ" if reading else "STUB_WRITE", "0")))
""",
}
HEAD = """#!{python}
import json, os, sys
from pathlib import Path
words = sys.argv[1:]
with open(os.environ["STUB_LOG"], "a") as log:
    log.write(json.dumps([Path(sys.argv[0]).name, *words]) + "\\n")
"""


@pytest.fixture
def job(tmp_path):
    """Run a script of ci/ in an empty folder, with the stubs on the path."""
    return Job(tmp_path)


class Job:
    """A folder in which scripts run one after another, as the steps of a job do."""

    def __init__(self, folder):
        self.folder, self.log = folder / "job with spaces", folder / "log"
        stubs = folder / "bin"
        stubs.mkdir()
        self.folder.mkdir()
        (stubs / "python").symlink_to(sys.executable)
        for name, body in STUBS.items():
            self.add_stub(stubs / name, body)
        self.known = {
            "PATH": f"{stubs}:/usr/bin:/bin",
            "STUB_LOG": str(self.log),
            "STUB_REPORT": dumps(typical()),
            "GITHUB_STEP_SUMMARY": str(folder / "step-summary"),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_REPOSITORY": "owner/letters",
        }

    @staticmethod
    def add_stub(path, body=""):
        path.write_text(HEAD.format(python=sys.executable) + body)
        path.chmod(0o755)

    def run(self, script, **environment):
        """The finished process of a script."""
        command = ["bash", str(CI / script)]
        known = {**self.known, **environment}
        return subprocess.run(command, cwd=self.folder, env=known, capture_output=True, text=True, check=False)

    def calls(self, name):
        """The arguments of every call of a stub."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [words for stub, *words in map(json.loads, lines) if stub == name]

    def read(self, path):
        return (self.folder / path).read_text()

    def beside(self, name):
        """A file that a stub or the job wrote next to the log."""
        return self.log.with_name(name).read_text()

    def write(self, path, content):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(content)


def find_unknown_options(words):
    """The options in the words of a `vestige` command that it does not have."""
    parameters = COMMANDS[words[0]].params
    known = {name for parameter in parameters for name in (*parameter.opts, *parameter.secondary_opts)}
    return [word for word in words[1:] if word.startswith("--") and word not in known]
