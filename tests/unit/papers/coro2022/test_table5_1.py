"""Table 5.1, once, at a size for tests."""

from dataclasses import replace

from tests.unit.papers.conftest import CORO_SIZES
from tests.unit.papers.measuring import reproduce, scored_columns
from vestige.papers.coro2022.table5_1 import EIGHT, read_classes
from vestige.papers.run import PaperRun
from vestige.text.corpus import Corpus


def test_a_corpus_without_titles_leaves_the_column_empty(coro_run):
    record = reproduce("coro2022", "table5.1", coro_run)
    assert set(map(tuple, scored_columns(record).values())) == {(False, True, True)}
    unasked = [row.model for row in record.rows if not row.lines]
    assert unasked == ["Doc2Vec", "Sentence-BERT"]
    in_domain = next(row for row in record.rows if row.model == "Reduced bag-of-words")
    probed, guessed = (line.scores[2] for line in in_domain.lines)
    assert probed.low > guessed.high


def test_threads_are_on_one_side_and_titles_lose_their_re(monkeypatch):
    topics = EIGHT["newsgroups"][1].split()
    rows = [
        (topic, f"{'Re: ' * (number % 2)}Thread {number // 3} of {topic}") for topic in topics for number in range(30)
    ]
    posts = Corpus(
        "newsgroups",
        [f"Text {number}. More. Even more. The end." for number in range(len(rows))],
        attributes={"topic": [topic for topic, _ in rows], "subject": [subject for _, subject in rows]},
    )
    monkeypatch.setattr("vestige.papers.coro2022.table5_1.load_articles", lambda _name: posts)
    classes = read_classes(PaperRun(replace(CORO_SIZES, corpus="newsgroups")))
    assert not set(classes.train["titles"].documents) & set(classes.test["titles"].documents)
    assert classes.train["titles"].texts[0] == "thread 0 of comp.graphics"
    assert classes.train["sentences"].texts[0].endswith("more. even more.")
    assert classes.train["text"].texts[0].endswith("the end.")
    assert set(classes.train_labels) == set(classes.test_labels) == set(topics)
