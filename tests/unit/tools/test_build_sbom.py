"""The list of what the wheel needs."""

from tests.unit.test_docs import load_tool


def test_dependencies_of_dependencies_are_listed_and_extras_only_if_wanted():
    tool = load_tool("build_sbom")
    plain, everything = tool.list_needed("vestige"), tool.list_needed("vestige", "all")
    assert {"numpy", "torch", "markupsafe"} <= set(plain)
    assert "markupsafe" in plain, "jinja2 needs it"
    assert "faiss-cpu" not in plain
    assert "faiss-cpu" in everything
    assert "vestige" not in everything


def test_a_requirement_may_name_extras_and_markers():
    tool = load_tool("build_sbom")
    assert tool.parse_requirement("psycopg[binary]>=3.2; extra == 'pgvector'", "pgvector") == [
        ("psycopg", ""),
        ("psycopg", "binary"),
    ]
    assert tool.parse_requirement("psycopg[binary]>=3.2; extra == 'pgvector'", "") == []
