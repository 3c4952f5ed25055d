from collections import Counter

import pytest

from tests.conftest import WordSum
from tests.unit.encoders.endpoint.conftest import TEXTS
from vestige.encoders.endpoint.dispatch import split_batches
from vestige.encoders.unfinished import RefusedTexts
from vestige.errors import InputError


def test_batches_respect_both_limits():
    texts = ["a" * 400, "b" * 400, "c" * 8000, "d", "e", "f"]
    assert [len(batch) for batch in split_batches(texts, 2, most_tokens=250)] == [2, 1, 2, 1]


def test_a_refused_text_is_named_and_the_others_are_answered(make, server):
    server.refused = {TEXTS[3], TEXTS[41]}
    with pytest.raises(RefusedTexts) as caught:
        make(batch_size=50).encode(TEXTS)
    assert "row 3: " in str(caught.value)
    assert "400 ('$.input' is invalid: 1 of 1); row 41" in str(caught.value)
    assert "text number" not in str(caught.value)
    assert sorted(caught.value.answered) == [row for row in range(50) if row not in (3, 41)]
    assert max(Counter(server.answered).values()) == 1
    assert isinstance(caught.value, InputError)


def test_a_server_that_refuses_everything_gets_few_requests(make, server):
    server.refused = set(TEXTS)
    with pytest.raises(RefusedTexts, match="remove these texts"):
        make(in_flight=4).encode(TEXTS)
    assert len(server.asked) < 35


def test_the_batch_size_of_a_server_is_found_once(make, server):
    server.most_texts = 10
    encoder = make(batch_size=32, in_flight=1)
    assert (encoder.encode(TEXTS) == WordSum().encode(TEXTS)).all()
    assert encoder.batch_size == 8
    refused = [asked for asked in server.asked if asked.status == 413]
    assert len(refused) == 3
    assert Counter(server.answered) == Counter(TEXTS)
