import pytest

from tests.conftest import WordSum
from tests.unit.preflight.conftest import get_check, list_alarms
from vestige.preflight import check_vectors
from vestige.preflight.encoding_variants import list_variants


@pytest.mark.parametrize("prefix", ["query: ", "search_document: "])
def test_a_missing_prefix_is_found(make_sample, texts, library, prefix):
    result = check_vectors(make_sample(WordSum().encode([prefix + text for text in texts])), WordSum(), library=library)
    assert list_alarms(result) == {"encoder": "error"}
    assert f"gives exactly these if each text is prefixed with '{prefix}'" in get_check(result, "encoder").sentence


def test_a_superfluous_prefix_is_found(make_sample, texts, clean, library):
    written = [f"passage: {text}" for text in texts]
    check = get_check(check_vectors(make_sample(clean, texts=written), WordSum(), library=library), "encoder")
    assert "if the prefix 'passage: ' is removed from each text" in check.sentence


def test_only_variants_that_change_a_text_are_listed():
    plain = [variant.condition for variant in list_variants(WordSum(), ["all lower case"])]
    assert not [condition for condition in plain if "lower-cased" in condition or "removed" in condition]
    assert "each text is prefixed with 'query: '" in plain
    odd = [variant.condition for variant in list_variants(WordSum(), ["query: Two\nlines"])]
    assert odd[-2:] == ["texts are lower-cased", "line breaks are replaced by spaces"]
    assert "the prefix 'query: ' is removed from each text" in odd
