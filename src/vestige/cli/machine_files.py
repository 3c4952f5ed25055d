"""The files that machines read: written when an audit ends, and when it cannot begin."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from vestige.audit.result import AuditResult
from vestige.cli.exit_codes import BAD_INPUT
from vestige.errors import VestigeError
from vestige.files import check_writable, writable_folder, write_whole
from vestige.report.as_junit import as_junit, error_as_junit
from vestige.report.as_sarif import as_sarif, error_as_sarif


@dataclass(frozen=True)
class MachineFiles:
    """Where SARIF and JUnit are wanted, if they are."""

    sarif: Path | None
    junit: Path | None

    def check(self) -> None:
        """Prove that they can be written, before any long work."""
        for path in (self.sarif, self.junit):
            if path is not None:
                check_writable(path.parent)

    def write(self, result: AuditResult) -> None:
        """The result of an audit that ended."""
        self._write(lambda: as_sarif(result), lambda: as_junit(result))

    @contextmanager
    def telling_errors(self) -> Iterator[None]:
        """Whoever reads the files learns why there is no result; the error then goes its way."""
        try:
            yield
        except (VestigeError, OSError) as error:
            message = str(error)
            with suppress(VestigeError, OSError):  # the place of the files may be what is wrong
                self._write(lambda: error_as_sarif(message, BAD_INPUT), lambda: error_as_junit(message))
            raise

    def _write(self, sarif: Callable[[], str], junit: Callable[[], str]) -> None:
        for path, written in ((self.sarif, sarif), (self.junit, junit)):
            if path is not None:
                write_whole(writable_folder(path.parent) / path.name, written().encode())
