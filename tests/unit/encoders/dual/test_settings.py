import pytest

from vestige.encoders.dual.settings import parse_lambdas
from vestige.errors import InputError


def test_each_column_has_its_lambda():
    assert parse_lambdas(["a=b=0.5", "author=30"]) == {"a=b": 0.5, "author": 30.0}
    assert parse_lambdas([]) == {}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        *(([one], f"'{one}' names no column with a number") for one in ("author", "author=", "=1", "author=much")),
        (["author=-1"], "lambda of column 'author' must be a number, at least 0. Got -1 instead"),
        (["author=inf"], "Got inf instead"),
        (["author=1", "topic=2", "author=3"], "column 'author' has two lambdas, 1 and 3"),
    ],
)
def test_a_lambda_that_is_not_one_is_named(written, message):
    with pytest.raises(InputError, match=message):
        parse_lambdas(written)
