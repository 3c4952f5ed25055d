import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vestige.errors import InputError
from vestige.utility.sentence_tasks import FOLDS, SentenceTask, read_task, task_accuracy

WORDS = ("good", "bad")


def encode(texts):
    """Two columns, one for each word, and noise."""
    noise = np.random.default_rng(len(texts)).normal(0, 0.1, (len(texts), 3))
    counts = np.array([[text.split().count(word) for word in WORDS] for text in texts])
    return np.hstack([counts, noise]).astype(np.float32)


def encode_noise(texts):
    return np.random.default_rng(0).standard_normal((len(texts), 5)).astype(np.float32)


@pytest.fixture
def data(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    kinds = rng.choice(2, 300, p=[0.3, 0.7])
    texts = [f"a {WORDS[kind]} thing {row}" for row, kind in enumerate(kinds)]
    labels = [("positive", "negative")[kind] for kind in kinds]
    split = ["test" if row % 3 == 0 else "train" for row in range(300)]
    pq.write_table(pa.table({"text": texts, "label": labels}), tmp_path / "mpqa.parquet")
    pq.write_table(pa.table({"text": texts, "label": labels, "split": split}), tmp_path / "trec.parquet")
    same = rng.integers(2, size=300)
    seconds = [text if alike else " ".join(text.split()[:1]) for text, alike in zip(texts, same, strict=True)]
    pairs = {"label": same, "first": texts, "second": seconds, "split": split}
    pq.write_table(pa.table(pairs), tmp_path / "msrp.parquet")
    monkeypatch.setenv("VESTIGE_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(("name", "tested"), [("mpqa", 300), ("trec", 100), ("msrp", 100)])
def test_a_task_is_solved_from_informative_vectors_and_not_from_others(name, tested):
    task = read_task(name, rng=np.random.default_rng(0))
    found, guessed = (task_accuracy(task, encoder, rng=np.random.default_rng(0)) for encoder in (encode, encode_noise))
    assert found.n == tested
    assert found.value > 0.97
    assert guessed.low <= guessed.baseline + 0.05
    assert guessed.value < found.low


@pytest.mark.usefixtures("data")
def test_no_training_row_is_tested_and_each_row_is_tested_once():
    folds = read_task("mpqa", rng=np.random.default_rng(0)).folds
    assert len(folds) == FOLDS
    assert all(not set(known) & set(tested) and len(known) + len(tested) == 300 for known, tested in folds)
    assert sorted(np.concatenate([tested for _, tested in folds])) == list(range(300))
    (known, tested), *more = read_task("trec", rng=np.random.default_rng(0)).folds
    assert not more
    assert all(row % 3 == 0 for row in tested)
    assert len(known) == 200


def test_pairs_become_difference_and_product():
    task = SentenceTask("msrp", ["x"], ["y"], ["1"], [])
    vectors = {"x": [1.0, -2.0], "y": [3.0, 0.5]}
    features = task.features(lambda texts: np.array([vectors[text] for text in texts], np.float32))
    np.testing.assert_array_equal(features, [[2.0, 2.5, 3.0, -1.0]])


@pytest.mark.usefixtures("data")
def test_the_baseline_is_the_most_frequent_class_and_rows_can_be_fewer():
    task = read_task("mpqa", rng=np.random.default_rng(0), most=100)
    score = task_accuracy(task, encode, rng=np.random.default_rng(0))
    assert len(task.labels) == score.n == 100
    assert score.baseline == task.labels.count("negative") / 100


def test_an_unknown_task_is_refused():
    with pytest.raises(InputError, match="'imdb' is not a sentence task; expected one of mpqa, trec"):
        read_task("imdb", rng=np.random.default_rng(0))
