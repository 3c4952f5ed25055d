"""How sweeps, judgements and leaderboards are printed on the terminal."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from rich.table import Table

from vestige.cli.echo import echo, echo_wrapped
from vestige.cli.terminal import add_row, build_table, print_answer, print_json, print_wide
from vestige.defend.judge_record import JudgeResult
from vestige.defend.recommend import ELSEWHERE
from vestige.defend.record import DefendResult, ProbeLeakage, Recommendation
from vestige.defenses.catalogue import find_info
from vestige.leaderboard.record import Leaderboard
from vestige.report.formatting import format_number, format_score
from vestige.report.frontier_page import STATUSES, describe_recommendation
from vestige.report.write import Reports
from vestige.types import Score


def print_frontier(result: DefendResult, reports: Reports, defense: Path | None, *, as_json: bool) -> None:
    """Print a sweep: the answer, a table of the defenses, and the paths of the defense and the report."""
    if as_json:
        print_json(result, reports)
        return
    print_answer(result.headline, result.sentences)
    print_wide(_build_frontier_table(result))
    dropped = sum(trial.status == "dropped" for trial in result.trials)
    if dropped:
        echo(f"{dropped} more were dropped at a smaller size; see the report")
    for skipped in result.not_tried:
        echo_wrapped(f"not tried: {skipped.defense}: {skipped.reason}; {skipped.remedy}")
    _print_recommendations(result.recommendations)
    if defense is not None:
        echo(f"defense: {defense} ({_describe_secret(result)}; `vestige protect` applies it)")
    echo(f"report: {reports.html}")


def _print_recommendations(recommendations: Sequence[Recommendation]) -> None:
    """Print them by need; what helps where no defense does is printed once."""
    repeated = False
    for need, group in groupby(recommendations, key=attrgetter("need")):
        echo(f"\nTo hide {need}")
        for advice in group:
            limits = f" ({advice.limits})" if advice.limits else ""
            described = describe_recommendation(advice)
            text = described.replace(ELSEWHERE, "What helps instead: see above.") if repeated else described
            repeated = repeated or ELSEWHERE in described
            echo_wrapped(f"- from {advice.adversary}{limits}: {text}")
            for command in advice.commands:
                echo(f"    {command}")
    if recommendations:
        echo()


def _describe_secret(result: DefendResult) -> str:
    """Whether the folder of the chosen defense must be kept secret, and why."""
    assert result.chosen is not None
    secret = find_info(result.chosen).secret
    return f"keep it secret: it holds {secret}" if secret else "it holds no secret"


def _build_frontier_table(result: DefendResult) -> Table:
    first = result.trials[0]
    table = build_table("defense", *first.leakage, *(scored.measure for scored in first.utility), "")
    table.caption = "leakage: adaptive / naive"
    for trial in result.trials:
        if trial.status != "dropped":
            utility = [format_number(scored.score.value) for scored in trial.utility]
            status = STATUSES[trial.status] + (", only obscurity" if trial.obscure else "")
            add_row(table, trial.defense, *map(_format_leakage, trial.privacy), *utility, status)
    return table


def _format_leakage(reading: ProbeLeakage) -> str:
    naive = "-" if reading.naive is None else format_number(reading.naive.value)
    return f"{format_number(reading.adaptive.value)} / {naive}"


def print_judgement(result: JudgeResult, reports: Reports, *, as_json: bool) -> None:
    """Print a judgement: the answer, a table of ours and the judged defense, and the path of the report."""
    if as_json:
        print_json(result, reports)
        return
    print_answer(result.headline, result.sentences)
    print_wide(_build_frontier_table(result.sweep))
    for name in result.sweep.not_asked:
        echo(f"not judged by {name}")
    echo(f"report: {reports.html}")


def print_leaderboard(result: Leaderboard, reports: Reports, *, as_json: bool) -> None:
    """Print a leaderboard: the answer, a table of the encoders, what is missing, and the path of the report."""
    if as_json:
        print_json(result, reports)
        return
    print_answer(result.headline, result.sentences)
    table = build_table("encoder", *result.probes, "retrieval")
    for row in result:
        add_row(
            table, row.encoder, *(_format(row.leakage.get(probe)) for probe in result.probes), _format(row.retrieval)
        )
    print_wide(table)
    for missing in result.not_ranked:
        echo_wrapped(f"not ranked: {missing.encoder}: {missing.reason}")
    echo(f"report: {reports.html}")


def _format(score: Score | None) -> str:
    return "-" if score is None else format_score(score)
