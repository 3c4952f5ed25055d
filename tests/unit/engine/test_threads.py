"""Independent work on all cores, each piece with one core for its products."""

import os
import subprocess
import sys

import pytest
import scipy.linalg  # noqa: F401  Loads the matrix products whose threads are counted.
from threadpoolctl import threadpool_info

from vestige.engine.threads import count_cores, limit_cores, one_core_each, run_parallel


def test_items_are_worked_on_with_one_core_each_and_results_keep_their_order():
    seen, steps = [], []

    def work(item):
        seen.extend(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")
        return 10 * item

    assert run_parallel(work, [1, 2, 3], steps.append) == [10, 20, 30]
    assert steps == [1, 1, 1]
    assert set(seen) == {1}


def test_an_error_of_one_item_is_raised():
    with pytest.raises(ZeroDivisionError):
        run_parallel(lambda item: 1 / item, [2, 0, 1], lambda _: None)


def test_torch_computes_with_one_thread_within_and_with_its_own_number_after():
    import torch

    before = torch.get_num_threads()
    with one_core_each():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


def test_a_library_that_is_loaded_later_is_limited_too():
    code = (
        "from threadpoolctl import threadpool_info; from vestige.engine.threads import one_core_each\n"
        "with one_core_each():\n"
        "    import scipy.linalg\n"
        "    found = {each['num_threads'] for each in threadpool_info() if each['user_api'] == 'blas'}\n"
        "assert found == {1}, found"
    )
    known = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    subprocess.run([sys.executable, "-c", code], check=True, env=known)


@pytest.mark.parametrize(("wanted", "found"), [("1", 1), ("999", None), ("", None), ("0", None), ("two", None)])
def test_no_more_cores_are_used_than_the_environment_allows(monkeypatch, wanted, found):
    from joblib import cpu_count

    monkeypatch.setenv("OMP_NUM_THREADS", wanted)
    assert count_cores() == (found or cpu_count())


def test_torch_is_limited_even_if_the_work_is_the_first_to_load_it():
    code = """
import os
os.environ["OMP_NUM_THREADS"] = "2"
from vestige.engine.threads import run_parallel

def work(_item):
    import torch
    return torch.get_num_threads()

print(run_parallel(work, [1], lambda _: None))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[1]"


def test_any_number_of_cores_can_be_set():
    import torch

    with limit_cores(2):
        assert torch.get_num_threads() == 2
