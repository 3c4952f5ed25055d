import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.errors import InputError
from vestige.text.named import is_present, load_corpus


def test_the_shipped_corpora_have_their_labels():
    complaints, speeches = load_corpus("complaints"), load_corpus("speeches")
    assert len(complaints) > 5000
    assert len(set(complaints.attributes["product"])) == 8
    assert len(set(speeches.documents)) == 249
    assert len(set(speeches.attributes["author"])) == 43
    assert set(speeches.attributes) == {"author", "party", "year"}
    assert not any("XXXX" in text for text in complaints.texts)


def test_the_shipped_corpora_are_small():
    from importlib.resources import files

    sizes = [len(file.read_bytes()) for file in (files("vestige.text") / "data").iterdir()]
    assert sum(sizes) < 3_000_000


def test_a_set_is_found_in_the_folder_that_the_environment_names(tmp_path, monkeypatch):
    pq.write_table(pa.table({"id": ["7"], "text": ["A film."], "label": ["pos"]}), tmp_path / "imdb.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    corpus = load_corpus("imdb")
    assert (corpus.name, corpus.texts, corpus.documents) == ("imdb", ["A film."], ["7"])
    assert is_present("imdb")


def test_the_first_of_several_folders_that_has_a_set_gives_it(tmp_path, monkeypatch):
    for folder, text in (("first", "One."), ("second", "Two.")):
        (tmp_path / folder).mkdir()
        pq.write_table(pa.table({"id": ["7"], "text": [text]}), tmp_path / folder / "imdb.parquet")
    pq.write_table(pa.table({"id": ["8"], "text": ["A case."]}), tmp_path / "second" / "pubmed.parquet")
    folders = [tmp_path / "nowhere", tmp_path / "first", tmp_path / "second"]
    monkeypatch.setenv("VESTIGE_DATA", os.pathsep.join(map(str, folders)))
    assert load_corpus("imdb").texts == ["One."]
    assert load_corpus("pubmed").documents == ["8"]
    assert is_present("pubmed")
    assert not is_present("agnews")
    with pytest.raises(InputError, match=r"nowhere/agnews.parquet or .*second/agnews.parquet is not there"):
        load_corpus("agnews")


@pytest.mark.parametrize("folder", [None, "nowhere"])
def test_an_absent_set_says_how_to_get_it(monkeypatch, folder):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    if folder:
        monkeypatch.setenv("VESTIGE_DATA", folder)
    with pytest.raises(InputError, match=r"Large Movie Review Dataset.*imdb\.parquet.*VESTIGE_DATA"):
        load_corpus("imdb")


def test_an_unknown_name_offers_the_nearest():
    with pytest.raises(InputError, match="did you mean 'complaints'"):
        load_corpus("complaint")
