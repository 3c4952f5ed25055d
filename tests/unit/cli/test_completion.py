"""The script asks the program for completions by environment variables; this is what it gets."""

import os
import subprocess
import sys

import pytest

RUN = [sys.executable, "-c", "import sys; sys.argv[0] = 'vestige'; from vestige.cli.main import main; main()"]


@pytest.fixture
def complete(tmp_path):
    """The completions of a line in bash; the last word is incomplete."""

    def complete(line):
        protocol = {
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
            "_VESTIGE_COMPLETE": "complete_bash",
        }
        ran = subprocess.run(
            RUN, env={**os.environ, **protocol}, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return ran.stdout.split()

    return complete


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("vestige de", ["defend"]),
        ("vestige canaries ", ["plant", "score"]),
        ("vestige audit --preset ", ["quick", "standard", "thorough"]),
        ("vestige audit --probe words", ["words", "words-cross-domain"]),
        ("vestige encode letters.txt --encoder mini", ["minilm"]),
        ("vestige protect v.npy w.npy --defense rot", ["rotation"]),
        ("vestige completion f", ["fish"]),
        ("vestige check --qui", ["--quiet"]),
    ],
)
def test_commands_options_and_names_are_completed(complete, line, expected):
    assert complete(line) == expected


def test_audits_of_the_file_are_completed_and_a_broken_file_completes_nothing(complete, tmp_path):
    (tmp_path / "vestige.toml").write_text("[audit.letters]\n[audit.notes]\n")
    assert complete("vestige audit ") == ["letters", "notes"]
    assert complete("vestige audit n") == ["notes"]
    (tmp_path / "vestige.toml").write_text("[")
    assert complete("vestige audit n") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_calls_the_program_with_its_protocol(vestige_command, shell):
    ran = vestige_command("completion", shell)
    assert ran.code == 0
    assert f"_VESTIGE_COMPLETE=complete_{shell}" in ran.out


def test_bash_accepts_the_script_and_registers_it(vestige_command):
    script = vestige_command("completion", "bash").out
    ran = subprocess.run(["bash", "-c", f"{script}\ncomplete -p vestige"], capture_output=True, text=True, check=True)
    assert "_vestige_completion vestige" in ran.stdout


def test_another_shell_is_refused(vestige_command):
    assert vestige_command("completion", "tcsh").code == 2
