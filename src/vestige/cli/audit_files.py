"""The SARIF and JUnit files that an audit or a comparison writes for CI."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vestige.cli import BAD_INPUT
from vestige.errors import InputError, VestigeError

if TYPE_CHECKING:
    from vestige.audit.comparison import Comparison
    from vestige.audit.result import AuditResult


@dataclass(frozen=True)
class CiFiles:
    """The SARIF and JUnit files that CI reads: the result of an audit, or the error that ended it."""

    sarif: Path | None
    junit: Path | None

    def check(self) -> None:
        """Make sure that they can be written, before any long work."""
        from vestige.files import check_writable

        for path in (self.sarif, self.junit):
            if path is not None and path.is_dir():
                raise InputError(f"{path} is a folder; name the file to write, such as {path / 'vestige'}.json")
            if path is not None:
                check_writable(path.parent)

    def remove(self) -> None:
        """Remove those of an earlier run: nothing that stops this one may leave them as its result."""
        for path in (self.sarif, self.junit):
            if path is not None:
                path.unlink(missing_ok=True)

    def write(self, result: "AuditResult", seconds: Mapping[str, float]) -> None:
        """Write the result of an audit, with the seconds that each probe took."""
        from vestige.report.junit import build_junit
        from vestige.report.sarif import build_sarif

        self._write(lambda: build_sarif(result), lambda: build_junit(result, seconds))

    def write_comparison(self, result: "Comparison", seconds: float) -> None:
        """Write the result of a comparison that took so many seconds."""
        from vestige.report.compare_ci import build_comparison_junit, build_comparison_sarif

        self._write(lambda: build_comparison_sarif(result), lambda: build_comparison_junit(result, seconds))

    @contextmanager
    def report_errors(self, command: str = "audit") -> Iterator[None]:
        """Write an error to the files before it ends the command; raise first if these files hold anything else."""
        from vestige.report.junit import build_junit_error
        from vestige.report.sarif import build_sarif_error

        self._refuse_others()
        try:
            yield
        except (VestigeError, OSError) as error:
            message = str(error)
            with suppress(VestigeError, OSError):  # The files themselves may be what cannot be written.
                self._write(lambda: build_sarif_error(message, BAD_INPUT), lambda: build_junit_error(message, command))
            raise

    def _refuse_others(self) -> None:
        """Raise if a file to replace is not one of an earlier run: it may be the vectors or the texts."""
        if self.sarif is not None and self.junit is not None and self.sarif.resolve() == self.junit.resolve():
            raise InputError(f"{self.sarif} is named with --sarif and --junit; name two files")
        for path, option, mark in ((self.sarif, "--sarif", b"sarif"), (self.junit, "--junit", b"<testsuites")):
            if path is not None and path.exists() and not path.is_dir() and not _is_earlier(path, mark):
                raise InputError(f"{path} exists, and {option} did not write it; name another file, or remove it")

    def _write(self, sarif: Callable[[], str], junit: Callable[[], str]) -> None:
        from vestige.files import writable_folder, write_whole

        for path, render in ((self.sarif, sarif), (self.junit, junit)):
            if path is not None:
                write_whole(writable_folder(path.parent) / path.name, render().encode("utf-8", "backslashreplace"))


def _is_earlier(path: Path, mark: bytes) -> bool:
    """Whether a file is empty, or begins like one of an earlier run."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(200)
    return not head or mark in head
