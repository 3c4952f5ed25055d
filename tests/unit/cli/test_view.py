"""`vestige view`."""

import pytest

from tests.sample_view import make_runs
from vestige.view.server import Address


@pytest.fixture
def served(monkeypatch):
    """Serve nothing, and record what would have been served."""
    calls = []

    def serve(app, announce, *, port):
        calls.append((app, port))
        announce(Address(4321, "token", "once"))

    monkeypatch.setattr("vestige.view.server.serve", serve)
    monkeypatch.setattr("webbrowser.open", lambda url: calls.append(url))
    monkeypatch.setattr("vestige.view.live.LiveModel.start", lambda _self: calls.append("started"))
    return calls


def test_without_a_folder_the_live_page_is_fitted_and_opened(run, served, tmp_path):
    code, out, _ = run("view", "--cache", tmp_path / "cache")
    assert code == 0
    assert out == "view: http://127.0.0.1:4321/?token=token\n"
    assert served[0] == "started"
    assert served[-1] == "http://127.0.0.1:4321/?token=once"


def test_with_a_folder_nothing_is_fitted_before_it_is_needed(run, served, tmp_path):
    code, _, _ = run(
        "view", make_runs(tmp_path / "runs"), "--no-browser", "--port", 8123, "--cache", tmp_path / "cache"
    )
    assert code == 0
    assert [each[1] for each in served] == [8123]


def test_a_folder_that_does_not_exist_is_refused(run, tmp_path):
    code, _, err = run("view", tmp_path / "nowhere")
    assert code == 2
    assert "nowhere does not exist; name a folder with results" in err


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--encoder", "minilmm"), "unknown encoder 'minilmm'; did you mean 'minilm'"),
        (("--texts", "nowhere.csv"), "nowhere.csv"),
    ],
)
def test_texts_and_encoders_that_do_not_exist_are_refused_before_the_server_starts(run, served, option, message):
    code, _, err = run("view", *option)
    assert code == 2
    assert message in err
    assert served == []


def test_a_static_site_is_written(run, tmp_path):
    code, out, _ = run("view", make_runs(tmp_path / "runs"), "--export", tmp_path / "site")
    assert code == 0
    assert "index.html (" in out
    assert (tmp_path / "site" / "index.html").is_file()


def test_a_static_site_of_nothing_is_refused(run, tmp_path):
    code, _, err = run("view", "--export", tmp_path / "site")
    assert code == 2
    assert "no result was found to export" in err


def test_a_missing_extra_is_one_message(run, monkeypatch, tmp_path):
    from vestige.errors import MissingExtra

    def missing():
        raise MissingExtra("uvicorn", "view")

    monkeypatch.setattr("vestige.view.server.check_extra", missing)
    code, _, err = run("view", "--cache", tmp_path)
    assert code == 2
    assert "uvicorn is not installed; get it with: pip install" in err
