"""The command that repeats a sweep."""

from vestige.defend.record import DefendResult
from vestige.report.repeat import Value, option, start_of

TOLD = (
    "seed",
    "targets",
    "pairs",
    "unit",
    "shortest",
    "longest",
    "vocabulary_size",
    "access",
    "queries",
    "labels",
    "precision",
    "sample",
    "vector_column",
    "id_column",
    "text_column",
    "document_column",
)
"""The settings of an audit that a sweep is told as well."""


def command(result: DefendResult) -> list[str] | None:
    """The command, an option an item, or None where something cannot be named on a command line."""
    subject, settings = result.subject, result.settings
    if not subject.named or any("," in keyword for keyword in settings.keywords):
        return None
    options: list[tuple[str, Value]] = [
        ("texts", subject.corpus),
        ("encoder", subject.encoder),
        *(("limit", limit) for limit in result.limits),
        ("defenses", ",".join(result.defenses)),
        ("task", result.task),
        ("draws", result.draws),
        *((name, getattr(settings, name)) for name in TOLD),
        ("keywords", ",".join(settings.keywords) or None),
        *(("attribute", column) for column in settings.attributes),
        *(("probe", name) for name in settings.probes),
    ]
    given = [option(name, value) for name, value in options if value is not None]
    return [start_of("vestige defend", subject), *given, *([] if result.halving else ["--no-halving"])]
