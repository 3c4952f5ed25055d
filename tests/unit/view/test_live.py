"""The live model: fitted in the background, continued after a kill, and refused where texts would leave the machine."""

import shutil

import pytest

from tests.sample_view import DEFENSE, SMALL, QuickWordSum, fitted_model, labelled_corpus, list_typed, toy_model
from vestige.attacks.attributes.inference import AttributeInference
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.attacks.keywords.inference import KeywordInference
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.types import silent
from vestige.view.live import LiveModel, _parse_candidate
from vestige.view.live_source import LiveSource


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


NOISE = "gaussian:40"
"""Noise that the queries of each step draw anew, so that the next step depends on how many there were."""

FITS = (MultiSetInverter, KeywordInference, AttributeInference, GuidedInverter)


def collect_answers(model, text):
    """What every attack infers, without a defense and behind noise; each model encodes the text for the first time."""
    answers = []
    for defense in ("", NOISE):
        attacker = model.find_attacker(defense)
        vector = model.encode(text, attacker)
        found = attacker.attack(text, vector)
        answers += [found.chips, found.keywords, found.labels, found.names, next(attacker.follow(vector)).text]
    return answers


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The cache of a model that was fitted behind noise, a text, and what was inferred from it."""
    folder = tmp_path_factory.mktemp("kept")
    model = fitted_model(folder, NOISE)
    text = list_typed(model)
    return folder, text, collect_answers(model, text)


def count_fits(monkeypatch):
    """The names of the attacks that are fitted from here on."""
    counted = []
    for kind in FITS:

        def fit(self, *given, _fit=kind.fit, _name=kind.__name__, **named):
            counted.append(_name)
            return _fit(self, *given, **named)

        monkeypatch.setattr(kind, "fit", fit)
    return counted


def test_the_next_start_fits_nothing_and_answers_the_same(kept, monkeypatch):
    folder, text, answers = kept
    counted = count_fits(monkeypatch)
    again = fitted_model(folder, NOISE)
    assert again.find_error(NOISE) == ""
    assert counted == []
    assert collect_answers(again, text) == answers


def test_other_settings_are_fitted_anew_and_masking_is_none(kept, tmp_path, monkeypatch):
    folder = tmp_path / "kept"
    shutil.copytree(kept[0], folder)
    counted = count_fits(monkeypatch)
    fitted_model(folder, show_text=True)
    assert counted == []
    fitted_model(folder, vocabulary_size=100)
    assert "MultiSetInverter" in counted


@pytest.mark.parametrize(("died", "before"), [(1, 0), (2, 1), (4, 3), (5, 4), (6, 5), (8, 7)])
def test_a_server_that_dies_during_a_fit_loses_no_other(kept, tmp_path, monkeypatch, died, before):
    """The n-th fit of an attack ends the process, with or without a defense; all before it are kept."""
    _, text, answers = kept
    with monkeypatch.context() as patched:
        counted = count_fits(patched)
        for kind in FITS:

            def fit(self, *given, _fit=kind.fit, **named):
                found = _fit(self, *given, **named)
                if len(counted) == died:
                    raise SystemExit
                return found

            patched.setattr(kind, "fit", fit)
        with pytest.raises(SystemExit):
            run_steps(toy_model(tmp_path), NOISE)
        assert len(counted) == died
    continued = count_fits(monkeypatch)
    model = fitted_model(tmp_path, NOISE)
    assert model.find_error(NOISE) == ""
    assert len(continued) == 2 * len(FITS) - before
    assert collect_answers(model, text) == answers


def run_steps(model, defense):
    """All steps in this thread, where the end of the process can be seen."""
    model.worker.add = lambda *jobs: model.worker.jobs.extend(jobs)
    model.start()
    model.select(defense)
    for job in model.worker.jobs:
        job.work(silent)


def test_a_damaged_fit_is_made_again_with_the_same_answers(kept, tmp_path, monkeypatch):
    folder = tmp_path / "kept"
    shutil.copytree(kept[0], folder)
    for path in (folder / "fits").glob("*.safetensors"):
        path.write_bytes(path.read_bytes()[:-4])
    counted = count_fits(monkeypatch)
    model = fitted_model(folder, NOISE)
    assert len(counted) == 2 * len(FITS)
    assert collect_answers(model, kept[1]) == kept[2]


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


def test_a_late_failure_is_that_of_its_own_attacker(model, monkeypatch):
    """Behind a defense, only a failure without which it has no words counts."""
    monkeypatch.setattr(model.worker.list_jobs("")[-1], "error", "no sentences")
    assert model.find_error("") == "no sentences"
    assert model.find_error(DEFENSE) == ""
    assert model.find_error("pca:3") == "no sentences"


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
