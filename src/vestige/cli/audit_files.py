"""The SARIF and JUnit files that an audit or a comparison writes for CI."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vestige.cli import BAD_INPUT
from vestige.errors import InputError, VestigeError
from vestige.memory import read_file

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

    def build(self, result: "AuditResult", seconds: Mapping[str, float]) -> dict[Path, bytes]:
        """What to write for an audit, with the seconds that each probe took. Their folders are created."""
        from vestige.report.junit import build_junit
        from vestige.report.sarif import build_sarif

        return self._build(lambda: build_sarif(result), lambda: build_junit(result, seconds))

    def build_comparison(self, result: "Comparison", seconds: float) -> dict[Path, bytes]:
        """What to write for a comparison that took so many seconds. Their folders are created."""
        from vestige.report.compare_ci import build_comparison_junit, build_comparison_sarif

        return self._build(lambda: build_comparison_sarif(result), lambda: build_comparison_junit(result, seconds))

    @contextmanager
    def report_errors(self, command: str = "audit") -> Iterator[None]:
        """Write an error to the files before it ends the command; raise first if these files hold anything else."""
        from vestige.files import write_together
        from vestige.report.junit import build_junit_error
        from vestige.report.sarif import build_sarif_error

        self._refuse_others()
        try:
            yield
        except (VestigeError, OSError) as error:
            message = str(error)
            with suppress(VestigeError, OSError):  # The files themselves may be what cannot be written.
                write_together(
                    self._build(
                        lambda: build_sarif_error(message, BAD_INPUT), lambda: build_junit_error(message, command)
                    )
                )
            raise

    def _refuse_others(self) -> None:
        """Raise if a file to replace is not one of an earlier run: it may be the vectors or the texts."""
        if self.sarif is not None and self.junit is not None and self.sarif.resolve() == self.junit.resolve():
            raise InputError(f"{self.sarif} is named with --sarif and --junit; name two files")
        for path, option, written in ((self.sarif, "--sarif", _is_our_sarif), (self.junit, "--junit", _is_our_junit)):
            if path is not None and path.exists() and not path.is_dir() and not _is_earlier(path, written):
                raise InputError(f"{path} exists, and {option} did not write it; name another file, or remove it")

    def _build(self, sarif: Callable[[], str], junit: Callable[[], str]) -> dict[Path, bytes]:
        from vestige.files import writable_folder

        return {
            writable_folder(path.parent) / path.name: render().encode("utf-8", "backslashreplace")
            for path, render in ((self.sarif, sarif), (self.junit, junit))
            if path is not None
        }


def _is_earlier(path: Path, written: Callable[[bytes], bool]) -> bool:
    """Whether a file is empty, or one that Vestige wrote, and not another program of the same pipeline."""
    return path.is_file() and (path.stat().st_size == 0 or written(read_file(path)))


def _is_our_sarif(content: bytes) -> bool:
    try:
        return [run["tool"]["driver"]["name"] for run in json.loads(content)["runs"]] == ["Vestige"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _is_our_junit(content: bytes) -> bool:
    return re.match(rb'\s*(<\?xml[^>]*\?>)?\s*<testsuites [^>]*\bname="vestige"', content) is not None
