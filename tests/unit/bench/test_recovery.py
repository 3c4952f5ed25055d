"""Targets that are searched for in parts come together in order, and those of another run are refused."""

import numpy as np
import pytest
from bench import recovery
from bench.recovery import Attacked

from tests.conftest import WordSum
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.case.case import Auxiliary


@pytest.fixture
def attacked(toy_pairs, tmp_path, monkeypatch):
    monkeypatch.setattr(recovery, "CACHE", tmp_path)
    monkeypatch.setattr(recovery, "load_encoder", lambda *_, **__: WordSum())
    vectors, texts = toy_pairs
    rows = list(range(20))
    pairs = Auxiliary(vectors[20:220], texts[20:220], [str(row) for row in range(20, 220)], "toys", 0)
    return Attacked("toys", vectors[:20], texts[:20], [str(row) for row in rows], pairs)


def run(attacked, monkeypatch, *options):
    monkeypatch.setattr("sys.argv", ["bench", "recovery_search", *options])
    return list(recovery.search(attacked, GuidedInverter(queries=20)))


def test_parts_give_the_scores_of_one_run(attacked, monkeypatch):
    whole = run(attacked, monkeypatch)
    for part in (1, 2):
        assert len(run(attacked, monkeypatch, "--part", f"{part}/2")) == 1
    joined = run(attacked, monkeypatch, "--join", "2")
    assert joined[1:] == whole[2:]
    assert any("control" in line for line in joined)


def test_parts_of_other_targets_are_refused(attacked, monkeypatch):
    run(attacked, monkeypatch)
    other = attacked.take(np.arange(20)[::-1].tolist())
    with pytest.raises(SystemExit, match="are of other targets; run the parts again"):
        run(other, monkeypatch, "--join", "1")


def test_what_is_kept_has_the_trail_of_each_target(attacked, monkeypatch):
    run(attacked, monkeypatch)
    kept = recovery._join_parts(attacked, "toys-from-toys-20", 1)
    attack = GuidedInverter(queries=20).fit(attacked.pairs.vectors, attacked.pairs.texts, encoder=WordSum())
    assert kept.trails == attack.infer(attacked.vectors).trails


def test_texts_to_develop_on_lose_their_documents(attacked):
    pairs = attacked.pairs
    pairs.documents[:] = [str(row // 4) for row in range(len(pairs.documents))]
    held = recovery.hold_out(attacked, 10)
    assert len(held.texts) == 10
    assert set(held.texts) <= set(pairs.texts)
    assert not set(held.texts) & set(held.pairs.texts)
    assert not set(held.documents) & set(held.pairs.documents)
    assert len(held.pairs.texts) == len(pairs.texts) - 4 * len(set(held.documents))
