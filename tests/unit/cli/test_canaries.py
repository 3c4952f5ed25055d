"""The commands `canaries plant` and `canaries score`, from planting to scoring."""

import json

import pytest

from vestige.text.corpora import load_corpus
from vestige.text.corpus import write_corpus


@pytest.fixture
def letters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_corpus(load_corpus("complaints").take(range(20)), tmp_path / "letters.parquet")
    return tmp_path


@pytest.fixture
def plant(vestige_command, letters):
    """Plant secrets in the letters; later options override earlier ones."""

    def run(*options):
        return vestige_command(
            "canaries", "plant", letters / "letters.parquet", "--out", "new.csv", "--key", "key.json", *options
        )

    return run


def test_exposure_rises_with_repetitions_end_to_end(vestige_command, plant):
    pytest.importorskip("gensim")
    made = plant("--times", "1,64", "--each", "10")
    assert made.code == 0
    assert "20 texts of letters.parquet and 650 canaries" in made.out
    command = next(line for line in made.out.splitlines() if line.startswith("train with: vestige"))
    assert vestige_command(*command.replace("SPEC", "word2vec").replace("FOLDER", "model").split()[3:]).code == 0
    scored = vestige_command("canaries", "score", "saved:model", "key.json")
    assert scored.code == 0
    assert "saved:model: pass-phrase, 4,096 secrets (12.0 bits), all ranked" in scored.out
    assert "has 1.44" in scored.out
    rows = [line.split() for line in scored.out.splitlines()]
    assert [(row[0], row[-1] == "exposed") for row in rows if row[0] in ("1", "64")] == [("1", False), ("64", True)]
    once, often = json.loads(vestige_command("canaries", "score", "saved:model", "key.json", "--json").out)["by_times"]
    assert once["own"]["value"] < 3.5 < 8 < often["own"]["value"]
    assert often["never"]["value"] < 3.5


def test_an_encoder_that_was_not_trained_on_them_exposes_none(vestige_command, plant):
    plant("--pattern", "order-number")
    vestige_command("train", "tfidf", "--texts", "letters.parquet", "--out", "model")
    scored = vestige_command("canaries", "score", "saved:model", "key.json", "--candidates", "500")
    assert scored.code == 0
    assert "order-number, 1,000,000 secrets (19.9 bits), ranked among 501, drawn at random" in scored.out
    assert "at most 7.1 bits can be proved" in scored.out
    assert "no planted secret is exposed: the encoder was not trained on these texts" in scored.out
    assert "many candidates have the same score" in scored.out
    assert "exposed\n" not in scored.out


def test_the_file_holds_the_secrets_and_only_the_owner_can_read_the_key(plant, letters):
    plant("--times", "3", "--key", "some/where/key.json")
    key = json.loads((letters / "some/where/key.json").read_text(encoding="utf-8"))
    first = key["key"]["secrets"][0]
    planted = load_corpus(letters / "new.csv")
    assert planted.texts.count(f"{first['prompt']}{first['secret']}.") == 3
    assert [text for text in planted.texts if "It opens with" not in text] == load_corpus("complaints").texts[:20]
    assert (key["format"], key["key"]["pattern"]["name"]) == ("vestige-canaries-1", "pass-phrase")
    assert (letters / "some/where/key.json").stat().st_mode & 0o777 == 0o600


def test_existing_files_are_not_overwritten(plant, letters):
    (letters / "key.json").write_text("mine")
    assert plant().code == 2
    assert not (letters / "new.csv").exists()
    assert (letters / "key.json").read_text() == "mine"
    (letters / "key.json").rename(letters / "new.csv")
    ran = plant()
    assert (ran.code, (letters / "new.csv").read_text()) == (2, "mine")
    assert "already exists" in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--out", "new.txt"), "expected one of .jsonl"),
        (("--out", "same.csv", "--key", "same.csv"), "the file of the texts"),
        (("--times", "1,many"), "not a comma-separated list of whole numbers"),
        (("--times", "0"), "expected whole numbers of 0 or more"),
        (("--each", "3"), "too few for an interval"),
        (("--pattern", "pass-fraze"), "pass-phrase"),
        (("--out", "a/new.csv", "--key", "b/key.json", "--each", "3"), "too few for an interval"),
        (("--pattern", "birth-date"), "add an open field before the secret"),
        (("--pattern", "open.toml"), "name the fields to attack"),
    ],
)
def test_bad_input_ends_with_a_message_and_writes_nothing(options, message, plant, letters):
    (letters / "open.toml").write_text('template = "code {code}"\n[fields]\ncode.range = [1, 9]\n')
    before = sorted(letters.iterdir())
    ran = plant(*options)
    assert ran.code == 2
    assert message in ran.err
    assert sorted(letters.iterdir()) == before


def test_a_key_that_cannot_be_used_ends_with_a_message(vestige_command, plant, letters):
    plant()
    whole = (letters / "key.json").read_text(encoding="utf-8")
    (letters / "cut.json").write_text(whole[:900], encoding="utf-8")
    (letters / "later.json").write_text(whole.replace("vestige-canaries-1", "vestige-canaries-2"), encoding="utf-8")
    vestige_command("train", "tfidf", "--texts", "letters.parquet", "--out", "model")
    for name, message in (("cut", "truncated"), ("later", "of format vestige-canaries-2"), ("none", "does not exist")):
        ran = vestige_command("canaries", "score", "saved:model", f"{name}.json")
        assert (ran.code, ran.out) == (2, "")
        assert message in ran.err
    assert vestige_command("canaries", "score", "saved:nothing", "key.json").code == 2
    assert vestige_command("canaries", "score", "word2vec", "key.json").code == 2


def test_the_printed_command_names_columns_that_cannot_be_detected(vestige_command, letters):
    corpus = load_corpus("complaints").take(range(20))
    (letters / "odd.jsonl").write_text(
        "".join(json.dumps({"letter": n, "said": text}) + "\n" for n, text in enumerate(corpus.texts)), encoding="utf-8"
    )
    columns = ("--text-column", "said", "--document-column", "letter")
    ran = vestige_command("canaries", "plant", "odd.jsonl", *columns, "--out", "new.jsonl", "--key", "key.json")
    assert "--texts new.jsonl --text-column said --document-column letter" in ran.out


def test_a_full_disk_leaves_neither_the_key_nor_the_texts(texts, tmp_path, run, monkeypatch):
    written = []

    def fill_the_disk(handle):
        written.append(handle)
        if len(written) == 2:
            raise OSError(28, "No space left on device")

    command = ("canaries", "plant", texts, "--out", tmp_path / "new.csv", "--key", tmp_path / "key.json")
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", fill_the_disk)
        assert run(*command)[0] == 2
    assert not (tmp_path / "key.json").exists()
    assert not (tmp_path / "new.csv").exists()
    assert run(*command)[0] == 0, "a second try is not refused"


def test_more_secrets_than_fit_into_memory_are_refused(texts, tmp_path, run):
    code, _, err = run(
        *("canaries", "plant", texts, "--out", tmp_path / "new.csv", "--key", tmp_path / "key.json"),
        *("--times", "1000000000000"),
    )
    assert code == 2
    assert "planting these secrets needs" in err
