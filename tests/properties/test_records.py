"""Arbitrary bytes in place of what an earlier run, a model or a server wrote are refused; every parser has a test."""

import json
import re
import shutil
from contextlib import nullcontext, suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import vestige
from tests.campaign.formats import list_formats
from tests.campaign.own_formats import list_own_formats
from tests.properties import test_readers
from tests.properties.contents import CONTENT, DEEP, FEW, QUICK, VALUES
from tests.sample_result import result
from vestige.attacks.prefix.saved import load_inverter
from vestige.audit.canaries import read_key
from vestige.case.cache import read_cached
from vestige.case.case import Missing
from vestige.cli.audit_files import CiFiles
from vestige.config.config_file import read_config
from vestige.defenses.saved import load_defense
from vestige.encoders.endpoint.response import parse_answer
from vestige.encoders.saved import load_saved
from vestige.engine.folders import LocalFolder
from vestige.engine.parts import read_record
from vestige.errors import InputError, VestigeError
from vestige.report.junit import build_junit
from vestige.report.read import read_comparison, read_frontier, read_judgement, read_leaderboard, read_result
from vestige.report.sarif import build_sarif
from vestige.stores.pickled_points import parse_point
from vestige.text.chat import read_chat
from vestige.text.patterns import load_pattern
from vestige.text.redaction import Redactor
from vestige.vector_codes import parse_code
from vestige.view.runs import FILES as FILES_OF_RUNS
from vestige.view.runs import summarize

PARSERS = re.compile(
    r"\b(json\.loads?|tomllib\.loads?|safe_open|load_file|np\.load|read_array|csv\.reader|csv\.DictReader|sqlite3\.connect"
    r"|ParquetFile|ipc\.open_\w+|torch\.load|read_index|h5py\.File|zipfile\.ZipFile|gzip\.open|fromstring)\("
    r"|safetensors\.numpy import .*\bload\b|import pickle\b|import yaml\b"
)
"""Calls that parse what another program, or an earlier run, wrote."""

TESTED = {
    **dict.fromkeys(
        [
            "stores/array_files",
            "stores/arrow_files",
            "stores/copy_on_read",
            "stores/dataset",
            "stores/dataset_files",
            "stores/faiss",
            "stores/line_files",
            "stores/milvus",
            "stores/qdrant",
            "protect/arrays",
            "protect/run",
            "protect/tables",
        ],
        "a file or a folder of anything, by the registry of stores",
    ),
    "attacks/prefix/saved": "saved inverter",
    "audit/canaries": "canary key",
    "audit/saved": "report.json",
    "case/cache": "cached finding",
    "cli/audit_files": "test_a_file_of_anything_is_ours_only_if_vestige_wrote_it",
    "config/config_file": "vestige.toml",
    "config/line_numbers": "vestige.toml",
    "defenses/saved": "saved defense",
    "encoders/cached": "cached vectors",
    "encoders/endpoint/response": "test_an_answer_of_any_values_is_read_or_refused",
    "encoders/resumable": "interrupted encode",
    "encoders/saved": "saved encoder",
    "engine/parts": "test_a_record_of_unfinished_work_is_read_or_ignored",
    "preflight/plaintext": "a file of anything: values of columns are JSON or are not",
    "text/chat": "test_a_record_of_anything_is_refused",
    "text/formats": "test_a_file_of_texts_is_read_or_refused",
    "text/patterns/load": "pattern .toml",
    "text/redaction": "saved redactor",
    "vector_codes": "compact codes",
    "view/fit_cache": "cached fit",
    "view/runs": "test_a_run_of_anything_is_listed_with_the_reason",
}
"""What tests each module that parses: a format of the campaign, or a test of the readers."""

TRUSTED = {
    **dict.fromkeys(
        [
            "encoders/bert",
            "encoders/infersent",
            "encoders/onnx",
            "encoders/sentence_transformer",
            "encoders/skip_thought",
            "encoders/words/word_mean",
        ],
        "models that the user names",
    ),
    **dict.fromkeys(["text/languages", "text/sensitive", "papers/published/__init__"], "part of the package"),
    **dict.fromkeys(["stores/isolated", "stores/reader_process"], "between the two processes of Vestige"),
    "errors": "written by pip",
}
"""Modules whose input is not hostile, and why."""


def test_every_module_that_parses_has_a_test():
    root = Path(vestige.__file__).parent
    found = {
        str(path.relative_to(root).with_suffix(""))
        for path in root.rglob("*.py")
        if PARSERS.search(path.read_text(encoding="utf-8"))
    }
    assert found - {*TESTED, *TRUSTED} == set(), "write a property test, and name it in TESTED"
    assert {*TESTED, *TRUSTED} - found == set(), "these parse nothing any more"
    formats = {each.name for each in list_formats()}
    named = {name for name in TESTED.values() if not name.startswith(("test_", "a file"))}
    assert named <= formats
    assert {name for name in TESTED.values() if name.startswith("test_")} <= {*globals(), *vars(test_readers)}


RECORDS = {
    "saved encoder": lambda folder: load_saved(str(folder)),
    "saved defense": load_defense,
    "canary key": lambda folder: read_key(folder / "encoder.json"),
    "audit": lambda folder: read_result(folder / "encoder.json"),
    "sweep": lambda folder: read_frontier(folder / "encoder.json"),
    "comparison": lambda folder: read_comparison(folder / "encoder.json"),
    "judgement": lambda folder: read_judgement(folder / "encoder.json"),
    "leaderboard": lambda folder: read_leaderboard(folder / "encoder.json"),
    "saved redactor": lambda folder: Redactor.load(folder / "encoder.json"),
    "saved inverter": load_inverter,
    "pattern": lambda folder: load_pattern(str(folder / "pattern.toml")),
    "chat": lambda folder: read_chat(folder / "encoder.json"),
    "code": lambda folder: parse_code((folder / "encoder.json").read_bytes(), "here"),
    "answer of an endpoint": lambda folder: parse_answer((folder / "encoder.json").read_bytes(), 2),
}


EMPTY = {"chat": (b"{}",)}
"""Content of nothing, which is no fault."""


@pytest.mark.parametrize("name", RECORDS)
@QUICK
@given(content=CONTENT | VALUES.map(lambda value: json.dumps(value).encode()), tensors=CONTENT)
def test_a_record_of_anything_is_refused(name, content, tensors, tmp_path):
    for file in ("encoder.json", "defense.json", "inverter.json", "pattern.toml"):
        (tmp_path / file).write_bytes(content)
    for file in ("encoder.safetensors", "defense.safetensors", "inverter.safetensors"):
        (tmp_path / file).write_bytes(tensors)
    with pytest.raises(VestigeError) if content not in EMPTY.get(name, ()) else nullcontext():
        RECORDS[name](tmp_path)


@QUICK
@given(content=CONTENT | VALUES.map(lambda value: json.dumps({"runs": value}).encode()))
@example(content=DEEP)
@example(content=build_sarif(result()).encode())
@example(content=build_junit(result(), {}).encode())
def test_a_file_of_anything_is_ours_only_if_vestige_wrote_it(content, tmp_path):
    ours = content in (build_sarif(result()).encode(), build_junit(result(), {}).encode())
    files = CiFiles(tmp_path / "out", None), CiFiles(None, tmp_path / "out")
    (tmp_path / "out").write_bytes(content)
    accepted = 0
    for each in files:
        with suppress(InputError), each.report_errors():
            accepted += 1
    assert accepted == (2 if not content else ours)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_of_deep_lists_is_refused(name, tmp_path):
    for file in ("encoder.json", "defense.json", "inverter.json", "pattern.toml"):
        (tmp_path / file).write_bytes(DEEP)
    for file in ("encoder.safetensors", "defense.safetensors", "inverter.safetensors"):
        (tmp_path / file).write_bytes(b"")
    with pytest.raises(VestigeError):
        RECORDS[name](tmp_path)


KEYS = ("verdict", "findings", "gates", "subject", "chosen", "headline", "base", "new", "trials", "changes", "schema")
JSON = CONTENT | st.dictionaries(st.sampled_from(KEYS), VALUES).map(lambda value: json.dumps(value).encode())


@pytest.mark.parametrize("name", FILES_OF_RUNS)
@QUICK
@given(content=JSON)
def test_a_run_of_anything_is_listed_with_the_reason(name, content, tmp_path):
    (tmp_path / name).write_bytes(content)
    assert summarize(tmp_path / name, "run").error


@pytest.mark.parametrize("name", FILES_OF_RUNS)
def test_a_run_of_deep_lists_is_listed_with_the_reason(name, tmp_path):
    (tmp_path / name).write_bytes(DEEP)
    assert summarize(tmp_path / name, "run").error


ANSWERS = st.lists(st.fixed_dictionaries({"embedding": VALUES}, optional={"index": VALUES}), min_size=2, max_size=2)


@QUICK
@given(data=ANSWERS, usage=VALUES)
def test_an_answer_of_any_values_is_read_or_refused(data, usage):
    with suppress(VestigeError):
        assert len(parse_answer(json.dumps({"data": data, "usage": usage}).encode(), 2).vectors) == 2


@QUICK
@given(content=CONTENT)
def test_a_configuration_of_anything_is_read_or_refused(content, tmp_path):
    (tmp_path / "vestige.toml").write_bytes(content)
    with suppress(VestigeError):
        read_config(tmp_path / "vestige.toml")


@QUICK
@given(content=CONTENT | VALUES.map(lambda value: json.dumps(value).encode()))
def test_a_record_of_unfinished_work_is_read_or_ignored(content, tmp_path):
    (tmp_path / "record").write_bytes(content)
    assert read_cached(Missing, tmp_path / "record") is None
    (tmp_path / "_records").mkdir(exist_ok=True)
    (tmp_path / "_records" / "000000.json").write_bytes(content)
    assert read_record(LocalFolder(tmp_path), 0, "work") is None


@QUICK
@given(content=st.binary(max_size=200))
def test_a_pickle_is_parsed_or_refused(content):
    with suppress(InputError):
        parse_point(b"\x80\x04" + content + b".", "here")


OWN = {each.name: each for each in list_own_formats()}
EXACT = [name for name, each in OWN.items() if each.exact]


@cache
def write_original(name):
    """A folder with what Vestige itself wrote, and what is read from it."""
    folder = Path(mkdtemp())
    OWN[name].write(folder)
    return folder, OWN[name].read(folder)


def copy_original(name, place):
    """A copy of such a folder, its files, and what is read from it."""
    folder, expected = write_original(name)
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(folder, place)
    return sorted(path for path in place.rglob("*") if path.is_file()), expected


@pytest.mark.parametrize("name", OWN)
@FEW
@given(data=st.data(), content=CONTENT | VALUES.map(lambda value: json.dumps(value).encode()))
def test_anything_in_place_of_a_file_of_ours_is_refused_or_computed_again(name, data, content, tmp_path):
    files, expected = copy_original(name, tmp_path / "copy")
    data.draw(st.sampled_from(files)).write_bytes(content)
    with suppress(VestigeError):
        found = OWN[name].read(tmp_path / "copy")
        assert found == expected or name == "vestige.toml", "a configuration may say anything"


@pytest.mark.parametrize("name", EXACT)
@QUICK
@given(data=st.data())
def test_a_changed_byte_gives_what_was_written_or_is_refused(name, data, tmp_path):
    files, expected = copy_original(name, tmp_path / "copy")
    chosen = data.draw(st.sampled_from(files))
    content = bytearray(chosen.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    chosen.write_bytes(content)
    with suppress(VestigeError):
        assert OWN[name].read(tmp_path / "copy") == expected
