"""The rendering kit: from the record of an audit or a sweep to HTML, Markdown, JSON, SARIF and JUnit."""
