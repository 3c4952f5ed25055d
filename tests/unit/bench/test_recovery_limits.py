"""What limits the search, on a toy encoder that ignores the order of words."""

import re
from dataclasses import replace

from bench import recovery_limits
from bench.recovery import Attacked

from tests.conftest import WordSum
from vestige.case.case import Auxiliary


def test_words_that_no_pair_has_come_back_only_if_the_lexicon_has_them(toy_pairs, monkeypatch):
    _, texts = toy_pairs
    strange = [f"{text} unheard" for text in texts[:20]]
    vectors = WordSum().encode(texts[20:220])
    pairs = Auxiliary(vectors, texts[20:220], [str(row) for row in range(20, 220)], "toys", 0)
    attacked = Attacked("toys", WordSum().encode(strange), strange, [str(row) for row in range(20)], pairs)
    monkeypatch.setattr(recovery_limits, "build_attacked", lambda *_: replace(attacked, public_words=["other"]))
    monkeypatch.setattr(recovery_limits, "load_encoder", lambda *_, **__: WordSum())
    monkeypatch.setattr("sys.argv", ["bench", "recovery_limits", "--develop", "20", "--queries", "60"])
    head, *lines = recovery_limits.run()
    assert head == "toys, 60 queries, n 20"
    cosine = {line.partition(":")[0].strip(): float(re.search(r"cosine ([\d.]+)", line)[1]) for line in lines}
    assert cosine["with every word of the texts in the lexicon"] > cosine["as an adversary"] + 0.01
    assert cosine["from the true words in random order"] == 1
