"""A defense that is fitted and saved, and a run that is killed on the way."""

import os
import resource
import signal
from multiprocessing import get_context

import numpy as np

from vestige.defenses.catalogue import make_defense
from vestige.defenses.defense import Defense
from vestige.defenses.saved import save_defense
from vestige.errors import VestigeError
from vestige.protect.run import protect


def save_fitted(folder, vectors, spec):
    save_defense(make_defense(spec).fit(vectors, rng=np.random.default_rng(0)), folder)
    return str(folder)


def run_until_killed(row, source, out, defense):
    """Protect in a separate process, which is killed when it reaches a block with this row or a later one."""

    def work():
        real = Defense.transform

        def transform(self, vectors, *, start=0):
            if start + len(vectors) > row:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(self, vectors, start=start)

        Defense.transform = transform
        protect(source, out, defense)

    process = get_context("fork").Process(target=work)
    process.start()
    process.join()
    return process.exitcode


def run_on_a_full_disk(limit, *arguments, **more):
    """Protect in a separate process, in which no file can be larger than `limit`; whether that failed."""

    def work():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        try:
            protect(*arguments, **more)
        except (OSError, VestigeError):
            os._exit(3)
        os._exit(0)

    process = get_context("fork").Process(target=work)
    process.start()
    process.join()
    assert process.exitcode in (0, 3)
    return process.exitcode == 3
