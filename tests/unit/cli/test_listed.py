"""Keywords given on the command line or in a file."""

import pytest

from vestige.cli.listed import listed
from vestige.errors import InputError


def test_words_are_parted_by_commas_each_once_in_order():
    assert listed("cancer, credit card,cancer,,debt ") == ("cancer", "credit card", "debt")


def test_a_list_may_be_longer_than_the_name_of_a_file():
    keywords = tuple(f"keyword{number}" for number in range(60))
    assert listed(",".join(keywords)) == keywords


def test_a_file_has_one_a_line(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("Hong Kong\n\n chest, left \nchest, left\n", encoding="utf-8")
    assert listed(str(path)) == ("Hong Kong", "chest, left")


@pytest.mark.parametrize(("given", "told"), [(" , ", "no keyword"), ("words.txt", "is not there")])
def test_nothing_to_look_for_is_refused(given, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=told):
        listed(given)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        listed(str(path))
