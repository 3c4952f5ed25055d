"""A leaderboard of toy encoders, one of which leaks by construction and one of which cannot."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum, toy_corpus
from vestige.case.codec import dumps
from vestige.case.settings import Settings
from vestige.errors import InputError
from vestige.leaderboard.run import leaderboard
from vestige.types import silent

SETTINGS = Settings(targets=100, pairs=400, shortest=4, probes=("words", "attributes"))
NOTHING = "no-such-encoder"


class Lengths(WordSum):
    """An encoder that says how long a text is, and nothing else."""

    name = "lengths"
    identity = "lengths of texts in 64 dimensions"

    def encode(self, texts, *, progress=silent):  # noqa: ARG002
        noise = np.random.default_rng([len(text) for text in texts][:1] or 0).standard_normal((len(texts), 64))
        noise[:, 0] += [len(text) for text in texts]
        return noise.astype(np.float32)


@pytest.fixture(autouse=True, scope="module")
def no_library():
    """The preflight compares with no installed encoder: loading them all takes a minute."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vestige.preflight.run.list_public_encoders", tuple)
        yield


@pytest.fixture(scope="module")
def seen():
    return []


@pytest.fixture(scope="module")
def board(seen):
    encoders = [WordSum(), NOTHING, Lengths()]
    return leaderboard(encoders, texts=toy_corpus(), lengths=(18, 5000), settings=SETTINGS, update=seen.append)


def test_the_encoder_that_leaks_least_comes_first(board):
    assert [row.encoder for row in board] == ["lengths", "word-sum"]
    assert board["lengths"].leakage["words"].high < 0.1 < board["word-sum"].leakage["words"].low
    assert "lengths leaks least" in board.headline
    assert "word-sum most" in board.headline


def test_an_encoder_that_cannot_be_loaded_is_listed_with_the_reason(board):
    (missing,) = board.not_ranked
    assert missing.encoder == NOTHING
    assert "no-such-encoder" in missing.reason
    with pytest.raises(KeyError, match="was not ranked"):
        board[NOTHING]


def test_the_first_probe_ranks_and_one_that_cannot_run_says_why(board):
    assert board.probes == ("words", "attributes")
    assert {each.probe for each in board["word-sum"].not_run} == {"attributes"}


def test_words_are_recovered_from_sentences_and_from_longer_passages(board):
    row = board["word-sum"]
    lengths = {each.length: each.leakage for each in row.lengths}
    assert set(lengths) == {"8 to 16 words", "about 18 words"}
    assert lengths["about 18 words"].low > 0.1
    assert len(row.skipped) == 1
    assert row.skipped[0].startswith("about 5,000 words: ")


def test_every_stored_form_has_its_size_its_leakage_and_its_recall(board):
    forms = {each.form: each for each in board["word-sum"].forms}
    assert {name: form.bytes_per_vector for name, form in forms.items()} == {
        "float32": 256,
        "float16": 128,
        "int8": 64,
        "binary": 8,
        "truncation:32": 128,
    }
    assert forms["float32"].recall.value == 1
    assert forms["float16"].recall.value > forms["int8"].recall.value > forms["binary"].recall.value
    assert forms["float16"].leakage.value == pytest.approx(forms["float32"].leakage.value, abs=0.02)


def test_retrieval_finds_the_same_document_more_often_than_chance(board):
    score = board["word-sum"].retrieval
    assert score.baseline < 0.1
    assert score.n > 100


def test_the_leaderboard_is_reported_after_every_encoder(board, seen):
    assert [len(each.ranked) + len(each.not_ranked) for each in seen] == [1, 2, 3]
    assert seen[0].pending == (NOTHING, "lengths")
    assert seen[-1] == board
    assert board.pending == ()


def test_the_same_seed_gives_the_same_record_from_the_cache_too(tmp_path):
    settings = replace(SETTINGS, probes=("words",))
    first, second, third = (
        leaderboard([WordSum()], texts=toy_corpus(), lengths=(), settings=settings, cache=folder)
        for folder in (None, tmp_path, tmp_path)
    )
    assert dumps(first) == dumps(second) == dumps(third)


@pytest.mark.parametrize(
    ("encoders", "options", "message"),
    [
        ("minilm", {}, "must be a list of specs. Got 'minilm'"),
        ([], {}, "must be a list of specs"),
        (["minilm", "minilm"], {}, "named twice in minilm, minilm"),
        (["minilm"], {"lengths": (0,)}, "numbers of words, 1 or more. Got \\(0,\\)"),
        ([NOTHING], {"texts": "complaints"}, "no encoder could be audited; no-such-encoder: "),
    ],
)
def test_bad_input_is_refused(encoders, options, message):
    with pytest.raises(InputError, match=message):
        leaderboard(encoders, **options)
