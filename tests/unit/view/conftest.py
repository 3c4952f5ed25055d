import pytest
from starlette.testclient import TestClient

from tests.sample_view import DEFENSE, fitted_model, make_runs
from vestige.view.app import Pages, build_app
from vestige.view.runs import RunIndex
from vestige.view.site import Site


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """A fitted live model, also behind a defense."""
    return fitted_model(tmp_path_factory.mktemp("live"), DEFENSE)


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """A folder with results."""
    return make_runs(tmp_path_factory.mktemp("runs"))


@pytest.fixture
def index(runs):
    return RunIndex([runs])


@pytest.fixture
def client(model, index):
    """The app without its guard."""
    return TestClient(build_app(Pages(index, model, Site())), follow_redirects=False)
