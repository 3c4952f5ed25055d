"""Numbers of benchmarks and of the campaign in pages come from records."""

import json

import pytest
from scaling_parts import NOT_RECORDED, RENDER

ENGINE = [
    "20,000,000 rows of 384 columns in 200 parquet files",
    "protect on local, 1 worker: 200.0 s, 100,000 rows per second, peak memory 438 MiB",
    "protect on local, 1 worker: 195.0 s of processor time, and 2.0 s of the threads of the kernel",
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
    "check on local, 1 worker, to start and end with 20,000 rows: 5.0 s, 4.0 s of processor time, 0.0 s of Ray's own "
    "processes",
    "check on local, 2 workers, to start and end with 20,000 rows: 4.5 s, 4.0 s of processor time, 0.0 s of Ray's own "
    "processes",
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
    assert "| `protect` | local | 1 | 200 | 100,000 | 195.0 | 438 | in the command |" in RENDER["engine"](records)
    assert "| `protect` | ray | 1 | 250 | 80,000 |  | 300 | 500 |" in RENDER["engine"](records)
    assert RENDER["ratios"](records) == "- protect, 1 worker: ray takes 1.25 times as long as local\n"


def test_the_gain_of_a_second_worker_is_shown_with_and_without_start_and_end(records):
    """60 - 5 = 55 s against 32 - 4.5 = 27.5 s."""
    found = RENDER["workers"](records)
    assert "| `check` | local | 60.0 | 32.0 | 1.88 | 5.0 and 4.5 | 2.00 | 58.1 and 59.0 |  |" in found
    assert "\nTwo processes do 1.90 times the work of one if they hash" in found


def test_what_a_second_worker_does_not_halve_is_divided(records):
    """32 - 60 / 2 = 2 s, 4.5 - 5 / 2 = 2 s of it to start and end; two commands take 31 - 60 / 2 = 1 s more."""
    assert "| `check` | local | 2.0 | 2.0 | 0.0 | 1.0 |" in RENDER["losses"](records)


def test_an_old_record_has_one_start_for_any_number_of_workers(records):
    lines = [line for line in SCALING if "to start and end" not in line]
    record = {"lines": [*lines, "check on local, 20,000 rows in a single file: 5.0 s"]}
    (records / "bench" / "engine_scaling.json").write_text(json.dumps(record))
    assert "| `check` | local | 60.0 | 32.0 | 1.88 | 5.0 | 2.04 | 58.1 and 59.0 |  |" in RENDER["workers"](records)


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
