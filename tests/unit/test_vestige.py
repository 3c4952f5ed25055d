"""The package `vestige`: its public names, and that importing it is light."""

import subprocess
import sys

import vestige


def print_in_new_process(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_the_package_imports_no_heavy_library():
    heavy = "[m for m in ('torch', 'transformers', 'sklearn', 'pyarrow', 'numpy') if m in sys.modules]"
    assert print_in_new_process(f"import sys, vestige; print({heavy})") == "[]\n"


def test_the_package_and_the_function_audit_are_one_whatever_was_imported_before():
    code = "import vestige; a = vestige.audit; import vestige.audit.run; print(a is vestige.audit, callable(a))"
    assert print_in_new_process(code) == "True True\n"


def test_every_public_name_exists():
    assert all(getattr(vestige, name) for name in vestige.__all__)
    assert callable(vestige.audit)
    assert set(vestige.__all__) <= set(dir(vestige))
