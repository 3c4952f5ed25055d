"""Anyone's defense, judged by its output, as `defend` judges ours."""

from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import WordSum
from tests.unit.defend.test_run import labelled
from tests.unit.probes.cases import case_of
from vestige.case.settings import Settings
from vestige.defend.fitting import DefenseFitter
from vestige.defend.judge import _choose_label, _name, _write_headline, judge
from vestige.defend.judge_record import ProbeEffect
from vestige.defend.redacted import redact_case
from vestige.defend.run import defend
from vestige.defend.thief import is_thief
from vestige.defenses.catalogue import make_defense
from vestige.errors import InputError
from vestige.text.redaction import parse_redactor
from vestige.types import Score

SETTINGS = Settings(targets=100, pairs=400, keywords=("balox", "cofex"), probes=("words", "keywords"))
WORDS = Settings(targets=100, pairs=400, probes=("words",))
SPECS = ("rotation", "pca:8", "rounding:3")
RANDOM = ("gaussian:20", "asymmetric:8")


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
        listed = ",".join((*SPECS, *RANDOM))
        chosen = defend(raw, texts=labelled(), defenses=listed, limits=(), settings=SETTINGS, halving=False)
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
    without_thief = tuple(each for each in found.privacy if not is_thief(each.probe))
    assert len(without_thief) == 2
    assert without_thief == expected.privacy
    assert found.utility == expected.utility
    assert (found.obscure, found.pairs, found.targets) == (expected.obscure, expected.pairs, expected.targets)


@pytest.mark.parametrize("spec", RANDOM)
def test_of_noise_judge_and_defend_agree_if_each_row_has_the_same_noise(spec, raw, swept):
    """The noise of a row depends on its place in the table, and `defend` has targets before pairs."""
    defense, expected = swept[1][spec], swept[0][spec]
    case = case_of(labelled(), SETTINGS, vectors=raw)
    rows = np.concatenate([case.targets, case.auxiliary["same-domain"].vectors])
    place = {row.tobytes(): place for place, row in enumerate(rows)}
    assert len(place) == len(raw)
    order = np.array([place[row.tobytes()] for row in raw])
    queries = defense.transform_queries(raw)
    given = {"texts": labelled(), "queries": queries, "defenses": None, "settings": SETTINGS}
    same = judge(raw, defense.transform(rows)[order], **given).trial
    assert tuple(each for each in same.privacy if not is_thief(each.probe)) == expected.privacy
    assert same.utility == expected.utility
    other = judge(raw, defense.transform(raw), **given).trial
    assert other.privacy != same.privacy, "another draw of the noise"
    for name, score in expected.scores.items():
        assert other.scores[name].low <= score.high, name
        assert score.low <= other.scores[name].high, name


def test_of_redaction_judge_and_defend_agree_but_for_the_encoder_that_may_be_queried(raw):
    spec, texts = "redact:keywords,mode=mask", labelled()
    redactor = parse_redactor(spec, SETTINGS.keywords)
    protected = WordSum().encode(redactor.redact_texts(texts.texts))
    swept = redact_case(case_of(texts, SETTINGS, WordSum(), raw), redactor)
    assert np.array_equal(swept.transform(raw), protected), "both attack the same vectors"
    settings = replace(SETTINGS, probes=("words", "keywords"))
    given = {"texts": texts, "settings": settings}
    expected = defend(raw, encoder=WordSum(), defenses=spec, limits=(), halving=False, **given).result[spec]
    found = judge(raw, protected, defenses=None, **given).trial
    assert found.utility == expected.utility
    assert found.leakage["words"].value == pytest.approx(expected.leakage["words"].value, abs=0.02)
    assert found.queries < expected.queries, "nobody can query a black box"


def test_a_defense_that_fools_only_naive_attackers_is_obscurity(judged):
    result = judged("rotation")
    assert result.label == "obscurity"
    assert result["words"].effect == "obscurity"
    assert result.headline.startswith("Obscurity: it stops only an attacker who does not know it (words")


def test_the_number_of_pairs_is_part_of_a_judgement(judged):
    pairs = judged("rotation").trial.pairs
    assert 0 < pairs <= SETTINGS.pairs
    assert (
        f"The adaptive attacker had {pairs} pairs; whoever has more may recover more." in judged("rotation").sentences
    )


def test_what_changes_nothing_has_no_effect(judged):
    assert judged("rounding:3").label == "no effect"
    assert judged("rounding:3").beaten_by in ((), ("none",))


def test_noise_that_hides_everything_is_effective_and_has_a_place_among_ours(raw):
    noisy = make_defense("gaussian:20").fit(raw, rng=np.random.default_rng(0))
    rows, queries = noisy.transform(raw), noisy.transform_queries(raw)
    both = judge(raw, rows, texts=labelled(), defenses="rotation", settings=WORDS)
    one_sided = judge(raw, rows, texts=labelled(), queries=queries, defenses=None, settings=WORDS)
    assert both["words"].effect == "hidden"
    assert both["words"].left < 0.1
    assert both.label == "effective"
    assert both["words"].adaptive.high < both["words"].raw.low
    assert both["words-thief"].adaptive.high < both["words-thief"].raw.low
    assert both.beaten_by == ()
    assert "On the frontier" in both.sentences[-1]
    assert [trial.defense for trial in both.sweep] == ["none", "rotation", "judged"]
    assert one_sided.trial.scores["recall@10"].value > both.trial.scores["recall@10"].value, "queries have no noise"
    assert one_sided.trial.privacy == both.trial.privacy


def test_a_thief_without_pairs_undoes_what_hides_nothing(judged):
    thief = judged("rounding:3")["words-thief"]
    assert thief.raw.low > 0.1
    assert thief.adaptive.low > 0.1
    assert thief.naive.low > 0.1, "what hides nothing needs no alignment"


def test_a_scheme_that_compares_by_products_is_searched_so(raw):
    """Rows of other lengths, queries scaled the other way round: products stay, cosines do not."""
    lengths = np.linspace(0.1, 3, raw.shape[1], dtype=np.float32)
    given = {"texts": labelled(), "queries": raw / lengths, "defenses": None, "settings": WORDS}
    by_cosine, by_product = (judge(raw, raw * lengths, metric=metric, **given) for metric in ("cosine", "dot"))
    assert by_product.trial.scores["recall@10"].value > by_cosine.trial.scores["recall@10"].value
    assert by_product.metric == "dot"
    with pytest.raises(InputError, match="'metric'"):
        judge(raw, raw, texts=labelled(), metric="cos", settings=WORDS)


def test_without_limits_no_status_speaks_of_them(judged):
    assert [trial.status for trial in judged("rotation").sweep] == ["reference", "tried"]


@pytest.mark.slow
def test_all_probes_that_can_run_judge_by_default(raw):
    settings = Settings(targets=100, pairs=400, keywords=("balox",))
    result = judge(raw, raw[:, ::-1], texts=labelled(), defenses=None, settings=settings)
    probes = {each.probe for each in result.effects}
    assert {"words", "keywords", "attributes:side", "words-thief", "attributes-thief:side"} <= probes
    assert any(line.startswith("sentences: ") for line in result.sweep.not_asked)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"protected": lambda raw: raw[1:]}, "RAW has 300 rows but PROTECTED has 299"),
        ({"queries": lambda raw: raw[:, 1:]}, "PROTECTED has 64 columns but the protected queries have 63"),
        ({"texts": lambda _raw: None}, "the texts behind the vectors are needed; give them with --texts"),
        ({"defenses": lambda _raw: "roundin"}, "did you mean 'rounding'"),
    ],
)
def test_tables_that_do_not_match_are_refused(change, message, raw):
    given = {"protected": raw, "texts": labelled(), "defenses": None, "settings": SETTINGS}
    given |= {name: make(raw) for name, make in change.items()}
    with pytest.raises(InputError, match=message):
        judge(raw, given.pop("protected"), **given)


def test_noise_that_leaves_much_is_partial(raw):
    noisy = make_defense("gaussian:1000").fit(raw, rng=np.random.default_rng(0))
    result = judge(raw, noisy.transform(raw), texts=labelled(), defenses=None, settings=WORDS)
    assert result["words"].effect in ("hidden", "reduced")
    assert result["words"].left > 0.1
    assert result.label == "partial"
    assert "But it leaves up to words 0." in result.headline


def effect(probe, kind, left=0.01):
    raw, after = Score(0.5, 0.4, 0.6, 100, 0.0), Score(left, left, left, 100, 0.0)
    return ProbeEffect(probe, kind, raw, after, None)


@pytest.mark.parametrize(
    ("effects", "label"),
    [
        ([effect("words", "not hidden"), effect("words-thief", "hidden")], "delay"),
        ([effect("words", "obscurity"), effect("words-thief", "hidden")], "obscurity"),
        ([effect("words", "obscurity"), effect("names", "hidden")], "partial"),
        ([effect("words", "not hidden"), effect("names", "hidden")], "partial"),
        ([effect("words", "reduced", 0.3)], "partial"),
        ([effect("words", "hidden", 0.11)], "partial"),
        ([effect("words", "hidden", 0.09)], "effective"),
        ([effect("words", "hidden"), effect("names", "nothing to hide", 0.2)], "effective"),
        ([effect("words", "hidden"), effect("words-thief", "not hidden", 0.2)], "effective"),
        ([effect("words", "not hidden"), effect("words-thief", "not hidden")], "no effect"),
    ],
)
def test_what_attackers_with_pairs_achieve_decides(effects, label):
    assert _choose_label(effects) == label


def test_rows_in_another_order_are_doubted_in_the_headline(raw, judged):
    mixed = raw[np.random.default_rng(0).permutation(len(raw))]
    result = judge(raw, mixed, texts=labelled(), defenses=None, settings=WORDS)
    assert "the tables differ in their order of rows" in result.headline
    assert "order of rows" not in judged("rotation").headline


def test_a_headline_names_what_is_not_hidden():
    effects = [effect("words", "obscurity"), effect("names", "hidden")]
    assert _write_headline("partial", effects).startswith("Partial: it hides more than half of names")
    assert _write_headline("partial", effects).endswith("It does not hide words.")
    left = _write_headline("partial", [effect("words", "reduced", 0.3)])
    assert left.endswith("But it leaves up to words 0.30.")


def test_a_password_is_not_part_of_the_name():
    assert "secret" not in _name("pgvector:postgresql://user:secret@host/db#t")
