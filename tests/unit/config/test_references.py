"""Paths in the file start from its folder; what is read must exist."""

import pytest
import typer.main

from vestige.cli.command_keys import describe_commands
from vestige.cli.main import app
from vestige.config.config_key import ConfigKey
from vestige.config.references import RESOLVERS, resolve_reference
from vestige.errors import InputError


@pytest.fixture
def folder(tmp_path):
    for name in ("v.npy", "texts.csv", "words.txt", "mine.toml", "odd:name.npy"):
        (tmp_path / name).touch()
    for name in ("store", "model", "fitted"):
        (tmp_path / name).mkdir()
    (tmp_path / "fitted" / "defense.json").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("metavar", "value", "expected"),
    [
        ("SOURCE", "v.npy", "{}/v.npy"),
        ("SOURCE", "odd:name.npy", "{}/odd:name.npy"),
        ("SOURCE", "chroma:store#letters", "chroma:{}/store#letters"),
        ("SOURCE", "lancedb:store", "lancedb:{}/store"),
        ("SOURCE", "qdrant:http://localhost:6333#letters", "qdrant:http://localhost:6333#letters"),
        ("FILE", "texts.csv", "{}/texts.csv"),
        ("FILE", "complaints", "complaints"),
        ("TEXTS", "texts.csv", "{}/texts.csv"),
        ("BASE", "store", "{}/store"),
        ("NEW", "letters", "letters"),
        ("SPEC", "minilm", "minilm"),
        ("SPEC", "st:model", "st:{}/model"),
        ("SPEC", "hf:model@mean:6", "hf:{}/model@mean:6"),
        ("SPEC", "st:organisation/model", "st:organisation/model"),
        ("SPEC", "https://host/embed", "https://host/embed"),
        ("SPEC", "tfidf@texts.csv", "tfidf@{}/texts.csv"),
        ("SPEC", "rounding:2", "rounding:2"),
        ("SPEC", "fitted", "{}/fitted"),
        ("SPEC", "model", "model"),
        ("MODEL=SPEC", "BERT=hf:model@mean", "BERT=hf:{}/model@mean"),
        ("WORDS", "debt,cancer", "debt,cancer"),
        ("WORDS", "words.txt", "{}/words.txt"),
        ("FORMAT", "genome", "genome"),
        ("FORMAT", "mine.toml", "{}/mine.toml"),
        ("NAME", "v.npy", "v.npy"),
        ("RAW", "v.npy", "{}/v.npy"),
        ("PROTECTED", "chroma:store#letters", "chroma:{}/store#letters"),
        ("FOLDER", "model", "{}/model"),
        ("OUT", "new.npy", "{}/new.npy"),
        ("OUT", "new/", "{}/new/"),
        ("OUT", "s3://bucket/new", "s3://bucket/new"),
    ],
)
def test_paths_are_placed_in_the_folder_and_names_stay(folder, metavar, value, expected):
    key = ConfigKey("key", "key", str, metavar=metavar)
    assert resolve_reference(key, value, folder) == expected.format(folder)


def test_an_output_need_not_exist_and_an_absolute_path_stays(folder):
    key = ConfigKey("out", "out", str, metavar="FOLDER", is_path=True)
    assert resolve_reference(key, "new", folder) == f"{folder}/new"
    assert resolve_reference(key, "/tmp/new", folder) == "/tmp/new"


@pytest.mark.parametrize(
    ("metavar", "value", "message"),
    [
        ("SOURCE", "w.npy", "w.npy does not exist; expected a file of vectors"),
        ("SOURCE", "chroma:stroe#a", "stroe does not exist; expected a store of kind 'chroma'"),
        ("FILE", "complaint", "does not exist; expected a file of texts or a corpus; did you mean 'complaints'?"),
        ("SPEC", "saved:nowhere", "nowhere does not exist; expected the folder of an encoder"),
        ("SPEC", "no/defense", "no/defense does not exist; expected the folder of a fitted defense"),
        ("WORDS", "none.txt", "none.txt does not exist; expected a file of keywords"),
        ("RAW", "w.npy", "w.npy does not exist; expected a file of vectors"),
        ("FOLDER", "nowhere", "nowhere does not exist; expected a folder"),
        ("FORMAT", "none.toml", "none.toml does not exist; expected the file of a pattern"),
    ],
)
def test_what_is_read_must_exist(folder, metavar, value, message):
    with pytest.raises(InputError) as raised:
        resolve_reference(ConfigKey("key", "key", str, metavar=metavar), value, folder)
    assert message in str(raised.value)


@pytest.mark.parametrize("metavar", ["SOURCE", "FILE", "BASE", "SPEC", "WORDS", "FORMAT", "NAME"])
def test_a_value_that_no_path_can_have_is_refused(folder, metavar):
    with pytest.raises(InputError, match="no path and no name has a NUL in it"):
        resolve_reference(ConfigKey("key", "key", str, metavar=metavar), "v\0.npy", folder)
    with pytest.raises(InputError, match="no path and no name has a NUL in it"):
        resolve_reference(ConfigKey("out", "out", str, is_path=True), "new\0", folder)


def test_the_home_of_a_user_that_does_not_exist_is_refused(folder):
    with pytest.raises(InputError, match="this user has no home folder here"):
        resolve_reference(ConfigKey("key", "key", str, metavar="SOURCE"), "~no-such-user/v.npy", folder)


def test_a_file_that_does_not_exist_is_not_taken_for_a_misspelt_corpus(folder):
    with pytest.raises(InputError, match=r"gone.csv does not exist; expected a file of texts or a corpus$"):
        resolve_reference(ConfigKey("texts", "texts", str, metavar="FILE"), "gone.csv", folder)


def test_every_key_that_names_a_place_is_relative_to_the_file():
    tables = describe_commands(typer.main.get_command(app))
    places = {"SOURCE", "FILE", "TEXTS", "FOLDER", "OUT", "RAW", "PROTECTED", "BASE", "NEW", "SPEC", "ENCODER"}
    keys = [key for table in tables.values() for key in table.keys.values() if key.metavar in places]
    assert len(keys) > 30
    assert [key.name for key in keys if not key.is_path and key.metavar not in RESOLVERS] == []
