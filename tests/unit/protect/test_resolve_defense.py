"""A defense from a folder or a spec."""

import numpy as np
import pytest

from tests.unit.protect.killed_run import save_fitted
from vestige.defenses.saved import load_defense
from vestige.errors import InputError
from vestige.protect.run import protect


def test_a_learned_defense_is_fitted_saved_and_reused(source, vectors, tmp_path):
    out, folder = tmp_path / "out.npy", tmp_path / "out.npy.defense"
    assert protect(source, out, "gaussian:50").defense == folder
    first = out.read_bytes()
    assert np.load(out).tobytes() == load_defense(folder).transform(vectors).tobytes()
    out.unlink()
    protect(source, out, "gaussian:50")
    assert out.read_bytes() == first, "the same command gives the same bytes"
    out.unlink()
    with pytest.raises(InputError, match="holds another defense than 'gaussian:51'; name that folder"):
        protect(source, out, "gaussian:51")
    assert protect(source, tmp_path / "plain.npy", "rounding:2").defense is None
    assert not (tmp_path / "plain.npy.defense").exists()


def test_a_saved_defense_is_reused_only_for_the_vectors_it_was_fitted_on(source, vectors, tmp_path):
    out = tmp_path / "out.npy"
    protect(source, out, "int8")
    out.unlink()
    np.save(source, 10 * vectors)
    with pytest.raises(InputError, match=r"out.npy.defense was fitted on other vectors; name that folder"):
        protect(source, out, "int8")
    protect(source, out, str(tmp_path / "out.npy.defense"))


def test_a_defense_that_needs_labels_or_other_columns_is_refused(source, vectors, tmp_path):
    with pytest.raises(InputError, match="'leace' learns from labels as well as from vectors; fit it in Python"):
        protect(source, tmp_path / "out.npy", "leace")
    folder = save_fitted(tmp_path / "fitted", vectors[:, :16], "rotation")
    with pytest.raises(InputError, match=r"the vectors have 64 columns, and the defense in .*fitted was fitted on 16"):
        protect(source, tmp_path / "out.npy", folder)


def test_another_tenant_is_protected_from_the_same_secret(source, vectors, tmp_path):
    protect(source, tmp_path / "acme.npy", "tenant:acme")
    folder = tmp_path / "acme.npy.defense"
    protect(source, tmp_path / "other.npy", f"{folder}@other")
    protect(source, tmp_path / "queries.npy", f"{folder}@other", queries=True)
    expected = load_defense(folder).for_tenant("other").transform(vectors)
    assert np.load(tmp_path / "other.npy").tobytes() == expected.tobytes()
    assert np.load(tmp_path / "queries.npy").tobytes() == expected.tobytes()
    assert not np.array_equal(np.load(tmp_path / "acme.npy"), expected)
    plain = save_fitted(tmp_path / "fitted", vectors, "rotation")
    with pytest.raises(InputError, match=r"names a tenant, and the defense in .*fitted is 'rotation'"):
        protect(source, tmp_path / "out.npy", f"{plain}@other")
