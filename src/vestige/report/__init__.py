"""From the record of an audit to a page, a JSON file and a Markdown file."""
