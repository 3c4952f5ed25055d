"""A case that the tests of defenses share."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def keyword_case(toy_pairs):
    """Vectors, and whether each text contains a frequent word."""
    vectors, texts = toy_pairs
    return vectors, np.array(["bacox" in text.lower() for text in texts])
