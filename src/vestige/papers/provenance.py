"""Where a number comes from: the code, the libraries and the processor that made it."""

import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import vestige

PACKAGES = ("numpy", "scipy", "scikit-learn", "torch", "transformers", "gensim")
INSTRUCTIONS = ("avx2", "avx512f", "avx512_bf16", "amx_bf16")
"""Extensions of a processor on which the speed of a run depends, and the last digits of its figures."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What computed a result.

    `threads` is how many cores the libraries may use. `commit` is empty outside of a git checkout; `dirty` says that
    the code differs from the commit.
    """

    vestige: str
    python: str
    packages: dict[str, str]
    processor: str
    instructions: tuple[str, ...]
    cores: int
    threads: int
    commit: str
    dirty: bool


def describe_environment() -> Environment:
    """This code on this machine."""
    source = Path(vestige.__file__).parent
    name, flags = _read_processor()
    return Environment(
        vestige=vestige.__version__,
        python=platform.python_version(),
        packages=_list_packages(),
        processor=name,
        instructions=tuple(flag for flag in INSTRUCTIONS if flag in flags),
        cores=os.cpu_count() or 1,
        threads=_count_threads(),
        commit=_ask_git(source, "rev-parse", "HEAD"),
        dirty=bool(_ask_git(source, "status", "--porcelain", ".")),
    )


def _list_packages() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _count_threads() -> int:
    """What torch uses if it is loaded, else what the environment allows."""
    if torch := sys.modules.get("torch"):
        return int(torch.get_num_threads())
    return int(os.environ.get("OMP_NUM_THREADS", os.cpu_count() or 1))


def _read_processor(path: Path = Path("/proc/cpuinfo")) -> tuple[str, frozenset[str]]:
    """The name of the processor and its flags; what Python knows where there is no such file."""
    if not path.is_file():
        return platform.processor() or platform.machine(), frozenset()
    fields = dict(_split_field(line) for line in path.read_text().splitlines() if ":" in line)
    return fields.get("model name", platform.machine()), frozenset(fields.get("flags", "").split())


def _split_field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip(), value.strip()


def _ask_git(folder: Path, *question: str) -> str:
    """The answer of git, or nothing outside of a checkout."""
    try:
        answer = subprocess.run(["git", "-C", str(folder), *question], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""
