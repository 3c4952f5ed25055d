"""Jobs run one after another, and a failure ends those that wait for it."""

from threading import Event

from vestige.errors import InputError
from vestige.view.worker import FitStep, FitWorker, TaskProgress


def test_jobs_run_in_order():
    done = []
    worker = FitWorker()
    worker.add(
        *(FitStep("a", str(number), lambda _progress, number=number: done.append(number)) for number in range(3))
    )
    assert worker.wait(10)
    assert done == [0, 1, 2]
    assert worker.progress is None
    assert [job.state for job in worker.list_jobs("a")] == ["done"] * 3


def test_urgent_jobs_run_before_others_that_wait():
    done, go = [], Event()
    worker = FitWorker()
    worker.add(FitStep("a", "runs", lambda _progress: go.wait(10) and None))
    later = [("a", "keywords", False), ("b", "fit", True), ("b", "words", True), ("b", "labels", False)]
    for subject, label, urgent in later:
        worker.add(FitStep(subject, label, lambda _progress, label=label: done.append(label), urgent=urgent))
    go.set()
    assert worker.wait(10)
    assert done == ["fit", "words", "keywords", "labels"]


def test_progress_is_that_of_the_running_task():
    reached, go = Event(), Event()

    def work(progress):
        advance = progress("encoding", 10)
        advance(3)
        reached.set()
        go.wait(10)

    worker = FitWorker()
    worker.add(FitStep("a", "First", work))
    assert reached.wait(10)
    assert worker.progress == TaskProgress("First", "encoding", 3, 10)
    assert not worker.wait(0)
    go.set()
    assert worker.wait(10)


def test_a_failure_fails_what_waits_for_it_and_nothing_else():
    def refuse(_progress):
        raise InputError("no such column; name another")

    def break_down(_progress):
        raise ZeroDivisionError("oops")

    worker, done = FitWorker(), []
    worker.add(FitStep("a", "1", refuse), FitStep("a", "2", lambda _progress: done.append("a")))
    worker.add(FitStep("b", "3", lambda _progress: done.append("b")), FitStep("c", "4", break_down))
    assert worker.wait(10)
    assert done == ["b"]
    assert [job.error for job in worker.list_jobs("a")] == ["no such column; name another"] * 2
    assert "this is a defect of Vestige" in worker.list_jobs("c")[0].error


def test_the_jobs_of_a_subject_are_forgotten_once_they_have_ended():
    worker, go = FitWorker(), Event()
    worker.add(FitStep("a", "waits", lambda _progress: go.wait(10) and None))
    worker.add(FitStep("b", "next", lambda _progress: None))
    assert not worker.forget("b")
    go.set()
    assert worker.wait(10)
    assert worker.forget("b")
    assert (len(worker.list_jobs("a")), worker.list_jobs("b")) == (1, [])
