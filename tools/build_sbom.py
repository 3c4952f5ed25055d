"""Build the wheel and, next to it, a list of everything that it needs (CycloneDX): `make sbom`.

The list holds what is installed here of the dependencies of the wheel, with their own, extras included.
"""

import re
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]


def list_needed(name: str, extra: str = "") -> dict[str, str]:
    """The installed packages that a package needs, directly or not, by name, with their versions."""
    found: dict[str, str] = {}
    waiting = [(name, extra)]
    seen = set()
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        try:
            package = distribution(current[0])
        except PackageNotFoundError:
            continue
        if current[0] != name:
            found[normalize(package.name)] = package.version
        waiting += [need for line in package.requires or [] for need in parse_requirement(line, current[1])]
    return dict(sorted(found.items()))


def parse_requirement(line: str, extra: str) -> list[tuple[str, str]]:
    """The package that a line of requirements names, once per extra of it; none if it belongs to another extra."""
    written, _, marker = line.partition(";")
    wanted = re.search(r"extra\s*==\s*['\"]([^'\"]+)['\"]", marker)
    if wanted and wanted[1] != extra:
        return []
    match = re.match(r"\s*([\w.-]+)\s*(?:\[([^\]]*)\])?", written)
    assert match is not None
    extras = [part.strip() for part in (match[2] or "").split(",") if part.strip()]
    return [(match[1], each) for each in ["", *extras]]


def normalize(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main() -> None:
    folder = ROOT / "dist"
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True)
    needed = list_needed("vestige", "all")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"{name}=={version}\n" for name, version in needed.items())
        file.flush()
        options = ["--pyproject", str(ROOT / "pyproject.toml"), "--output-reproducible"]
        target = ["--output-file", str(folder / "vestige.cdx.json")]
        subprocess.run([sys.executable, "-m", "cyclonedx_py", "requirements", *options, *target, file.name], check=True)
    print(f"{folder}: the wheel, and vestige.cdx.json with {len(needed)} packages")


if __name__ == "__main__":
    main()
