"""The modules that the server loads before the first page, and the work that Streamlit no longer does for it."""

import inspect
import os
import subprocess
import sys

import pytest
from streamlit import delta_generator

from pages.server import start


@pytest.fixture
def nothing_asked_for(monkeypatch):
    monkeypatch.setattr(start, "foreseen", [])


@pytest.mark.parametrize("base", ["", "/course"])
def test_the_first_page_alone_is_foreseen(nothing_asked_for, base):
    for path in ("/_stcore/health", "/coin", "/logistic", "/"):
        start.foresee(base + path)
    assert start.foreseen == ["coin"]


LOADED = """
import sys
from pages.server import start
start.load_topics(sys.argv[1:])
print(*sorted(name.removeprefix("pages.topics.") for name in sys.modules if name.startswith("pages.topics.")))
"""


def loaded(*names: str) -> set[str]:
    """Return the modules of `pages.topics` that a new process has after it has loaded topics."""
    found = subprocess.run([sys.executable, "-c", LOADED, *names], capture_output=True, text=True, check=True)
    return set(found.stdout.split())


def test_the_topic_that_is_foreseen_is_loaded_alone():
    assert "coin" in loaded("coin")
    assert "logistic" not in loaded("coin")
    assert not loaded("favicon.ico", "")


def test_streamlit_does_not_look_at_who_calls(monkeypatch):
    calls, look = [], inspect.stack
    monkeypatch.setattr(inspect, "stack", lambda *_: calls.append(1) or look())
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    delta_generator._maybe_print_use_warning()
    assert calls, "Streamlit no longer looks: `no_look_at_who_calls` can go"
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    start.no_look_at_who_calls()
    delta_generator._maybe_print_use_warning()
    assert len(calls) == 1


RARELY = """
import gc
from pages.server import start
usual, start.PATIENCE = gc.get_threshold(), 0
gc.set_threshold(start.NEW)
start.load_topics = lambda topics: None
start.load_all()
assert gc.get_threshold() == usual and gc.get_freeze_count()
"""


def test_garbage_is_collected_as_usual_once_all_is_loaded():
    """Ended sessions are garbage: collected rarely, those of 100 learners let a server grow by 47 MB a minute."""
    subprocess.run([sys.executable, "-c", RARELY], check=True)


ALONE = """
import os, sys
import streamlit.web.cli
assert "numpy" not in sys.modules, "it would not look at the number of threads any more"
import pages
assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
"""


def test_blas_has_one_thread():
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    subprocess.run([sys.executable, "-c", ALONE], check=True, env=env)


SPARSE = """
import sys
import numpy as np
from pages.server import start
def taken():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
if sys.argv[1] == "ours":
    start.give_memory_back()
np.ones(1_000_000)  # as large as an array of eight megabytes has been
before = taken()
used, small = zip(*((np.ones(100_000), np.ones(10_000)) for _ in range(20)))
del used
sparse = [np.zeros(100_000) for _ in range(20)]
print((taken() - before) / 16_000_000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc is Linux's")
@pytest.mark.parametrize("ours", [True, False], ids=["ours", "glibc's own"])
def test_rows_that_are_not_filled_take_no_memory(ours):
    """If glibc's own is as good, `give_memory_back` need not set its option."""
    words = [sys.executable, "-c", SPARSE, "ours" if ours else "theirs"]
    share = float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert (share < 0.5) == ours


HEAPS = """
import ctypes, sys
from threading import Barrier, Thread
from pages.server import start
if sys.argv[1] == "ours":
    start.give_memory_back()
libc, there = ctypes.CDLL(None), Barrier(4)
def work():
    held = [bytes(50_000) for _ in range(20)]
    there.wait()
    del held
threads = [Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc is Linux's")
@pytest.mark.parametrize("ours", [True, False], ids=["ours", "glibc's own"])
def test_threads_share_a_heap(ours):
    """If glibc does so by itself, `give_memory_back` need not set its option."""
    words = [sys.executable, "-c", HEAPS, "ours" if ours else "theirs"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert (told.count("<heap nr=") == 1) == ours


ICON = """
import sys
from pages.server.start import load_pages
load_pages()
assert "PIL" not in sys.modules, "it is there anyway: the icon may be given to `st.set_page_config`"
from streamlit.commands.page_config import _get_favicon_string
from pages.server.icon import FILE
assert _get_favicon_string(FILE).startswith("data:image/svg+xml")
assert "PIL" in sys.modules, "the icon may be given to `st.set_page_config`"
"""


def test_an_icon_that_streamlit_is_given_would_load_pillow():
    subprocess.run([sys.executable, "-c", ICON], check=True)
