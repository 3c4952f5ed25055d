"""The words of a text as they are counted, one after another."""

from vestige.text.words import content_form, words


def forms(text: str) -> list[str]:
    """Every content word of a text in the form under which it is counted; a number is none."""
    return [form for word in words(text) if (form := content_form(word)) and not form[0].isdigit()]
