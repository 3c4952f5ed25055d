"""The versions that the two environments have."""

from tests.unit.test_docs import load_tool


def test_lower_bounds_become_exact_versions():
    tool = load_tool("check_versions")
    assert tool.list_lowest(["numpy>=1.26", "psycopg[binary]>=3.2", "gt==0.1.0", "vestige[all]"]) == [
        "numpy==1.26",
        "psycopg[binary]==3.2",
        "gt==0.1.0",
    ]


def test_every_dependency_has_a_lower_bound():
    tool = load_tool("check_versions")
    assert len(tool.list_requirements("lowest")) == len(tool.list_requirements("newest"))
