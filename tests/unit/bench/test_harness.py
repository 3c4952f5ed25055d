"""The record of a benchmark."""

import json

from bench.harness import Comparison, write_benchmark


def test_a_record_holds_what_was_printed_and_the_seconds_behind_it(tmp_path):
    compared = Comparison("encoding", "a peer", ours=[1.0, 2.0], theirs=[2.0, 4.0])
    path = write_benchmark("encode", ["a line", compared], tmp_path)
    assert path == tmp_path / "bench" / "encode.json"
    found = json.loads(path.read_text())
    assert found["lines"] == ["a line", str(compared)]
    assert found["comparisons"][0]["ours"] == [1.0, 2.0]
    assert found["environment"]["packages"]["numpy"]
    assert write_benchmark("encode", ["a line", compared], tmp_path).read_text() == path.read_text()
