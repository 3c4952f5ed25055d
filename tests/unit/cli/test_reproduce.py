"""The command `reproduce`: files, JSON, permission to send, and bad input."""

import json
import re
from dataclasses import replace

import pytest

from tests.tiny_models import tiny_checkpoint
from tests.unit.papers.conftest import CORO_SIZES, SONG_SIZES
from vestige.papers.catalogue import PAPERS
from vestige.papers.results import read_results


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    return tiny_checkpoint("bert", tmp_path_factory.mktemp("checkpoint") / "bert")


@pytest.fixture
def figure(vestige_command, monkeypatch, tmp_path, checkpoint):
    """The smallest figure of the smallest scale."""
    from vestige.papers.coro2022.paper import PAPER

    monkeypatch.setitem(PAPER.scales, "small", replace(CORO_SIZES, steps=()))

    def run(*more):
        named = ("--encoder", f"sentence-bert=hf:{checkpoint}@mean")
        return vestige_command("reproduce", "coro2022", "figure5.1", "--out", tmp_path, *named, *more)

    return run


def test_it_writes_three_files_and_json_is_alone_on_standard_output(figure, tmp_path):
    ran = figure("--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out) == json.loads((tmp_path / "coro2022-figure5.1.json").read_text())
    assert ran.err == f"page: {tmp_path / 'coro2022-figure5.1.html'}\n"
    assert (tmp_path / "coro2022-figure5.1.html").stat().st_size > 5000
    assert (tmp_path / "coro2022-figure5.1.md").is_file()


def test_a_record_names_the_sizes_that_were_set(figure, tmp_path):
    chosen = ("--set", "epochs=2", "--models", "hashing", "--sections", "In-domain")
    ran = figure("--record", "--results", tmp_path / "results", "--variant", "two", *chosen)
    assert ran.code == 0, ran.err
    path = tmp_path / "results" / "coro2022" / "figure5.1-two.json"
    assert f"record: {path}" in ran.err
    found = read_results(path)
    assert {one.row.model.partition(",")[0] for one in found.rows} == {"Hashing"}
    assert found.runs[0].changes == ("epochs=2",)
    assert found.runs[0].sizes["epochs"] == 2
    assert "--set epochs=2 --models hashing --sections In-domain" in (tmp_path / "coro2022-figure5.1.md").read_text()


@pytest.mark.parametrize(("paper", "table"), [("song2020", "table2"), ("coro2022", "table5.4")])
def test_texts_go_to_another_machine_only_when_allowed(vestige_command, monkeypatch, tmp_path, paper, table):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    monkeypatch.setitem(PAPERS[paper].load().scales, "small", {"song2020": SONG_SIZES, "coro2022": CORO_SIZES}[paper])
    model = {"song2020": "BERT", "coro2022": "Sentence-BERT"}[paper]
    named = ("--encoder", f"{model}=openai:text-embedding-3-small")
    ran = vestige_command("reproduce", paper, table, "--out", tmp_path, *named)
    assert ran.code == 2
    # Targets and auxiliary sentences of both domains; of the thesis, sentences and paragraphs of all three sides.
    sent = int(re.search(r"would send ([\d,]+) texts", ran.err)[1])
    assert sent == 40 + 100 + 80 if paper == "song2020" else sent > 150 + 150 + 70
    assert "to api.openai.com; nothing was sent; run the same command with --send to allow it" in ran.err
    assert not list(tmp_path.iterdir())


def test_no_paper_lists_them_all(vestige_command):
    printed = vestige_command("reproduce").out
    assert "song2020" in printed
    assert "table5.4" in printed
    assert "fingerprint" in printed


def test_help(vestige_command):
    ran = vestige_command("reproduce", "--help")
    assert ran.code == 0
    assert "MODEL=SPEC" in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("song2021", "table1"), "unknown paper 'song2021'; did you mean 'song2020'"),
        (("song2020", "tabel1"), "unknown table 'tabel1' of song2020; did you mean 'table1'"),
        (("coro2022", "table51"), "did you mean 'table5.1'"),
        (("song2020",), "name a table of song2020; known: table1, table2, figure2, figure3, figure4, figure5"),
        (("song2020", "table1", "--scale", "smal"), "unknown scale 'smal'; did you mean 'small'"),
        (("song2020", "table1", "--encoder", "BERT"), "--encoder 'BERT' is not of the form MODEL=SPEC"),
        (("song2020", "table1", "--encoder", "BRT=minilm"), "song2020 attacks no model 'BRT'; did you mean 'bert'"),
        (("song2020", "figure2", "--encoder", "LSTM=dual:lstm"), "figure2 of song2020 does not attack LSTM"),
        (("song2020", "table2", "--encoder", "BERT=minilm", "--encoder", "bert=use"), "BERT was named twice"),
        (("song2020", "table1", "--encoder", "BERT=tfidf"), "'tfidf' is a black box"),
        (("song2020", "figure2", "--encoder", "BERT=wordllama"), "'wordllama' has no layers to choose from"),
        (("song2020", "table1", "--set", "epoch=3"), "--set knows no size 'epoch'; did you mean 'epochs'"),
        (("song2020", "table1", "--set", "epochs=few"), "expected a whole number"),
        (("song2020", "table1", "--record", "--results", "/proc/nowhere"), "cannot be written"),
        (("song2020", "table1", "--seed", "-1"), "greater than or equal to 0"),
        (("song2020", "table1", "--out", "/proc/nowhere"), "cannot be written"),
    ],
)
def test_bad_input_ends_with_a_message(vestige_command, arguments, message):
    ran = vestige_command("reproduce", *arguments)
    assert ran.code == 2
    assert message in ran.err


def test_bad_input_is_refused_before_ray_starts(vestige_command, monkeypatch):
    monkeypatch.setattr("vestige.engine.ray_engine.connect", None)
    ran = vestige_command("reproduce", "song2020", "tabel1", "--engine", "ray")
    assert ran.code == 2
    assert "did you mean 'table1'" in ran.err
