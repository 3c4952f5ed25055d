"""Values computed by hand."""

import subprocess
import sys
from math import exp

import pytest

from vestige.errors import InputError
from vestige.metrics.text_recovery import corpus_bleu, name_recovery, text_recovery

TRUTH = "The cat sat on the mat"


def one(guess, truth=TRUTH):
    scores = text_recovery([guess], [truth])
    return {name: float(getattr(scores, name)[0]) for name in ("bleu", "rouge_1", "rouge_l", "exact")}


def test_the_text_itself_scores_one_whatever_its_case_and_spaces():
    assert one("the cat  sat on\nthe MAT") == {"bleu": 1.0, "rouge_1": 1.0, "rouge_l": 1.0, "exact": 1.0}


@pytest.mark.parametrize("guess", ["", "  \n"])
def test_an_empty_guess_scores_zero(guess):
    assert set(one(guess).values()) == {0.0}


def test_a_guess_that_shares_no_word_scores_zero():
    assert set(one("zebras dream loudly tonight").values()) == {0.0}


def test_orders_without_a_match_are_smoothed_by_halves():
    # One of four words is right; of two, three, four in a row none: 1/2 of 3, 1/4 of 2, 1/8 of 1; brevity exp(1 - 6/4).
    expected = (1 / 4 * 1 / 6 * 1 / 8 * 1 / 8) ** 0.25 * exp(-0.5)
    assert one("zebras the loudly tonight")["bleu"] == pytest.approx(expected)


def test_a_beginning_pays_for_what_is_missing():
    # All of its one, two and three words in a row are right, of four in a row there are none; brevity exp(1 - 6/3).
    # Three of three words are right and three of six are found: F = 2 * 1 * 0.5 / 1.5.
    scores = one("the cat sat")
    assert scores["bleu"] == pytest.approx(exp(-1))
    assert scores["rouge_1"] == scores["rouge_l"] == pytest.approx(2 / 3)
    assert scores["exact"] == 0.0


def test_order_counts_for_rouge_l_alone():
    # Backwards, the longest common subsequence is "the ... the" about any one word: 3 of 6.
    scores = one("mat the on sat cat the")
    assert scores["rouge_1"] == 1.0
    assert scores["rouge_l"] == pytest.approx(0.5)


@pytest.mark.parametrize("text", ["кошка сидит на окне", "un été à Besançon", "η γάτα κάθεται"])
def test_letters_of_every_script_count(text):
    assert one(text, text)["rouge_l"] == one(text, text)["rouge_1"] == 1.0
    assert one(text.split()[0], text)["rouge_1"] == pytest.approx(2 / (1 + len(text.split())))


def test_rouge_is_that_of_the_library_for_english():
    from rouge_score.rouge_scorer import RougeScorer

    guess, truth = "It's 3.5 o'clock, the well-known cat said: no_way!", "At 3 o'clock the well known cat's away."
    theirs = RougeScorer(["rouge1", "rougeL"]).score(truth.replace("_", " "), guess.replace("_", " "))
    ours = one(guess, truth)
    assert ours["rouge_1"] == theirs["rouge1"].fmeasure
    assert ours["rouge_l"] == theirs["rougeL"].fmeasure


def test_words_are_not_stemmed():
    assert one("cats", "cat")["rouge_1"] == 0.0


@pytest.mark.parametrize(("first_text", "second_text"), [("the cat sat", TRUTH), ("a dog on the mat", TRUTH)])
def test_rouge_does_not_care_which_is_the_guess(first_text, second_text):
    first, second = one(first_text, second_text), one(second_text, first_text)
    assert first["rouge_1"] == pytest.approx(second["rouge_1"])
    assert first["rouge_l"] == pytest.approx(second["rouge_l"])


def test_corpus_bleu_pools_matches_and_is_no_mean():
    guessed, truth = ["the cat sat on the mat", "a dog"], [TRUTH, "the dog ran"]
    # One word: 7 of 8; two: 5 of 6; three: 4 of 4; four: 3 of 3; 8 words for 9.
    assert corpus_bleu(guessed, truth) == pytest.approx((7 / 8 * 5 / 6) ** 0.25 * exp(1 - 9 / 8))
    assert corpus_bleu(guessed, truth) != pytest.approx(text_recovery(guessed, truth).bleu.mean())


def test_nothing_to_score():
    assert text_recovery([], []).bleu.tolist() == []
    assert corpus_bleu([], []) == 0.0


@pytest.mark.parametrize("scored", [text_recovery, corpus_bleu])
def test_what_cannot_be_scored_is_refused(scored):
    with pytest.raises(InputError, match="1 guesses but 2 true texts"):
        scored(["a"], ["a", "b"])
    with pytest.raises(InputError, match="an empty text cannot be scored"):
        scored(["a"], [" "])


def test_the_libraries_leave_logging_as_it_was():
    script = (
        "import logging; from vestige.metrics.text_recovery import text_recovery; "
        "text_recovery(['a'], ['a']); print(logging.root.handlers)"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"[]\n"


def test_standard_error_stays_open_when_logging_is_configured_anew():
    """While standard error is another one, as in a test that captures it; pymilvus and uvicorn configure logging."""
    script = (
        "import io, logging.config, sys; usual = sys.stderr = io.StringIO(); "
        "from vestige.metrics.text_recovery import text_recovery; text_recovery(['a'], ['a']); "
        "sys.stderr = io.StringIO(); logging.config.dictConfig({'version': 1}); print(usual.closed)"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"False\n"


def test_names_and_numbers_are_counted_by_hand():
    """Anna, Paris and 1999 are wanted; "We" begins the text, "Then" a sentence, and "I" is no name."""
    truth = ["We met Anna in Paris. Then I left in 1999!", "nothing to see", "Yes, Rome"]
    shares = name_recovery(["anna left PARIS", "nothing", "rome"], truth)
    assert shares[0] == pytest.approx(2 / 3)
    assert str(shares[1]) == "nan"
    assert shares[2] == 1.0
