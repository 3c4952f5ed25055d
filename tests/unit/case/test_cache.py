"""The key of a cached result changes with all that the result depends on, and with nothing else."""

import os
import shutil
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import vestige
from vestige.case import cache
from vestige.case.cache import compute_digest, read_cached, read_record, write_cached
from vestige.case.case import Missing
from vestige.case.codec import dumps
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.probes.keywords import KeywordsProbe
from vestige.text.patterns import load_pattern


@dataclass(frozen=True)
class Part:
    vectors: object
    name: str = "a"


def test_every_field_of_a_record_counts():
    ones = np.ones((2, 2), np.float32)
    digests = {
        compute_digest(Part(ones)),
        compute_digest(Part(ones, "b")),
        compute_digest(Part(2 * ones)),
        compute_digest(Part({"x": ones})),
        compute_digest(Part({"y": ones})),
    }
    assert len(digests) == 5
    assert compute_digest(Part(ones.copy())) == compute_digest(Part(ones))


def test_settings_and_the_fields_of_a_probe_count():
    probe = KeywordsProbe("keywords", "?", "same-domain")
    assert compute_digest(probe, Settings()) != compute_digest(probe, Settings(seed=1))
    assert compute_digest(probe) != compute_digest(KeywordsProbe("keywords", "?", "cross-domain"))


def test_an_edited_pattern_gives_another_key(tmp_path):
    path = tmp_path / "pin.toml"
    described = 'template = "pin {number}"\nsecret = ["number"]\n[fields]\nnumber.range = [0, %d]\n'
    digests = []
    for most in (9, 99):
        path.write_text(described % most, encoding="utf-8")
        digests.append(compute_digest([load_pattern(str(path))]))
    assert digests[0] != digests[1]


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A copy of the source tree, in whose place the cache looks for code."""
    root = tmp_path / "vestige"
    shutil.copytree(Path(vestige.__file__).parent, root, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(vestige, "__file__", str(root / "__init__.py"))
    cache._hash_code.cache_clear()
    yield root
    cache._hash_code.cache_clear()


def edit(path: Path) -> str:
    path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    cache._hash_code.cache_clear()
    return compute_digest("case")


def test_the_key_depends_on_the_code_of_probes_and_not_on_that_of_reports(source):
    before = compute_digest("case")
    presentation = [source / "report" / "audit_page.py", source / "cli" / "main.py"]
    assert [edit(path) for path in presentation] == [before] * 2
    assert edit(source / "probes" / "words.py") != before


def test_a_record_comes_back_and_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "missing.json"
    path.write_text(dumps(Missing("too few", "give more")), encoding="utf-8")
    assert read_record(Missing, path) == Missing("too few", "give more")
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"missing.json is damaged .* delete it"):
        read_record(Missing, path)


def test_a_cached_record_that_was_edited_is_not_believed(tmp_path, caplog):
    path = tmp_path / "cache" / "finding.json"
    assert read_cached(Missing, path) is None
    write_cached(Missing("too few", "give more"), path)
    assert read_cached(Missing, path) == Missing("too few", "give more")
    assert path.parent.stat().st_mode & 0o777 == 0o700
    path.write_text(path.read_text().replace("too few", "enough"))
    assert read_cached(Missing, path) is None
    assert "was changed after it was written" in caplog.text
    path.write_bytes(b"\xff\xfe")
    assert read_cached(Missing, path) is None


def test_a_cached_record_that_is_a_pipe_or_has_a_digest_of_its_own_is_computed_again(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert read_cached(Missing, tmp_path / "pipe") is None
    written = '{"nothing": "of this"}'
    (tmp_path / "forged").write_text(f"{sha256(written.encode()).hexdigest()}\n{written}")
    assert read_cached(Missing, tmp_path / "forged") is None
