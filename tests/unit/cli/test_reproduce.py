import json
from dataclasses import replace

import pytest

from tests.tiny_models import tiny_checkpoint
from tests.unit.papers.conftest import CORO_SIZES
from tests.unit.papers.sample import sample
from vestige.cli.reproduced import print_reproduction
from vestige.papers.write import write_reproduction


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    return tiny_checkpoint("bert", tmp_path_factory.mktemp("checkpoint") / "bert")


@pytest.fixture
def figure(vestige_command, monkeypatch, tmp_path, checkpoint):
    """The smallest figure of the smallest scale."""
    from vestige.papers.coro2022.tables import CORO

    monkeypatch.setitem(CORO.scales, "small", replace(CORO_SIZES, steps=()))

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


def test_people_see_the_table_what_differs_and_where_the_page_lies(tmp_path, capsys):
    print_reproduction(sample(), write_reproduction(sample(), tmp_path), as_json=False)
    printed = capsys.readouterr().out
    assert "dual:lstm   the paper's recipe  50.0 (45-55)  -" in printed
    assert "Equation 7, ALBERT: left out: not here | nor there" in printed
    assert "What differs from the paper:\n- The texts are others." in printed
    assert printed.splitlines()[-1] == f"page: {tmp_path / 'song2020-table1.html'}"


def test_no_paper_lists_them_all(vestige_command):
    printed = vestige_command("reproduce").out
    assert "song2020" in printed
    assert "table5.4" in printed


def test_help(vestige_command):
    ran = vestige_command("reproduce", "--help")
    assert ran.code == 0
    assert "MODEL=SPEC" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("song2021", "table1"), "unknown paper 'song2021'; did you mean 'song2020'"),
        (("song2020", "tabel1"), "unknown table 'tabel1' of song2020; did you mean 'table1'"),
        (("coro2022", "table51"), "did you mean 'table5.1'"),
        (("song2020",), "no table of song2020 was named; known: table1, table2, figure2"),
        (("song2020", "table1", "--scale", "smal"), "unknown scale 'smal'; did you mean 'small'"),
        (("song2020", "table1", "--encoder", "BERT"), "'BERT' names no encoder; expected MODEL=SPEC"),
        (("song2020", "table1", "--encoder", "BRT=minilm"), "song2020 attacks no model 'BRT'; did you mean 'bert'"),
        (("song2020", "table1", "--seed", "-1"), "greater than or equal to 0"),
        (("song2020", "table1", "--out", "/proc/nowhere"), "cannot be written"),
    ],
)
def test_bad_input_ends_with_a_word_on_what_to_do(vestige_command, arguments, said):
    ran = vestige_command("reproduce", *arguments)
    assert ran.code == 2
    assert said in ran.err
