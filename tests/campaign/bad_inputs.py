"""Command lines that must be refused with exit code 2 and a message, generated from tables."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tests.campaign.trials import REFUSED, Tally, run_vestige

NOT_NUMBERS = ("", "x", "1.5.2", "-1", "nan", "1e400", "0x10", "--", "\x1b[2J", "½", "1 2")
NUMBERS = {
    "audit missing.npy": "targets pairs sample seed shortest longest vocabulary-size rewritten labels queries within",
    "defend missing.npy": "targets pairs sample seed shortest longest vocabulary-size rewritten labels queries draws",
    "check missing.npy": "sample seed",
    "fingerprint missing.npy": "seed",
    "canaries plant texts.txt --out new.csv --key new.json": "each seed",
    "judge missing.npy other.npy": "targets pairs sample seed vocabulary-size labels",
    "leaderboard --encoder hashing:64 --texts missing.txt": "targets pairs seed rewritten lengths",
    "view missing --no-browser": "port pairs targets seed",
    "redact missing.txt new.csv": "seed",
    "reproduce song2020 nope": "seed workers",
    "train tfidf --texts missing.txt --out new": "seed pairs epochs dp-epsilon dp-delta",
}
SIZES = ("", "x", "-4GB", "nan", "4 apples", "1", "GB", "\x1b[2J", "9" * 50, "1e9GB")
SOURCES = (
    *("", ":", "#", "nope:x", "faiss:", "faiss:#x", "faiss:missing.faiss", "chroma:", "chroma:missing#x", "lancedb:no"),
    *("milvus:missing.db", "sqlite-vec:missing.db#t", "qdrant:missing", "qdrant:ftp://host", "qdrant:http://a,b"),
    *("pgvector:missing", "npy:vectors.npy", "chroma:http://host:80#x", "faiss:vectors.npy", "qdrant:.", "chroma:."),
    *("lancedb:.", "sqlite-vec:vectors.npy", "milvus:vectors.npy", "faiss:vectors.npy#x", "vectors.npy#x", "a" * 300),
    *(
        "caf\udce9.npy",
        "\x1b[2J.npy",
        "/dev/null",
        "/dev/zero",
        "/proc/self/mem",
        "fifo.npy",
        "loop.npy",
        "dangling.npy",
    ),
)
DEFENSES = (
    *("nope", "", ":", "gaussian:", "gaussian:x", "gaussian:-1", "gaussian:0", "gaussian:nan", "gaussian:inf"),
    *(
        "gaussian:1e400",
        "gaussian:eps=",
        "gaussian:nope=1",
        "gaussian:1,2",
        "rounding:-1",
        "rounding:x",
        "rounding:1e9",
    ),
    *("rounding:99", "projection:0", "projection:-5", "projection:99999999999", "projection:x", "pca:0", "pca:1.5"),
    *("pca:99999", "vmf:1e300", "vmf:0", "vmf:-1", "vmf:inf", "metric:0", "metric:nan", "metric:1e300", "laplace:0"),
    *(
        "laplace:-1",
        "laplace:x",
        "binary:3",
        "int8:x",
        "pq:0",
        "pq:x",
        "pq:-1",
        "pq:8,bits=0",
        "pq:8,bits=99",
        "rotation:1",
    ),
    *(
        "rotation:1",
        "leace",
        "missing-folder/",
        "texts.txt",
        ".",
        "\x1b[2J",
        "autoencoder:0",
        "autoencoder:x",
        "subspace:0",
    ),
)
ENCODERS = (
    *("nope", "", ":", "saved:", "saved:missing", "saved:.", "hashing:0", "hashing:-1", "hashing:x", "hashing:1e9"),
    *("tfidf:0", "tfidf:x", "lsa:", "lsa:nope", "lsa:tfidf:0", "lsa:tfidf:x", "hf:missing-folder", "onnx:missing"),
    *("minilm:x", "word2vec:nope=1", "glove:missing.txt", "\x1b[2J", "saved:caf\udce9", "http://", "static:missing"),
)
GATES = ("", "words", "words>", ">0.3", "words>x", "words>nan", "nope>0.3", "words<0.3", "words>0.3>0.4", "\x1b[2J>1")
LIMITS = ("", "words", "words<", "<0.3", "words<x", "nope<0.3", "recall@10<0.9", "recall@0>0.9", "words>0.1", "\x1b[2J")
PATTERNS = ("nope", "", "missing.toml", "texts.txt", ".", "empty.toml", "\x1b[2J", "broken.toml")
KINDS = ("nope", "", ",", "names,nope", "keywords", "\x1b[2J", "Names", "names;numbers")
WORDS = ("nope", "", "\x1b[2J", "caf\udce9", "1", "--")
RECORDS = ("missing.json", "texts.txt", ".", "deep.json", "empty.toml", "vectors.npy", "/dev/null", "\x1b[2J")
OWNED = "vectors.npy --texts texts.txt --out out"
PIPES = (
    *("a.parquet", "defense.json", "defense.safetensors", "encoder.json", "inverter.json", "meta.json"),
    "report.json",
)
TRAPS = (
    *("check pipes", "check qdrant:pipes", "compare pipes pipes", "protect vectors.npy new.npy --defense pipes"),
    *("encode texts.txt --encoder saved:pipes --out new.npy", f"audit {OWNED} --inverter pipes"),
    *("compare sparse.json sparse.json", "canaries score hashing:64 sparse.json"),
    *("check vectors.npy --config sparse.toml", f"audit {OWNED} --pattern sparse.toml"),
    *("redact texts.txt new.csv --redactor sparse.json", f"audit {OWNED} --keywords sparse.json"),
    *(f"audit {OWNED} --sarif vectors.npy", f"audit {OWNED} --junit texts.txt"),
    f"audit {OWNED} --sarif new.out --junit new.out",
    *("audit --config nul.toml", "audit --config home.toml"),
)
"""Folders of pipes, files of a terabyte of nothing, outputs that would replace an input, and paths that none can be."""
LENGTHS = ("", "x", "0", "-1", "80,,200", "1e9", "80;200", "\x1b[2J", "½")
PAPERS = ("nope", "song2020", "song2020 nope", "song2020 table1 --scale nope", "song2020 table1 --set x")
SIZES_OF_PAPERS = ("x", "=", "epochs=", "epochs=x", "nope=1", "epochs=nan", "\x1b[2J=1")
TABLES = {
    "--memory": ("check vectors.npy --memory VALUE", SIZES),
    "check SOURCE": ("check VALUE", SOURCES),
    "audit SOURCE": ("audit VALUE --out out", SOURCES),
    "protect --defense": ("protect vectors.npy new.npy --defense VALUE", DEFENSES),
    "encode --encoder": ("encode texts.txt --encoder VALUE --out new.npy", ENCODERS),
    "audit --fail-on": (f"audit {OWNED} --fail-on VALUE", GATES),
    "defend --limit": (f"defend {OWNED} --limit VALUE", LIMITS),
    "audit --pattern": (f"audit {OWNED} --pattern VALUE", PATTERNS),
    "audit --inverter": (f"audit {OWNED} --inverter VALUE", RECORDS),
    "judge PROTECTED": ("judge vectors.npy VALUE --texts texts.txt --out out", SOURCES),
    "judge --queries": ("judge vectors.npy vectors.npy --texts texts.txt --out out --queries VALUE", RECORDS),
    "judge --metric": ("judge vectors.npy vectors.npy --texts texts.txt --out out --metric VALUE", WORDS),
    "judge --defenses": ("judge vectors.npy vectors.npy --texts texts.txt --out out --defenses VALUE", DEFENSES[:20]),
    "leaderboard --lengths": ("leaderboard --encoder hashing:64 --texts texts.txt --out out --lengths VALUE", LENGTHS),
    "leaderboard --probe": ("leaderboard --encoder hashing:64 --texts texts.txt --out out --probe VALUE", WORDS),
    "leaderboard --texts": ("leaderboard --encoder hashing:64 --out out --texts VALUE", RECORDS),
    "redact --kinds": ("redact texts.txt new.csv --kinds VALUE", KINDS),
    "redact --mode": ("redact texts.txt new.csv --mode VALUE", WORDS),
    "redact --detector": ("redact texts.txt new.csv --detector VALUE", WORDS),
    "redact --redactor": ("redact texts.txt new.csv --redactor VALUE", RECORDS),
    "redact OUT": ("redact texts.txt VALUE", ("texts.txt", "new.npy", "", ".", "vectors.npy", "/dev/null/new.csv")),
    "reproduce --set": ("reproduce song2020 table1 --out out --set VALUE", SIZES_OF_PAPERS),
    "reproduce --device": ("reproduce song2020 table1 --out out --device VALUE", WORDS),
    "view FOLDER": ("view VALUE --no-browser", ("missing", "texts.txt", "\x1b[2J", "caf\udce9", "/dev/null")),
    "view --export": ("view missing --export VALUE", ("site", "texts.txt", "/dev/null/site")),
    "check --engine": ("check vectors.npy --all --engine VALUE", WORDS),
}
CONTENTS = {
    "empty": b"",
    "blank": b" \n\n \t\n",
    "zeros": bytes(4096),
    "random": np.random.default_rng(0).bytes(4096),
    "letters": b"hello world\n" * 10,
    "a NUL": b"text\x00\n",
    "not UTF-8": b"caf\xe9\n" * 50,
    "UTF-16": "text\nhello\n".encode("utf-16"),
    "deep JSON": b"[" * 200_000 + b"]" * 200_000,
    "deep objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "null": b"null\n",
    "a number": b"3\n",
}
MAGIC = {
    ".npy": b"\x93NUMPY\x01\x00",
    ".npz": b"PK\x03\x04",
    ".parquet": b"PAR1",
    ".arrow": b"ARROW1\x00\x00",
    ".feather": b"ARROW1\x00\x00",
    ".h5": b"\x89HDF\r\n\x1a\n",
    ".jsonl": b"{",
    ".csv": b"id,vector\n",
    ".db": b"SQLite format 3\x00",
    ".faiss": b"IxFI",
    ".gz": b"\x1f\x8b\x08",
    ".jsonl.gz": b"\x1f\x8b",
    ".hdf5": b"\x89HDF\r\n\x1a\n",
    ".pkl": b"\x80\x04",
}


def prepare(folder: Path) -> None:
    """The files that the command lines name."""
    np.save(folder / "vectors.npy", np.random.default_rng(0).normal(size=(60, 8)).astype(np.float32))
    (folder / "texts.txt").write_text("\n".join(f"The bank took {row} dollars from me." for row in range(60)))
    (folder / "empty.toml").touch()
    (folder / "broken.toml").write_text("[[[")
    (folder / "nul.toml").write_text('[audit]\nsource = "vectors\\u0000.npy"\n')
    (folder / "home.toml").write_text('[audit]\nsource = "~no-such-user/vectors.npy"\n')
    (folder / "deep.json").write_bytes(CONTENTS["deep JSON"])
    (folder / "dangling.npy").symlink_to("nowhere.npy")
    (folder / "loop.npy").symlink_to("loop.npy")
    os.mkfifo(folder / "fifo.npy")
    (folder / "pipes").mkdir()
    for name in PIPES:
        os.mkfifo(folder / "pipes" / name)
    for name in ("sparse.toml", "sparse.json"):
        with (folder / name).open("wb") as file:
            file.truncate(2**40)


def list_bad_inputs(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """A name and the arguments of each command line. Files that they need are written on the way."""
    for command, options in NUMBERS.items():
        for option in options.split():
            for value in NOT_NUMBERS:
                yield f"{command.split()[0]} --{option}", [*command.split(), f"--{option}", value]
    for name, (arguments, values) in TABLES.items():
        for value in values:
            yield name, [value if part == "VALUE" else part for part in arguments.split()]
    yield from _list_bad_files(folder)
    yield from _list_bad_options()


def _list_bad_files(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Every ending with every content, as vectors and, where that is a format of texts, as texts."""
    made = folder / "bad"
    made.mkdir()
    for ending, magic in MAGIC.items():
        for name, content in {**CONTENTS, "only its magic": magic, "its magic and zeros": magic + bytes(500)}.items():
            path = made / f"{name}{ending}"
            path.write_bytes(content)
            source = {".faiss": "faiss:", ".db": "sqlite-vec:"}.get(ending, "")
            yield f"check {ending}", ["check", f"{source}{path}"]
    for ending in (".txt", ".jsonl", ".csv", ".parquet", ".txt.gz"):
        for name in ("empty", "blank", "not UTF-8", "random"):
            path = made / f"texts {name}{ending}"
            path.write_bytes(CONTENTS[name])
            yield f"encode {ending}", ["encode", str(path), "--encoder", "hashing:64", "--out", "new.npy"]


def _list_bad_options() -> Iterator[tuple[str, list[str]]]:
    texts = ["--texts", "texts.txt"]
    for command in list_commands():
        yield f"{command} --nope", [*command.split(), "--nope"]
        if command != "init":  # It writes that file.
            yield f"{command} --config", [*command.split(), "--config", "missing.toml"]
        yield f"{command} --config", [*command.split(), "--config", "broken.toml"]
    for arguments in TRAPS:
        yield "trap", arguments.split()
    for arguments in PAPERS:
        yield "reproduce", ["reproduce", *arguments.split()]
    yield "nothing", ["nope"]
    yield "audit --sarif FOLDER", ["audit", "vectors.npy", *texts, "--sarif", "."]
    yield "audit --junit FOLDER", ["audit", "vectors.npy", *texts, "--junit", "."]
    yield "audit --out FILE", ["audit", "vectors.npy", *texts, "--out", "texts.txt"]
    yield "audit --keywords FOLDER", ["audit", "vectors.npy", *texts, "--keywords", "."]
    yield "audit --keywords", ["audit", "vectors.npy", *texts, "--keywords", ","]
    yield "audit --probe", ["audit", "vectors.npy", *texts, "--probe", "nope"]
    yield "audit --text-column", ["audit", "vectors.npy", *texts, "--text-column", "nope"]
    yield "audit --vector-column", ["audit", "vectors.npy", *texts, "--vector-column", "nope"]
    yield "audit --quiet --verbose", ["audit", "vectors.npy", "--quiet", "--verbose"]
    yield "audit --recipe", ["audit", "vectors.npy", *texts, "--recipe", "nope"]
    yield "audit --within", ["audit", "vectors.npy", *texts, "--within", "1e-9"]
    yield "defend leace@nope", ["defend", "vectors.npy", *texts, "--defenses", "leace@nope"]
    yield (
        "canaries --times",
        ["canaries", "plant", "texts.txt", "--out", "n.csv", "--key", "k", "--times", "1000000000000"],
    )
    yield "canaries --times", ["canaries", "plant", "texts.txt", "--out", "n.csv", "--key", "k", "--times", "x"]
    yield "canaries --times", ["canaries", "plant", "texts.txt", "--out", "n.csv", "--key", "k", "--times", "1,1"]
    yield "canaries score", ["canaries", "score", "hashing:64", "texts.txt"]
    yield "encode --out", ["encode", "texts.txt", "--encoder", "hashing:64", "--out", "new.txt"]
    yield "encode --columns", ["encode", "texts.txt", "--encoder", "hashing:64", "--out", "n.npy", "--columns", "x"]
    yield "protect OUT", ["protect", "vectors.npy", "vectors.npy", "--defense", "rounding:2"]
    yield "protect OUT", ["protect", "vectors.npy", "new.txt", "--defense", "rounding:2"]
    yield "compare", ["compare", "missing", "texts.txt"]
    yield "compare", ["compare", "vectors.npy", "."]
    yield "audit few rows", ["audit", "vectors.npy", "--out", "few"]


def list_commands() -> list[str]:
    """The commands, with those of groups."""
    from typer.main import get_command

    from vestige.cli.main import app

    found = []
    for name, command in get_command(app).commands.items():
        inner = getattr(command, "commands", None)
        found += [name] if inner is None else [f"{name} {each}" for each in inner]
    return found


def run_bad_inputs(folder: Path, tally: Tally, every: int = 1) -> None:
    """Run every n-th command line; each must be refused, and leave nothing behind."""
    prepare(folder)
    for number, (name, arguments) in enumerate(list(list_bad_inputs(folder))):
        if number % every:
            continue
        before = _list_names(folder)
        ended = run_vestige(*arguments, folder=folder)
        fault = ended.find_fault(REFUSED)
        left = _list_names(folder) - before - {"out", "few"}
        if fault is None and not ended.err.strip():
            fault = "no message"
        if fault is None and left:
            fault = f"left behind: {sorted(left)}"
        tally.add("bad input", f"{name}: {json.dumps(arguments)[:160]}", fault)


def _list_names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}
