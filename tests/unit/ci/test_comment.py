"""`comment.sh` and `find_comment.py`: one comment per pull request."""

import json

import pytest

MARKER = "<!-- vestige: vestige -->"


@pytest.fixture
def commented(job):
    """Run comment.sh on a summary; gives the job and the finished process."""
    job.write("vestige-report/summary.md", "### Vestige: words leak\n")

    def call(**environment):
        return job.run("comment.sh", **{"PULL_REQUEST": "7", "STUB_COMMENTS": "[]", **environment})

    return call


def test_the_first_comment_is_created(job, commented):
    assert commented().returncode == 0
    listed, created = job.calls("gh")
    assert listed == ["api", "--paginate", "repos/owner/letters/issues/7/comments?per_page=100"]
    assert created[:5] == ["api", "--silent", "--method", "POST", "repos/owner/letters/issues/7/comments"]
    assert job.beside("body") == f"{MARKER}\n### Vestige: words leak\n"


def test_the_comment_with_the_marker_is_updated_even_on_a_later_page(job, commented):
    pages = [
        [{"id": 1, "body": f"quoted: {MARKER}"}, {"id": 2, "body": "<!-- vestige: other -->\nx"}],
        [{"id": 3, "body": f"{MARKER}\nold"}, {"id": 4, "body": f"{MARKER}\nolder"}],
    ]
    assert commented(STUB_COMMENTS="".join(map(json.dumps, pages))).returncode == 0
    assert job.calls("gh")[1][:5] == ["api", "--silent", "--method", "PATCH", "repos/owner/letters/issues/comments/3"]


@pytest.mark.parametrize(
    ("environment", "calls"), [({"PULL_REQUEST": ""}, 0), ({"STUB_READ": "1"}, 1), ({"STUB_WRITE": "1"}, 2)]
)
def test_no_pull_request_and_a_token_without_rights_are_no_failure(job, commented, environment, calls):
    ran = commented(**environment)
    assert (ran.returncode, len(job.calls("gh"))) == (0, calls)
    assert "::notice::no comment" in ran.stdout


def test_a_name_that_could_break_the_marker_is_refused(job, commented):
    ran = commented(INPUT_NAME="x --> y")
    assert (ran.returncode, job.calls("gh")) == (2, [])
    assert "x --> y" in ran.stderr
