from dataclasses import replace

from tests.sample_result import SUBJECT
from vestige.case.findings import Stored
from vestige.report.subject_tables import list_other_texts, list_provenance, list_subject

STORED = Stored(
    rows=5000,
    exact=False,
    drawn=1000,
    form="float16",
    guessed=("vectors", "texts"),
    bytes_read=1_234_567,
    clustered=True,
    texts=True,
)


def test_texts_encoded_for_the_run():
    rows = dict(list_subject(SUBJECT))
    assert (rows["Corpus"], rows["Vectors"]) == ("letters", "encoded for this run")
    assert rows["Texts"] == "35,595 in 5,138 documents"
    assert rows["Target texts"] == "1,000 in 642 documents"
    assert "Rows sampled" not in rows


def test_vectors_of_a_store():
    subject = replace(SUBJECT, corpus=None, vectors="v.npy", stored=STORED)
    rows = dict(list_subject(subject))
    assert (rows["Corpus"], rows["Vectors"]) == ("the texts stored with the vectors", "v.npy")
    assert (rows["Stored as"], rows["Rows sampled"]) == ("float16", "1,000 of about 5,000")
    provenance = dict(list_provenance(subject))
    assert provenance["Columns detected"] == "vectors, texts"
    assert provenance["Bytes read"] == "1,234,567"
    assert "Sampled in runs" in provenance


def test_vectors_alone_have_targets_but_no_texts():
    rows = dict(list_subject(replace(SUBJECT, corpus=None, vectors="v.npy", texts=0)))
    assert (rows["Corpus"], rows["Texts"]) == ("not given", "none")
    assert rows["Target vectors"] == "1,000 in 642 documents"


def test_other_texts_and_skipped_texts():
    assert dict(list_other_texts(replace(SUBJECT, auxiliary="news"))) == {
        "Cross-domain text": "news",
        "Encoder's training text": "not given",
    }
    assert dict(list_provenance(SUBJECT))["Texts or sentences skipped"] == "12"
