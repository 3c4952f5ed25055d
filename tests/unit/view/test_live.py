"""The live model: fitted in the background, continued after a kill, and refused where texts would leave the machine."""

import pytest

from tests.sample_view import DEFENSE, SMALL, QuickWordSum, fitted_model, labelled_corpus, list_typed
from vestige.types import silent
from vestige.view.live import LiveModel, LiveSource, _parse_candidate


def test_all_steps_are_done_once(model):
    model.start()
    model.select(DEFENSE)
    jobs = model.worker.list_jobs("")
    assert [job.label for job in jobs][:2] == ["Encoding the texts", "Learning words"]
    assert {job.state for job in model.worker.jobs} == {"done"}
    assert len(model.worker.list_jobs(DEFENSE)) == 5


def test_the_same_vectors_and_seed_give_the_same_chips(model, tmp_path):
    again = fitted_model(tmp_path)
    text = list_typed(model)
    results = []
    for each in (model, again):
        attacker = each.find_attacker("")
        results.append(attacker.attack(text, each.encode(text, attacker)).chips)
    assert results[0] == results[1]


class Killed(QuickWordSum):
    """Dies after some texts, as a process that is killed."""

    def __init__(self, most):
        super().__init__()
        self.most = most

    def encode(self, texts, *, progress=silent):
        if sum(self.calls) + len(texts) > self.most:
            raise SystemExit
        return super().encode(texts, progress=progress)


def test_a_fit_that_was_killed_continues_where_it_stopped(tmp_path):
    def build(encoder):
        model = LiveModel(LiveSource(labelled_corpus(), encoder, SMALL, tmp_path))
        model.start()
        return model

    whole = QuickWordSum()
    once = LiveModel(LiveSource(labelled_corpus(), whole, SMALL, tmp_path / "once"))
    once.start()
    assert once.worker.wait(60)
    dying = Killed(300)
    with pytest.raises(SystemExit):
        build_and_raise(LiveModel(LiveSource(labelled_corpus(), dying, SMALL, tmp_path)))
    resumed = QuickWordSum()
    model = build(resumed)
    assert model.worker.wait(60)
    assert model.find_error("") == ""
    assert sum(dying.calls) > 0
    assert sum(resumed.calls) <= sum(whole.calls) - sum(dying.calls) + 8, "eight texts test that it repeats itself"
    third = QuickWordSum()
    assert build(third).worker.wait(60)
    assert sum(third.calls) <= 8
    text = list_typed(once)
    chips = []
    for each in (once, model):
        attacker = each.find_attacker("")
        chips.append(attacker.attack(text, each.encode(text, attacker)).chips)
    assert chips[0] == chips[1]


def build_and_raise(model):
    """Prepare in this thread, where the end of the process can be seen."""
    model._prepare(silent)


def test_a_remote_encoder_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("vestige.view.live.is_remote", lambda _encoder: True)
    model = LiveModel(LiveSource(labelled_corpus(), QuickWordSum(), SMALL, tmp_path))
    model.start()
    assert model.worker.wait(60)
    assert "is on another machine, and the live page would send it everything that is typed" in model.find_error("")
    assert model.find_attacker("") is None


def test_a_defense_that_cannot_be_fitted_says_why(model):
    model.select("pca:4000")
    assert model.worker.wait(60)
    assert model.find_error("pca:4000").startswith("pca:4000 cannot be fitted: ")
    assert model.find_error("") == ""


def test_defenses_are_those_of_a_sweep_for_this_dimension(model):
    assert {"rotation", "binary"} <= {spec.partition(":")[0] for spec in model.list_defenses()}
    assert LiveModel(model.source).list_defenses() == []


def test_the_library_of_encoders_is_compared(tmp_path):
    source = LiveSource(labelled_corpus(), "hashing:64", SMALL, tmp_path, library=("minilm-none",))
    assert (source.texts_name, source.encoder_name) == ("toy", "hashing:64")
    assert LiveSource(None, None, SMALL, tmp_path).texts_name == "complaints"
    assert LiveSource(None, None, SMALL, tmp_path).encoder_name == "minilm"


def test_only_the_latest_defenses_are_kept(tmp_path, monkeypatch):
    model = fitted_model(tmp_path)
    monkeypatch.setattr("vestige.view.live.MOST_DEFENSES", 2)
    specs = [f"rounding:{digits}" for digits in (1, 2, 3)]
    for spec in (*specs[:2], specs[0], specs[2]):
        model.select(spec)
        assert model.worker.wait(60)
    assert [model.find_attacker(spec) is not None for spec in specs] == [True, False, True]
    model.select(specs[1])
    assert model.worker.wait(60)
    assert model.find_attacker(specs[1]) is not None


def test_behind_a_redaction_the_vector_of_a_text_says_nothing_about_the_keyword(tmp_path):
    """The control is the attacker without a defense, whose vector of the text does."""
    spec = "redact:keywords,mode=mask"
    model = fitted_model(tmp_path, spec)
    assert model.find_error(spec) == ""
    text = list_typed(model, 5)
    plain, redacted = (
        [model.encode(each, model.find_attacker(defense)).tolist() for each in (f"bacox {text}", text)]
        for defense in ("", spec)
    )
    assert plain[0] != plain[1]
    assert redacted[0] == redacted[1] == plain[1]
    assert model.find_attacker(spec).attack(text, model.encode(text, model.find_attacker(spec))).recovered >= 4


def test_every_listed_defense_can_be_selected(model):
    for name in model.list_defenses():
        _parse_candidate(name).check()
