"""Figure 7 and Table IV, once, at a size for tests; and what they are made of, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.papers.conftest import PAN_SIZES
from tests.unit.papers.test_tables import reproduced
from vestige.papers.pan2020.behind import Owner
from vestige.papers.pan2020.ground import SYSTEM, System
from vestige.papers.pan2020.sensitivity import Changed, relative_moves
from vestige.papers.pan2020.strengths import keyword_sweeps, sweeps
from vestige.papers.record import OURS, PAPER, PRIOR
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus


@pytest.fixture(scope="module")
def kept(pan_run, nothing_else, tmp_path_factory):  # noqa: ARG001
    """The run, its finished rows kept for all tests."""
    return replace(pan_run, cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def figure7(kept):
    return reproduced("pan2020", "figure7", kept)


def rows_of(record, section):
    return {row.model: {line.by: line.scores for line in row.lines} for row in record.rows if row.section == section}


class Toy:
    """Two columns: how often a text has an a, and a b."""

    name, identity, dimension = "toy", "toy", 2

    def encode(self, texts, *, progress=None):  # noqa: ARG002
        return np.array([[text.count("a"), text.count("b")] for text in texts], np.float32)


def toy_victim():
    return Victim("Bert", Toy(), "toy")


def test_without_a_defense_it_makes_no_difference_who_knows_of_it(figure7):
    for section in ("Genome", "Medical"):
        lines = rows_of(figure7, section)["Bert"]
        assert lines[OURS][0] == lines[OURS][1]
    system = rows_of(figure7, "Medical")["Bert"][SYSTEM]
    assert system[2] == system[3]


def test_nine_decimals_hide_nothing(figure7):
    none = rows_of(figure7, "Medical")["Bert"]
    nine = rows_of(figure7, "Medical, rounding")["Bert, rounding:9"]
    assert none.keys() == nine.keys()
    for by, scores in none.items():
        for before, after in zip(scores, nine[by], strict=True):
            assert (before is None) == (after is None)
            if before is not None:
                assert after.value == pytest.approx(before.value, abs=0.02)


def test_noise_a_hundred_times_too_large_leaves_a_coin_to_keywords_and_nothing_to_the_system(figure7):
    lines = rows_of(figure7, "Medical, Laplace")["Bert, laplace:0.01"]
    for column in (0, 1):
        assert lines[OURS][column].low <= 0.5 <= lines[OURS][column].high
    assert lines[SYSTEM][3].low <= lines[PRIOR][3].value


def test_every_defense_of_the_paper_is_tried_where_it_applies(figure7):
    found = {row.section for row in figure7.rows}
    shared = {"rounding", "Laplace", "PPM", "PPM, ours"}
    assert {f"Genome, {name}" for name in shared} | {"Genome"} == {name for name in found if "Genome" in name}
    assert {"Medical, subspace, as written", "Medical, subspace, between the means"} < found
    assert [plot.title for plot in figure7.plots] == ["Bert, Genome, rounding", "Bert, Medical, rounding"]


def test_models_that_are_not_here_are_told_and_the_paper_is_not_refitted_on_sequences(figure7):
    notes = {row.model: row.note for row in figure7.rows if row.section == "Genome"}
    assert "is not here" in notes["GPT-2"]
    lines = rows_of(figure7, "Genome, rounding")["Bert, rounding:0"]
    assert lines[PAPER][1] is None
    assert lines[OURS][1] is not None
    assert any("does not say whether its attacks" in told for told in figure7.differs)
    assert any("the corpus 'splice' is not here" in told for told in figure7.differs)


def test_strengths_become_specs():
    first, laplace, published, ours = sweeps(replace(PAN_SIZES.strengths, epsilons=(0.1, 1000)))
    assert first.specs == {0: "rounding:0", 9: "rounding:9"}
    assert laplace.specs == pytest.approx({-1: "laplace:0.1", 3: "laplace:1000"})
    assert published.specs == {-1.0: "ppm:0.1,rounds=2,recipe=pan"}
    assert ours.specs == {-1.0: "ppm:0.1,rounds=2"}
    written, between = keyword_sweeps(PAN_SIZES.strengths)
    assert written.specs == {0.5: "subspace:0.5,scatter=within,norm=true"}
    assert list(between.specs.values()) == ["subspace"]


def test_an_owner_defends_every_answer_and_fits_on_its_own_texts():
    texts = Corpus("toy", ["a", "ab", "aab", "b"])
    changed = Changed(Corpus("toy", ["a", "aa"]), Corpus("toy", ["b", "aab"]))
    owner = Owner(texts, np.array([[True], [True], [True], [False]]), changed, seed=0)
    rounded = owner.defended(toy_victim(), "rounding:0")
    assert rounded.vectors(texts).tolist() == [[1, 0], [1, 1], [2, 1], [0, 1]]
    # The means of the two classes differ by (4/3, -1/3): what lies along that is gone.
    flat = owner.defended(toy_victim(), "subspace").vectors(texts) @ np.array([4, -1]) / 3
    assert np.ptp(flat) == pytest.approx(0, abs=1e-5)
    noisy = owner.defended(toy_victim(), "laplace:1")
    # "a" to "b" moves by 2, "aa" to "aab" by 1: the larger is the scale of the noise.
    assert float(noisy.encoder.defense.scale_) == 2
    same = [noisy.encoder.encode(["a"])[0] for _ in range(2)]
    assert not np.array_equal(*same)


def test_a_system_that_was_not_taught_on_defended_vectors_is_lost_where_columns_change_places():
    letters = ["a" * 9 if row % 2 else "b" * 9 for row in range(60)]
    corpus = Corpus("toy", letters, attributes={"letter": [text[0] for text in letters]})
    system = System(corpus.take(range(40)), corpus.take(range(40, 60)), "letter", seed=0)

    class Turned(Toy):
        def encode(self, texts, *, progress=None):  # noqa: ARG002
            return super().encode(texts)[:, ::-1].copy()

    as_it_was, taught = system.scores(toy_victim(), Victim("Bert", Turned(), "toy"))
    assert (as_it_was.value, taught.value) == (0, 1)
    assert system.scores(toy_victim(), toy_victim())[0].value == 1


def test_noise_in_a_column_that_tells_nothing_costs_a_system_nothing(monkeypatch):
    letters = ["a" * 9 if row % 2 else "b" * 9 for row in range(60)]
    corpus = Corpus("toy", letters, attributes={"letter": [text[0] for text in letters]})
    system = System(corpus.take(range(40)), corpus.take(range(40, 60)), "letter", seed=0)

    class Dead(Toy):
        """A third column of rounding errors, as MiniLM has some; `noise` is on all columns."""

        dimension, noise = 3, 0.0

        def encode(self, texts, *, progress=None):  # noqa: ARG002
            rng = np.random.default_rng(len(texts))
            dead = 1e-9 * rng.standard_normal((len(texts), 1))
            found = np.hstack([super().encode(texts), dead])
            return (found + self.noise * rng.standard_normal(found.shape)).astype(np.float32)

    class Noisy(Dead):
        noise = 0.01

    plain, noisy = Victim("Bert", Dead(), "toy"), Victim("Bert", Noisy(), "toy")
    assert system.scores(plain, noisy)[0].value == 1
    # The control: stretched like the others, the dead column alone makes the same noise ruinous.
    with monkeypatch.context() as patch:
        patch.setattr("vestige.utility.mlp_probe.DEAD", 0.0)
        assert system.scores(plain, noisy)[0].value < 0.9


def test_sensitivity_has_a_row_a_model_and_the_distances_in_words(kept):
    record = reproduced("pan2020", "table4", kept)
    found = {row.model: row for row in record.rows if row.lines}
    assert set(found) == {"Bert", "potion"}
    for row in found.values():
        largest, mean = row.lines[0].scores
        assert 1 >= largest.value >= mean.high >= mean.value > 0
        assert largest.n == 20
    assert found["Bert"].samples[0].endswith("here, 81.82 in the paper")
    assert found["potion"].samples[0].endswith("here, not in the paper")


def test_moves_by_hand():
    # From (3, 0) to (0, 1) are 4 of 4; from (2, 2) to (2, 0) are 2 of 6; from a vector to itself, none.
    original, other = np.array([[3, 0], [2, 2], [1, -1]]), np.array([[0, 1], [2, 0], [1, -1]])
    assert relative_moves(original, other).tolist() == pytest.approx([1, 1 / 3, 0])
