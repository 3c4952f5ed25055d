"""The record of a sweep as one HTML page that needs nothing but itself."""

from vestige.defend.record import DefendResult
from vestige.report.environment import environment
from vestige.report.frontier import plot, wording
from vestige.report.frontier.repeat import TOLD, command


def as_html(result: DefendResult) -> str:
    """The page. Every word of the record is escaped."""
    settings = {name: getattr(result.settings, name) for name in (*TOLD, "keywords", "attributes", "probes")}
    page = environment().get_template("frontier/page.html.j2")
    return page.render(
        result=result,
        drawn=plot.plot_of(result),
        plot=plot,
        told=wording,
        settings=settings | {"draws": result.draws, "task": result.task},
        command=command(result),
    )
