"""--quiet and --verbose."""

import logging

import pytest

from vestige.cli.verbosity import is_quiet, use_verbosity
from vestige.errors import InputError


def test_quiet_ends_with_the_command():
    with use_verbosity(quiet=True, verbose=False):
        assert is_quiet()
    assert not is_quiet()


def test_verbose_prints_the_log_of_vestige_while_the_command_runs(capsys):
    log = logging.getLogger("vestige.audit")
    with use_verbosity(quiet=False, verbose=True):
        log.info("resumed %s", "words")
        logging.getLogger("elsewhere").info("not ours")
    log.info("later")
    assert capsys.readouterr().err.endswith("vestige.audit: resumed words\n")


def test_without_it_nothing_is_logged(capsys):
    with use_verbosity(quiet=False, verbose=False):
        logging.getLogger("vestige.audit").info("resumed")
    assert capsys.readouterr().err == ""


def test_both_at_once_are_refused():
    with pytest.raises(InputError, match="contradict"), use_verbosity(quiet=True, verbose=True):
        pass


def test_what_libraries_load_is_not_shown(caplog):
    caplog.set_level(logging.INFO)
    with use_verbosity(quiet=False, verbose=False):
        logging.getLogger("sentence_transformers.SentenceTransformer").info("Load pretrained model")
        logging.getLogger("sentence_transformers").warning("no model")
    assert [record.message for record in caplog.records] == ["no model"]
