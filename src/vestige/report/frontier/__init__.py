"""The record of a sweep over defenses as a page, as JSON and as Markdown."""
