"""Which words of a corpus are sensitive."""

from vestige.text.sensitive import categories, sensitive_words


def test_every_word_has_one_category():
    assert categories()["cancer"] == "health"
    assert categories()["bankruptcy"] == "money"
    assert all(word == word.lower() and word.strip() == word for word in categories())


def test_words_come_category_by_category_the_most_frequent_of_each_first():
    texts = ["my debt", "the debt and the loan", "a loan, my debt", "cancer", "the cancer", "nothing", "nothing", "no"]
    documents = [str(row) for row in range(len(texts))]
    assert sensitive_words(texts, documents, fewest=2) == ["cancer", "debt", "loan"]


def test_a_word_in_too_few_documents_or_in_nearly_all_is_skipped():
    texts = ["debt", "debt", "debt", "cancer"]
    assert sensitive_words(texts, list("abcd"), fewest=2) == []
    assert sensitive_words(texts, list("aaad"), fewest=1) == ["cancer", "debt"]
