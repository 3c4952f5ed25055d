"""Chat messages of an installed package."""

import json
import sys

import pytest

from vestige.errors import InputError
from vestige.text.chat import find_chat, read_chat
from vestige.text.corpora import is_available, load_corpus

CONVERSATIONS = {
    "first": {
        "messages": [
            [{"text": "Hello", "sender": "ann"}, {"text": " ", "sender": "ann"}],
            [{"text": "Hi", "sender": "bob"}],
        ]
    },
    "second": {"messages": [[{"text": "How are you?", "sender": "bob"}]]},
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with the name and the layout of the real one."""
    folder = tmp_path / "chitchat_dataset"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('it is not imported')")
    (folder / "dataset.json").write_text(json.dumps(CONVERSATIONS))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    return folder


def test_a_message_is_a_text_and_a_conversation_a_document(package):
    corpus = load_corpus("chat")
    assert corpus == read_chat(package / "dataset.json")
    assert corpus.name == "chat"
    assert corpus.texts == ["Hello", "Hi", "How are you?"]
    assert corpus.documents == ["first", "first", "second"]
    assert corpus.attributes == {"author": ["ann", "bob", "bob"]}
    assert is_available("chat")
    assert "chitchat_dataset" not in sys.modules


def test_without_the_package_it_is_not_available(monkeypatch):
    monkeypatch.delenv("VESTIGE_DATA", raising=False)
    monkeypatch.setattr("vestige.text.chat.find_spec", lambda _name: None)
    assert find_chat() is None
    assert not is_available("chat")
    with pytest.raises(InputError, match=r"corpus 'chat' is not shipped .* chitchat-dataset 0\.9\.0"):
        load_corpus("chat")


def test_a_package_without_the_file_is_not_available(package):
    (package / "dataset.json").unlink()
    assert find_chat() is None


def test_another_layout_is_an_error(package):
    (package / "dataset.json").write_text('{"first": {"turns": []}}')
    with pytest.raises(InputError, match=r"is not the file of chitchat-dataset 0\.9\.0"):
        load_corpus("chat")
