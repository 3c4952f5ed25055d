"""Vectors in a store: the same case from every kind of store, and no more rows read than required."""

import json
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import vestige
from tests.conftest import WordSum, toy_corpus
from tests.store_makers import LABELS, MAKERS, ROWS, TEXTS, VECTORS, YEARS
from vestige.case.cache import compute_digest
from vestige.case.codec import dumps
from vestige.case.inputs import read_inputs
from vestige.case.prepare import plan_case
from vestige.case.settings import Settings
from vestige.case.source import count_rows_needed, describe_source, draw_rows
from vestige.errors import InputError
from vestige.preflight.plaintext import check_plaintext
from vestige.text.corpus import Corpus
from vestige.types import silent

SETTINGS = Settings(targets=200, pairs=1000)
LETTERS = Corpus("letters", TEXTS, attributes={"label": LABELS, "year": YEARS})


def case_of(source, texts, settings=SETTINGS):
    return plan_case(read_inputs(source, texts, None, None, settings), settings).build(silent)


SAMPLED = replace(SETTINGS, sample=1300)


def shuffled(order):
    """The texts in another order, each a document of its own."""
    columns = {name: [values[row] for row in order] for name, values in LETTERS.attributes.items()}
    return Corpus("letters", [TEXTS[row] for row in order], attributes=columns)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The case of a sample of the vectors in an .npy file, in another order."""
    folder, order = tmp_path_factory.mktemp("reference"), np.random.default_rng(1).permutation(ROWS)
    np.save(folder / "v.npy", VECTORS[order])
    return case_of(folder / "v.npy", shuffled(order), SAMPLED)


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_vectors_make_the_same_case_in_every_store_and_order(name, reference, tmp_path):
    """The sample is smaller than the store, so that it matters which rows are drawn."""
    made = MAKERS[name](tmp_path)
    case = case_of(made.source, None if "texts" in made.holds else LETTERS, SAMPLED)
    assert case.truth.texts == reference.truth.texts
    assert case.truth.documents == reference.truth.documents
    attributes = {name: list(map(str, values)) for name, values in case.truth.attributes.items()}
    assert attributes == reference.truth.attributes
    assert np.abs(case.targets - reference.targets).max() <= made.tolerance
    assert case.subject.stored.form == made.form
    if made.tolerance == 0:
        assert _digest(case) == _digest(reference)


def test_vectors_in_memory_make_the_same_case_as_a_file(tmp_path):
    whole, order = replace(SETTINGS, sample=ROWS), np.random.default_rng(2).permutation(ROWS)
    made = MAKERS["npy"](tmp_path)
    cases = [case_of(made.source, LETTERS, whole), case_of(VECTORS, LETTERS, whole)]
    cases.append(case_of(VECTORS[order], shuffled(order), whole))
    assert len({_digest(case) for case in cases}) == 1
    assert _digest(case_of(VECTORS, LETTERS, replace(whole, seed=1))) != _digest(cases[0])


def _digest(case):
    """All that a finding depends on; where pairs came from is no more than their name."""
    known = replace(case.auxiliary["same-domain"], source="")
    return compute_digest(replace(case, subject=None, auxiliary={"same-domain": known}))


AUDITED = replace(SETTINGS, sample=1300, probes=("attributes", "membership"), attributes=("label",), labels=10)


def audited(made):
    return vestige.audit(made.source, texts=None if "texts" in made.holds else LETTERS, settings=AUDITED)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The audits of a file with its texts, and of one whose texts are in another file; no encoder is compared."""
    folder = tmp_path_factory.mktemp("plain")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vestige.preflight.run.list_public_encoders", tuple)
        yield {True: audited(MAKERS["parquet"](folder)), False: audited(MAKERS["npy"](folder))}


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_vectors_give_the_same_audit_through_every_store(name, plain, tmp_path):
    made = MAKERS[name](tmp_path)
    result, other = audited(made), plain["texts" in made.holds]
    assert [finding.probe for finding in result.findings] == ["attributes"]
    assert [skipped.probe for skipped in result.not_run] == [
        "membership"
    ]  # letters that differ in a number are near copies
    if made.tolerance == 0:
        assert without_source(result) == without_source(other)
    for finding, same in zip(result.findings, other.findings, strict=True):
        assert finding.leakage.value == pytest.approx(same.leakage.value, abs=0.15 if made.tolerance > 0.1 else 0.03)


def without_source(result):
    """The JSON of an audit, without the name of the source, and how it is stored."""
    names = (result.preflight.source, result.subject.vectors)  # with the collection that was found, and as it was given
    plain = json.loads(dumps(result).replace(names[0], "SOURCE").replace(names[1], "SOURCE"))
    del plain["subject"]["stored"]
    for part in ("form", "columns", "guessed"):
        del plain["preflight"][part]
    own = result.subject.stored.texts
    differing = {"form"} if own else {"form", "plaintext"}  # a FAISS index stores ids with its vectors, a .npy nothing
    checks = plain["preflight"]["checks"]
    plain["preflight"]["checks"] = [check for check in checks if check["name"] not in differing]
    return plain


def test_no_more_rows_are_drawn_than_required_and_from_all_over(tmp_path):
    vectors = np.random.default_rng(0).normal(size=(5000, 8)).astype(np.float32)
    np.save(tmp_path / "v.npy", vectors)
    texts = Corpus("texts", [f"a letter about item{row}" for row in range(5000)])
    settings = Settings(targets=100, pairs=300)
    assert count_rows_needed(settings) == 400
    drawn = draw_rows(tmp_path / "v.npy", texts, settings)
    assert (drawn.stored.rows, drawn.stored.drawn) == (5000, 400)
    rows = [int(text.rpartition("item")[2]) for text in drawn.texts.texts]
    assert (drawn.sample.vectors == vectors[rows]).all()
    assert min(np.histogram(rows, bins=5, range=(0, 5000))[0]) > 50
    assert drawn.stored.bytes_read == 5000 * 8 * 4, "all rows are read to draw by content"


def test_documents_and_labels_come_out_of_the_store(tmp_path):
    corpus, encoder = toy_corpus(40), WordSum()
    vectors = pa.FixedSizeListArray.from_arrays(encoder.encode(corpus.texts).ravel(), 64)
    columns = {"embedding": vectors, "text": corpus.texts, "doc_id": [row // 2 for row in range(40)], "who": ["a"] * 40}
    pq.write_table(pa.table(columns), tmp_path / "v.parquet")
    drawn = draw_rows(tmp_path / "v.parquet", None, SETTINGS)
    expected = {text: str(row // 2) for row, text in enumerate(corpus.texts)}
    assert drawn.texts.documents == [expected[text] for text in drawn.texts.texts]
    assert sorted(map(int, drawn.texts.documents)) == [row // 2 for row in range(40)]
    assert drawn.texts.attributes == {"who": ["a"] * 40}
    assert drawn.stored.guessed == ("vectors in 'embedding'", "texts in 'text'")
    with pytest.raises(InputError, match="no column 'letter'"):
        draw_rows(tmp_path / "v.parquet", None, replace(SETTINGS, document_column="letter"))


def test_texts_are_never_matched_with_the_wrong_vectors(tmp_path):
    """Ids that are no row numbers say nothing about the order of a file of texts."""
    made = MAKERS["sqlite-vec"](tmp_path)
    with pytest.raises(InputError, match="2000 rows but letters has 1999 texts"):
        draw_rows(made.source, LETTERS.take(range(1999)), SETTINGS)
    pq.write_table(pa.table({"id": list("zyx"), "vector": [[1.0, 0], [0, 1], [1, 1]]}), tmp_path / "v.parquet")
    three = Corpus("three", ["one", "two", "three"])
    assert sorted(draw_rows(tmp_path / "v.parquet", three, SETTINGS).texts.texts) == ["one", "three", "two"]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("some/where/v.npy", "v.npy"),
        ("chroma:/home/someone/store#letters", "chroma:store#letters"),
        ("pgvector:postgresql://me:secret@db.local:5432/mail#t.v", "pgvector:postgresql://db.local:5432/mail#t.v"),
        ("pgvector:host=db.local password=secret dbname=mail#t.v", "pgvector:host=db.local dbname=mail#t.v"),
        ("pgvector:host=db.local password=se#cret dbname=mail#t.v", "pgvector:host=db.local dbname=mail#t.v"),
        ("pgvector:postgresql://me:secret@a:5432,b:5433/mail#t.v", "pgvector:postgresql://a:5432,b:5433/mail#t.v"),
        ("pgvector:postgresql:///tmp/somewhere/mail#t.v", "pgvector:postgresql:///mail#t.v"),
        ("qdrant:http://me:secret@localhost:6333#letters", "qdrant:http://localhost:6333#letters"),
    ],
)
def test_a_report_names_no_path_and_no_password(source, name):
    assert describe_source(source) == name


def test_an_address_whose_password_cannot_be_separated_is_refused_without_it():
    with pytest.raises(InputError, match="expected one such as") as refused:
        describe_source("pgvector:postgresql://me:se#cret@db.local/mail#t.v")
    assert "cret" not in str(refused.value)


def test_nested_payload_is_checked_in_every_kind_of_store(tmp_path):
    """A mapping of parquet, and the payload of a database, whose keys come late."""
    rows = [{"author": {"email": f"{row}@mail.org"}} if row >= 300 else {"author": {"seat": "a"}} for row in range(400)]
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(VECTORS[:400].ravel()), VECTORS.shape[1])
    pq.write_table(pa.table({"vector": vectors, "metadata": rows}), tmp_path / "v.parquet")
    lines = [json.dumps({"vector": VECTORS[row].tolist(), "metadata": rows[row]}) for row in range(400)]
    (tmp_path / "v.jsonl").write_text("\n".join(lines))
    for source in (tmp_path / "v.parquet", tmp_path / "v.jsonl"):
        inputs = read_inputs(source, None, None, None, SETTINGS)
        sentences = [check.sentence for check in check_plaintext(inputs.sample)]
        assert any(
            sentence.startswith("Column 'metadata.author.email' contains e-mail addresses in plain text in 25%")
            for sentence in sentences
        )


def test_columns_stored_with_the_vectors_are_checked_whatever_is_attacked(tmp_path):
    corpus = toy_corpus(60)
    vectors = pa.FixedSizeListArray.from_arrays(WordSum().encode(corpus.texts).ravel(), 64)
    mails = [f"someone{row}@mail.org" for row in range(60)]
    pq.write_table(pa.table({"vector": vectors, "mail": mails}), tmp_path / "v.parquet")
    for texts in (corpus, None):
        inputs = read_inputs(tmp_path / "v.parquet", texts, None, None, SETTINGS)
        assert inputs.sample.metadata["mail"] == mails
        assert inputs.texts is texts or sorted(inputs.texts.texts) == sorted(corpus.texts)
