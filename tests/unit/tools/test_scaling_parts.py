"""Numbers of benchmarks and of the campaign in pages come from records."""

import json

import pytest
from scaling_parts import NOT_RECORDED, RENDER

ENGINE = [
    "20,000,000 rows of 384 columns in 200 parquet files",
    "protect on local, 1 worker: 200.0 s, 100,000 rows per second, peak memory 438 MiB",
    "protect on ray, 1 worker: 250.0 s, 80,000 rows per second, peak memory 300 MiB, largest worker 500 MiB",
    "protect, 1 worker: ray takes 1.25 times as long as local",
]
SCALING = [
    "5,000,000 rows of 384 columns in 50 parquet files",
    "check on local, 1 worker: 60.0 s, 83,333 rows per second, peak memory 700 MiB",
    "check on local, 1 worker: 58.1 s of processor time, and 2.0 s of the threads of the kernel",
    "check on local, 2 workers: 32.0 s, 156,250 rows per second, peak memory 710 MiB",
    "check on local, 2 workers: 59.0 s of processor time, and 2.1 s of the threads of the kernel",
    "check, two commands that share nothing, each with one worker and half of the files: 31.0 s",
    "check on local, 20,000 rows in a single file: 5.0 s",
    "two processes do 1.90 times the work of one if they hash, and 1.40 times the work of one if they copy memory",
]
ENCODE = [
    "encoding 2,000 sentences with MiniLM in fp32: 1.7x as fast as a peer (spread 1.6 to 1.7 over 3 turns; "
    "10.00 s against 11.56 s); cosine 0.9999999"
]


@pytest.fixture
def records(tmp_path):
    for folder in ("bench", "campaign"):
        (tmp_path / folder).mkdir()
    for name, lines in (("engine", ENGINE), ("encode", ENCODE), ("engine_scaling", SCALING)):
        record = {"lines": lines, "environment": {"cores": 2}}
        (tmp_path / "bench" / f"{name}.json").write_text(json.dumps(record))
    return tmp_path


def test_rates_and_ratios(records):
    assert "| `protect` | ray | 1 | 250 | 80,000 | 300 | 500 |" in RENDER["engine"](records)
    assert RENDER["ratios"](records) == "- protect, 1 worker: ray takes 1.25 times as long as local\n"


def test_the_gain_of_a_second_worker_is_next_to_what_is_possible(records):
    """55 s without the start and the end of 5 s, against 27 s."""
    assert "| `check` | local | 60.0 | 32.0 | 1.88 | 5.0 | 2.04 | 31.0 | 58.1 and 59.0 |  |" in RENDER["workers"](
        records
    )
    assert "\nTwo processes do 1.90 times the work of one if they hash" in RENDER["workers"](records)


def test_the_plan_follows_from_the_rate_of_a_worker(records):
    """80,000 rows of 384 are 40,000 of 768: 10^8 take 2,500 core-seconds; 614.4 GB in 2,500 / 32 s are 7.9 GB/s."""
    rendered = RENDER["plan"](records)
    assert "| `protect` | 10^8 x 768 | 0.7 | 78 seconds, 7.9 GB/s | 8 seconds, 78.6 GB/s | 10 minutes |" in rendered
    assert "| 10^8 x 384 | 277.8 | 8.7 hours | 52 minutes |  |" in rendered, "100 sentences per second and core"


def test_what_was_not_measured_is_not_shown(tmp_path):
    for name in RENDER.keys() - {"campaign"}:
        assert RENDER[name](tmp_path) == NOT_RECORDED


def test_the_campaign_adds_records_and_names_faults(records):
    for number, faults in enumerate(([], [["kill -9", "encode", "hang"]])):
        record = {
            "tried": {"kill -9": 10, "mutations: vectors .npy": 100, "mutations: chroma": 5},
            "survived": {"kill -9": 10 - len(faults), "mutations: vectors .npy": 100, "mutations: chroma": 5},
            "faults": faults,
        }
        (records / "campaign" / f"{number}.json").write_text(json.dumps(record))
    rendered = RENDER["campaign"](records)
    assert "| kill -9 | 20 | 19 |" in rendered
    assert "| mutations of 2 formats | 210 | 210 |" in rendered
    assert "- kill -9, encode: hang" in rendered


def test_versions_show_what_passed_and_what_was_not_the_lowest(tmp_path):
    (tmp_path / "versions").mkdir()
    for name, missed, failed in (
        ("lowest-3.11", ["torch>=2.4: 2.13.0 was used"], ["tests.a::one"]),
        ("newest-3.11", [], []),
    ):
        tests, packages = ["tests/contracts", "tests/unit/stores"], {"torch": "2.13.0"}
        record = {"tests": tests, "passed": 1200, "skipped": 3, "failed": failed, "missed": missed}
        (tmp_path / "versions" / f"{name}.json").write_text(json.dumps({**record, "packages": packages}))
    rendered = RENDER["versions"](tmp_path)
    assert rendered.startswith("|  | lowest, Python 3.11 | newest, Python 3.11 |\n")
    assert (
        "| passed | 1,200 | 1,200 |\n| skipped | 3 | 3 |\n| failed | 1 | 0 |\n| torch | 2.13.0 | 2.13.0 |" in rendered
    )
    assert "- newest, Python 3.11: the tests in tests/contracts, tests/unit/stores\n" in rendered
    assert "- lowest, Python 3.11: torch>=2.4: 2.13.0 was used\n" in rendered
    assert rendered.endswith("- lowest, Python 3.11: tests.a::one failed\n")
