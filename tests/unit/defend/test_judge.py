"""Anyone's defense, judged by its output, as `defend` judges ours."""

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.defend.test_run import labelled
from vestige.case.settings import Settings
from vestige.defend.fitting import DefenseFitter
from vestige.defend.judge import judge
from vestige.defend.run import defend
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError

SETTINGS = Settings(targets=100, pairs=400, keywords=("balox", "cofex"), probes=("words", "keywords", "attributes"))
SPECS = ("rotation", "pca:8", "rounding:1")


@pytest.fixture(scope="module", autouse=True)
def no_library():
    """The preflight compares with no installed encoder: loading them all takes a minute."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vestige.preflight.run.list_public_encoders", tuple)
        yield


@pytest.fixture(scope="module")
def raw():
    return WordSum().encode(labelled().texts)


@pytest.fixture(scope="module")
def swept(raw):
    """A sweep over some defenses, and these as they were fitted in it."""
    fitted, fit = {}, DefenseFitter.fit

    def keep(self, candidate, rng):
        return fitted.setdefault(candidate.name, fit(self, candidate, rng))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DefenseFitter, "fit", keep)
        chosen = defend(raw, texts=labelled(), defenses=",".join(SPECS), limits=(), settings=SETTINGS, halving=False)
    return chosen.result, fitted


@pytest.fixture(scope="module")
def judged(raw, swept):
    def judge_spec(spec, **more):
        protected = swept[1][spec].transform(raw)
        return judge(raw, protected, texts=labelled(), defenses=None, settings=SETTINGS, **more)

    results = {spec: judge_spec(spec) for spec in SPECS}
    return results.__getitem__


@pytest.mark.parametrize("spec", SPECS)
def test_judge_and_defend_agree_to_the_last_digit(spec, swept, judged):
    expected, found = swept[0][spec], judged(spec).trial
    without_thief = tuple(each for each in found.privacy if each.probe != "words-thief")
    assert len(without_thief) == 3
    assert without_thief == expected.privacy
    assert found.utility == expected.utility
    assert (found.obscure, found.pairs, found.targets) == (expected.obscure, expected.pairs, expected.targets)


def test_a_defense_that_fools_only_naive_attackers_is_obscurity(judged):
    result = judged("rotation")
    assert result.label == "obscurity"
    assert result["words"].effect == "obscurity"
    assert result.headline.startswith("Obscurity: it stops only an attacker who does not know it (words")


def test_what_changes_nothing_has_no_effect_and_what_hides_half_is_effective(judged, raw):
    assert judged("rounding:1").label == "no effect"
    noisy = make_defense("gaussian:20").fit(raw, rng=np.random.default_rng(0))
    result = judge(raw, noisy.transform(raw), texts=labelled(), defenses="rotation,gaussian:10", settings=SETTINGS)
    assert result.label == "effective"
    assert result["words"].effect == "hidden"
    assert result["words"].adaptive.high < result["words"].raw.low
    assert result.beaten_by == () or "gaussian:10" in result.beaten_by
    assert [trial.defense for trial in result.sweep if trial.defense not in ("none", "judged")]


def test_a_thief_without_pairs_reads_raw_vectors_and_needs_more_for_noise(judged, raw):
    assert judged("rounding:1")["words-thief"].raw.low > 0.2, "nothing to undo"
    assert judged("rounding:1")["words-thief"].adaptive.low > 0.2
    noisy = make_defense("gaussian:1").fit(raw, rng=np.random.default_rng(0))
    result = judge(raw, noisy.transform(raw), texts=labelled(), defenses=None, settings=SETTINGS)
    assert result["words-thief"].adaptive.high < 0.1


def test_a_defense_behind_the_frontier_names_what_beats_it(raw):
    """Noise in rows and queries, against the same noise in rows alone."""
    noisy = make_defense("gaussian:200").fit(raw, rng=np.random.default_rng(0))
    rows, queries = noisy.transform(raw), noisy.transform_queries(raw)
    settings = Settings(targets=100, pairs=400, probes=("words",))
    one_sided = judge(raw, rows, texts=labelled(), queries=queries, defenses=None, settings=settings)
    both = judge(raw, rows, texts=labelled(), defenses=None, settings=settings)
    assert one_sided.trial.scores["recall@10"].value > both.trial.scores["recall@10"].value + 0.02
    assert one_sided.trial.privacy == both.trial.privacy
    useless = np.random.default_rng(0).standard_normal(raw.shape) + raw / 10
    result = judge(raw, useless, texts=labelled(), defenses="gaussian:20", settings=settings)
    assert set(result.beaten_by) <= {"gaussian:20", "none"}


def test_all_probes_that_can_run_judge_by_default(raw):
    settings = Settings(targets=100, pairs=400, keywords=("balox", "cofex"))
    result = judge(raw, raw[:, ::-1], texts=labelled(), defenses=None, settings=settings)
    probes = {each.probe for each in result.effects}
    assert {"words", "keywords", "attributes:side", "words-thief"} <= probes
    assert any(line.startswith("sentences: ") for line in result.sweep.not_asked)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"protected": lambda raw: raw[1:]}, "RAW has 600 rows but PROTECTED has 599"),
        ({"queries": lambda raw: raw[:, 1:]}, "PROTECTED has 64 columns but the protected queries have 63"),
        ({"texts": lambda _raw: None}, "requires the texts"),
        ({"defenses": lambda _raw: "roundin"}, "did you mean 'rounding'"),
    ],
)
def test_tables_that_do_not_match_are_refused(change, message, raw):
    given = {"protected": raw, "texts": labelled(), "defenses": None, "settings": SETTINGS}
    given |= {name: make(raw) for name, make in change.items()}
    with pytest.raises(InputError, match=message):
        judge(raw, given.pop("protected"), **given)
