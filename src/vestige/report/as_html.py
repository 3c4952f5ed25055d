"""The record as one HTML page that needs nothing but itself."""

from dataclasses import asdict

from vestige.audit.result import AuditResult
from vestige.report.environment import environment
from vestige.report.preflight import as_section
from vestige.report.repeat import command


def as_html(result: AuditResult) -> str:
    """The page. Every word of the record is escaped, since texts come from strangers."""
    return (
        environment()
        .get_template("template.html.j2")
        .render(
            result=result,
            settings=asdict(result.settings),
            command=command(result),
            preflight=None if result.preflight is None else as_section(result.preflight),
        )
    )
