"""Reading the file of an audit; `tests/unit/report/test_read.py` covers what is refused."""

import pytest

from tests.sample_comparison import compared
from tests.sample_result import typical
from vestige.audit.saved import read_audit
from vestige.errors import InputError
from vestige.report.write import write_comparison, write_report


def test_a_folder_stands_for_the_report_in_it(tmp_path):
    write_report(typical(), tmp_path)
    assert read_audit(tmp_path) == read_audit(str(tmp_path / "report.json")) == typical()


def test_a_folder_without_a_report_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"report.json cannot be read .*name the report.json of an audit"):
        read_audit(tmp_path)


def test_a_file_of_another_kind_is_named(tmp_path):
    with pytest.raises(InputError, match=r"is the result of a comparison.*vestige.read_comparison reads it"):
        read_audit(write_comparison(compared(), tmp_path).json)


def test_a_file_that_would_fill_the_memory_is_refused_before_it_is_read(tmp_path):
    with (tmp_path / "report.json").open("wb") as file:
        file.truncate(2**42)
    with pytest.raises(InputError, match=r"report\.json needs 263,882\.8 GB of memory"):
        read_audit(tmp_path)
