"""The report of an audit that is still running: rewritten after every probe, with a line for each conclusion."""

from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from vestige.audit.result import AuditResult
from vestige.case.findings import Finding, NotApplicable
from vestige.case.level import grade_leakage
from vestige.cli.audit_files import CiFiles
from vestige.cli.progress import print_above_bars
from vestige.cli.verbosity import is_quiet
from vestige.printable import printable
from vestige.report.write import Reports, write_report


@dataclass
class LiveReport:
    """Writes the result so far to `folder` and says what is new on standard error; `seconds` is the time per probe."""

    folder: Path
    files: CiFiles
    seconds: dict[str, float] = field(default_factory=dict)
    reports: Reports | None = None
    _since: float = field(default_factory=monotonic)

    def start(self) -> None:
        """Remove the files of an earlier run, which this one replaces."""
        self.files.remove()
        self.remove()

    def remove(self) -> None:
        """Remove the report."""
        for name in ("report.html", "report.json", "report.md"):
            (self.folder / name).unlink(missing_ok=True)

    def describe_stop(self) -> str:
        """What a person needs to know when the run is stopped."""
        if self.reports is None:
            return "stopped before the first probe, so there is no report; run the same command to resume"
        return f"stopped; {self.reports.html} shows what was found until then; run the same command to resume"

    def say(self, sentence: str) -> None:
        """Print a sentence, unless the user wants quiet."""
        if not is_quiet():
            print_above_bars(printable(sentence))

    def update(self, result: AuditResult) -> None:
        """Write the report, and print the conclusion of the probe that has just finished."""
        outcomes: list[Finding | NotApplicable] = [*result.findings, *result.not_run]
        new = next((each for each in outcomes if each.probe not in self.seconds), None)
        if new is not None:
            self.seconds[new.probe], self._since = monotonic() - self._since, monotonic()
            self.say(describe_outcome(result, new.probe, self.seconds[new.probe]))
        else:
            self._since = monotonic()
        self.reports = write_report(result, self.folder, self.files.build(result, self.seconds))


def describe_outcome(result: AuditResult, probe: str, seconds: float) -> str:
    """The conclusion of one probe in one line."""
    finding = next((finding for finding in result.findings if finding.probe == probe), None)
    if finding is None:
        skipped = next(each for each in result.not_run if each.probe == probe)
        return f"{probe}: not run, {skipped.reason}"
    return f"{probe}: {_describe_leakage(finding)}, {seconds:.0f} s"


def _describe_leakage(finding: Finding) -> str:
    leakage = finding.leakage
    level = "unknown, see the warning" if finding.warnings else finding.level
    capped = not finding.warnings and finding.level != grade_leakage(leakage)
    why = ", since it reveals nothing of a text" if capped else ""
    return f"leakage {leakage.value:.2f} ({leakage.low:.2f} to {leakage.high:.2f}), {level}{why}"
