"""An adversary who knows the defense: a linear classifier that is fitted again on defended vectors."""

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import roc_auc_score

from vestige.defenses.catalogue import DEFENSES, make_defense


def linear_auc(vectors, labels):
    """How well a linear classifier, fitted on the first half, ranks the second half: 0.5 by chance."""
    half = len(vectors) // 2
    classifier = RidgeClassifier(alpha=0.01).fit(vectors[:half], labels[:half])
    return roc_auc_score(labels[half:], classifier.decision_function(vectors[half:]))


def defend(spec, vectors, labels):
    """All vectors, through a defense that is fitted on the first half."""
    library = DEFENSES[spec.partition(":")[0]].needs
    if library:
        pytest.importorskip(library)
    half = len(vectors) // 2
    return make_defense(spec).fit(vectors[:half], labels[:half], rng=np.random.default_rng(0)).transform(vectors)


def leak(spec, case):
    """The AUC without the defense, which must be high for the test to mean anything, and with it."""
    vectors, labels = case
    undefended = linear_auc(vectors, labels)
    assert undefended > 0.98, "positive control: the classifier finds the word in undefended vectors"
    return linear_auc(defend(spec, vectors, labels), labels)
