"""A sweep of defenses from start to end, on a toy encoder that leaks by construction."""

from dataclasses import replace
from zlib import crc32

import numpy as np
import pytest

from tests.conftest import SYLLABLES, WordSum, toy_corpus
from tests.unit.probes.cases import case_of
from vestige.attacks.keywords.examples import EACH
from vestige.case.codec import dumps
from vestige.case.settings import Settings
from vestige.defend import stages
from vestige.defend.fitting import DefenseFitter
from vestige.defend.run import defend
from vestige.defenses.catalogue import make_defense
from vestige.engine.local_engine import LOCAL
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.words import content_words, words

SETTINGS = Settings(targets=100, pairs=400, shortest=4, keywords=("balox", "cofex", "dubax"))
DEFENSES = "rotation,rounding:2,gaussian:20,projection:4,leace"


def labelled() -> Corpus:
    """Toy texts whose label is whether they contain a frequent word."""
    corpus = toy_corpus()
    sides = ["with" if "balox" in text.lower() else "without" for text in corpus.texts]
    assert 0.2 < sides.count("with") / len(sides) < 0.8
    return replace(corpus, attributes={"side": sides})


def count_queries() -> int:
    """The pairs, every word of them by itself, and texts with the keywords put in."""
    texts = case_of(labelled(), SETTINGS, WordSum()).auxiliary["same-domain"].texts
    words = {word for text in texts for word in content_words(text)}
    return len(texts) + len(words) + EACH


@pytest.fixture(autouse=True, scope="module")
def no_library():
    """The preflight compares with no installed encoder: loading them all takes a minute."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vestige.preflight.run.list_public_encoders", tuple)
        yield


@pytest.fixture(scope="module")
def chosen():
    limits = ("words<0.15", "recall@10>0.05")
    return defend(texts=labelled(), encoder=WordSum(), limits=limits, defenses=DEFENSES, settings=SETTINGS)


@pytest.fixture(scope="module")
def trials(chosen):
    return {trial.defense: trial for trial in chosen.result.trials}


def test_the_attack_recovers_less_from_defended_vectors(trials):
    before = trials["none"].leakage["words"]
    assert before.low > 0.3
    assert trials["none"].scores["recall@10"].value == trials["none"].scores["correlation"].value == 1.0
    for strong in ("gaussian:20", "projection:4"):
        assert trials[strong].leakage["words"].high < before.low
    assert trials["none"].privacy[0].control.high < 0.05


def test_mild_defenses_do_not_stop_the_adaptive_adversary(trials):
    before = trials["none"].leakage["words"].value
    for mild in ("rotation", "rounding:2"):
        assert trials[mild].leakage["words"].value > 0.9 * before
        assert trials[mild].scores["recall@10"].value > 0.9


def test_a_rotation_is_only_obscurity(trials, chosen):
    rotation = trials["rotation"]
    assert rotation.privacy[0].naive.high < 0.5 * rotation.privacy[0].adaptive.low
    assert rotation.obscure
    assert not trials["rounding:2"].obscure
    assert any(line.startswith("Only obscurity: rotation") for line in chosen.result.sentences)


def test_the_naive_attack_cannot_run_if_the_columns_differ(trials):
    assert trials["projection:4"].dimension == 4
    assert {leakage.naive for leakage in trials["projection:4"].privacy} == {None}
    assert "64 columns" in trials["projection:4"].not_naive
    assert trials["rotation"].not_naive is None


def test_noise_is_drawn_more_than_once_and_every_query_is_counted(trials):
    assert trials["gaussian:20"].draws == 2
    assert trials["rotation"].draws == 1
    assert count_queries() > 400
    assert trials["none"].queries == trials["rotation"].queries == count_queries()
    assert trials["gaussian:20"].queries == 2 * count_queries()


def test_what_leace_hides_is_hidden_and_the_rest_is_not(trials):
    assert trials["leace"].hides == "keywords"
    assert trials["none"].leakage["keywords"].low > 0.2
    assert trials["leace"].leakage["keywords"].value < 0.7 * trials["none"].leakage["keywords"].value


def test_the_chosen_defense_is_fitted_for_use_with_randomness_of_its_own(chosen, trials):
    result = chosen.result
    assert result.chosen in ("gaussian:20", "projection:4")
    assert trials[result.chosen].status == "chosen"
    assert result.headline.startswith("The cheapest defense with words under 0.15 and recall@10 over 0.05 is ")
    assert chosen.defense.columns_ == 64
    assert type(chosen.defense) is type(make_defense(result.chosen))


def test_the_same_seed_gives_the_same_record_and_another_secret():
    one, other = (
        defend(texts=labelled(), encoder=WordSum(), limits=("words<0.2",), defenses="gaussian:20", settings=SETTINGS)
        for _ in range(2)
    )
    assert dumps(other.result) == dumps(one.result)
    table = np.eye(64, dtype=np.float32)
    assert not np.array_equal(other.defense.transform(table), one.defense.transform(table))


def test_no_text_of_the_owner_is_in_the_record(chosen):
    written = dumps(replace(chosen.result, settings=replace(SETTINGS, keywords=())))
    assert not {word for text in toy_corpus().texts for word in text.lower().strip(".").split()} & set(
        written.lower().replace('"', " ").replace(".", " ").split()
    )


def test_small_sizes_come_first_and_dropped_trials_have_a_reason(monkeypatch):
    monkeypatch.setattr(stages, "SMALL_PAIRS", 250)
    monkeypatch.setattr(stages, "SMALL_TARGETS", 50)
    monkeypatch.setattr("vestige.defend.sweep.find_dropped", lambda *_: {"rotation": "words are recovered"})
    result = defend(
        texts=labelled(), encoder=WordSum(), limits=("words<0.15",), defenses="rotation,gaussian:20", settings=SETTINGS
    ).result
    assert [(each.judged, each.dropped) for each in result.rounds] == [(2, 1), (1, 0)]
    found = {trial.defense: trial for trial in result.trials}
    assert found["rotation"].status == "dropped"
    assert found["rotation"].reason == "in round 1: words are recovered"
    assert (found["rotation"].pairs, found["gaussian:20"].pairs) == (250, 400)
    assert found["rotation"].queries == 250
    assert result.chosen == "gaussian:20"


def test_a_task_is_preserved_and_not_attacked():
    result = defend(
        texts=labelled(),
        encoder=WordSum(),
        limits=("words<0.15", "task>0.1"),
        defenses="rotation,gaussian:1",
        task="side",
        settings=replace(SETTINGS, unit="text", keywords=("balox",)),
    ).result
    assert result.cost == "task"
    found = {trial.defense: trial for trial in result.trials}
    assert "attributes:side" not in found["none"].leakage
    assert found["none"].scores["task"].low > 0.45
    assert found["gaussian:1"].scores["task"].value < found["none"].scores["task"].low


def test_without_an_encoder_defenses_that_require_one_are_not_tried():
    corpus = labelled()
    vectors = WordSum().encode(corpus.texts)
    settings = replace(SETTINGS, keywords=("balox",))
    result = defend(
        vectors, texts=corpus, limits=("words<0.2",), defenses="laplace:10,gaussian:20", settings=settings
    ).result
    assert [each.defense for each in result.not_tried] == ["laplace:10"]
    assert "--encoder" in result.not_tried[0].remedy
    assert {trial.draws for trial in result.trials} == {1}
    assert "attributes:side" in result.trials[0].leakage


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"limits": ("task>0.5",)}, r"'task>0.5' cannot be checked: no task was named; name one with --task"),
        ({"defenses": "pca:9999"}, r"none of the defenses can be tried \(pca:9999: The 'dimension' parameter"),
        ({"defenses": "leace@author"}, "there is no column 'author' to hide"),
        ({"defenses": "rounding:1@side"}, "rounding:1 hides none"),
        ({"limits": ("words>0.5",)}, "did you mean 'words<0.5'"),
        ({"defenses": "rounded:2"}, "did you mean 'rounding'"),
        ({"task": "author"}, r"no column 'author' \(--task\)"),
    ],
)
def test_a_bad_request_is_refused(more, message):
    with pytest.raises(InputError, match=message):
        defend(texts=labelled(), encoder=WordSum(), settings=SETTINGS, **more)


def test_noise_for_use_is_as_long_as_the_noise_that_was_judged(monkeypatch):
    """The sensitivity is estimated once; for use the vectors are more, and a maximum over more would be larger."""
    fitted = DefenseFitter.fit
    scales = []

    def watched(self, candidate, rng):
        scales.append(fitted(self, candidate, rng).scale_)
        return fitted(self, candidate, rng)

    monkeypatch.setattr(DefenseFitter, "fit", watched)
    found = defend(
        texts=labelled(),
        encoder=WordSum(),
        limits=("words<0.9",),
        defenses="laplace:1000",
        settings=replace(SETTINGS, probes=("words",)),
    )
    assert found.result.chosen == "none"
    limits = ("words<0.3",)
    found = defend(
        texts=labelled(),
        encoder=WordSum(),
        limits=limits,
        defenses="laplace:1",
        settings=replace(SETTINGS, probes=("words",)),
    )
    assert found.result.chosen == "laplace:1"
    assert scales[-1] == scales[-2] == found.defense.scale_


def test_a_sweep_that_was_stopped_is_resumed(tmp_path, monkeypatch):
    def swept():
        return defend(
            texts=labelled(),
            encoder=WordSum(),
            limits=("words<0.2",),
            defenses="gaussian:20",
            settings=SETTINGS,
            cache=tmp_path,
        ).result

    def judged_again(*_):
        raise AssertionError("judged again")

    first = swept()
    monkeypatch.setattr("vestige.defend.stages.Stage.judge", judged_again)
    assert dumps(swept()) == dumps(first)


def test_only_the_chosen_probes_judge():
    settings = replace(SETTINGS, probes=("attributes",), attributes=("side",), unit="text")
    limits = ("attributes<0.30", "recall@10>0.05")
    found = defend(texts=labelled(), encoder=WordSum(), limits=limits, defenses="leace@side", settings=settings).result
    assert [leakage.probe for trial in found.trials for leakage in trial.privacy] == 2 * ["attributes:side"]
    before, after = (trial.leakage["attributes:side"] for trial in found.trials)
    assert before.low > 0.1 > after.value
    assert found.probe == "attributes:side"
    assert found.not_asked == ("words: it was not chosen", "keywords: it was not chosen")


@pytest.mark.parametrize(
    ("probes", "limits", "message"),
    [
        (("word",), (), "unknown probe 'word'; did you mean 'words'"),
        (("keywords",), ("words<0.1",), "limit 'words<0.1' cannot be checked: it was not chosen"),
        (("attributes",), (), r"no probe can judge the defenses \(words: it was not chosen"),
    ],
)
def test_a_choice_without_any_usable_probe_is_refused(probes, limits, message):
    with pytest.raises(InputError, match=message):
        defend(texts=toy_corpus(), encoder=WordSum(), limits=limits, settings=replace(SETTINGS, probes=probes))


def test_a_probe_without_a_limit_gets_the_default_one():
    settings = replace(SETTINGS, probes=("attributes",), attributes=("side",), unit="text")
    result = defend(texts=labelled(), encoder=WordSum(), defenses="rotation", settings=settings).result
    assert result.limits == ("attributes<0.10", "recall@10>0.90")


def test_a_limit_on_what_does_not_judge_is_refused_before_anything_is_encoded():
    encoder = WordSum()
    settings = replace(SETTINGS, probes=("keywords",))
    with pytest.raises(InputError, match=r"'words<0\.1' cannot be checked: it was not chosen"):
        defend(texts=labelled(), encoder=encoder, limits=("words<0.1",), settings=settings)
    assert encoder.calls == []


class Shipping:
    """The engine `local`, except that the work and its items go through the pickle of a cluster."""

    is_cluster = True

    def run(self, job, items, total, advance):
        cloudpickle = pytest.importorskip("ray.cloudpickle")

        def ship(sent):
            return cloudpickle.loads(cloudpickle.dumps(sent))

        yield from LOCAL.run(replace(job, work=ship(job.work)), [ship(item) for item in items], total, advance)


def test_trials_that_are_sent_to_other_processes_give_the_same_result():
    request = {"limits": ("words<0.15",), "defenses": "rounding:2,gaussian:20", "settings": SETTINGS}
    results = [
        dumps(defend(texts=labelled(), encoder=WordSum(), engine=engine, **request).result)
        for engine in (LOCAL, Shipping())
    ]
    assert results[0] == results[1]


def write_themed(documents: int) -> Corpus:
    """Texts of twelve themes, some of them frequent, each with words of its own: a cloud of vectors with a shape."""
    rng = np.random.default_rng(0)
    lexicon = [first + second + "x" for first in SYLLABLES for second in SYLLABLES]
    themes = rng.dirichlet(np.full(len(lexicon), 0.1), 12)
    chosen = rng.choice(12, documents, p=np.arange(1, 13) / 78)
    return Corpus("themed", [" ".join(rng.choice(lexicon, 9, p=themes[theme])).capitalize() + "." for theme in chosen])


def encode_themed(corpus: Corpus) -> np.ndarray:
    """The sum of a fixed random vector per word, longer along some columns."""
    widths = np.random.default_rng(7).uniform(0.3, 1.5, 24)

    def draw(word: str) -> np.ndarray:
        return np.random.default_rng(crc32(word.encode())).standard_normal(24) * widths

    return np.array([sum(map(draw, words(text))) for text in corpus.texts], np.float32)


@pytest.mark.slow
def test_a_thief_undoes_a_rotation_of_enough_vectors_with_a_shape_and_defend_says_so():
    """Positive control from end to end: the attack of a naive thief recovers nothing of the same vectors."""
    corpus = write_themed(1500)
    settings = Settings(targets=200, pairs=1500, shortest=4, unit="text", probes=("words",))
    given = {"limits": (), "defenses": "rotation", "settings": settings, "halving": False, "thief": True}
    result = defend(encode_themed(corpus), texts=corpus, **given).result
    before, after = (result[name].privacy[-1] for name in ("none", "rotation"))
    assert before.probe == after.probe == "words-thief"
    assert after.adaptive.low > 0.5 * before.adaptive.value
    assert after.naive.high < 0 > after.control.high
    thief = next(each for each in result.recommendations if each.adversary == "a thief without pairs")
    assert thief.defense is None, "a key that the thief undoes is not recommended"


def test_a_thief_without_pairs_judges_if_asked():
    """A rotation of few vectors stops the thief; undefended vectors do not."""
    settings = replace(SETTINGS, probes=("words",))
    found = defend(texts=labelled(), encoder=WordSum(), limits=(), defenses="rotation", settings=settings, thief=True)
    before, after = (found.result[name].leakage["words-thief"] for name in ("none", "rotation"))
    assert before.low > 0.1 > after.value
    thief = next(each for each in found.result.recommendations if each.adversary == "a thief without pairs")
    assert thief.undefended == before


def test_the_attacker_with_few_queries_judges_too():
    """Settings of the probe `budget` reach it: its attacker has an encoder of its own, and 200 queries."""
    settings = replace(SETTINGS, keywords=(), probes=("budget",), surrogate="lsa:tfidf:32", budgets=(200,))
    found = defend(texts=labelled(), encoder=WordSum(), defenses="gaussian:2", settings=settings).result
    leakage = {trial.defense: trial.leakage["budget"] for trial in found.trials}
    assert leakage["none"].low > 0.1
    assert leakage["gaussian:2"].high < leakage["none"].low
