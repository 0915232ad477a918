"""The app as others install it; `make package` runs these tests, where nothing of the checkout is in reach."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import samplescope
from samplescope import Stage

COMMAND = [sys.executable, "-m", "samplescope"]
LESSON = "mine/first.md"


def said(*arguments: str, cwd: Path) -> str:
    """Return the output of the command."""
    done = subprocess.run([*COMMAND, *arguments], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def here(tmp_path_factory) -> Path:
    """Return a folder with a lesson of one's own."""
    folder = tmp_path_factory.mktemp("here")
    (folder / "mine").mkdir()
    said("new", LESSON, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def address(here) -> Iterator[str]:
    """Return the address of the app, started by its command."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = [*COMMAND, "--lessons", "mine", "--port", str(port), "--no-browser"]
    with subprocess.Popen(command, cwd=here, stdout=subprocess.DEVNULL) as process:
        found = f"http://localhost:{port}"
        for _ in range(600):
            try:
                assert got(f"{found}/_stcore/health") == b"ok"
                break
            except OSError:
                assert process.poll() is None, "the app has ended"
                time.sleep(0.1)
        yield found
        process.terminate() if os.name == "nt" else process.send_signal(signal.SIGINT)


def got(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return answer.read()


def test_nobody_gets_a_package_pages_or_lessons():
    site = Path(samplescope.__file__).parents[1]
    assert not [name for name in ("app", "lessons", "pages", "samplers") if [*site.glob(f"{name}*")]]
    code = "import importlib.util as u; print([u.find_spec(n) for n in ('app', 'lessons', 'pages', 'samplers')])"
    assert subprocess.check_output([sys.executable, "-I", "-c", code], text=True).strip() == str([None] * 4)


def test_a_name_that_is_taken_is_said():
    code = "import sys, types; sys.modules['lessons'] = types.ModuleType('lessons'); import samplescope"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "a module lessons has been imported from elsewhere" in done.stderr


def test_a_lesson_is_begun_checked_and_published(here):
    assert "no problems" in said("check", "mine", cwd=here)
    assert "1 lessons" in said("publish", "mine", "--out", "course", cwd=here)
    assert (here / "course/index.html").is_file()


def test_the_command_starts_the_app_with_lessons_of_ones_own(address):
    assert b"<title>" in got(address)
    page = got(f"{address}/stage/crp_seating?lesson=first").decode()
    assert "Chinese restaurant" in page
    asked = page.split('crossorigin href="../')[1].split('"')[0]
    told = json.loads(got(f"{address}/{asked}"))
    assert told["message"]["source"].startswith("crp_seating?")


def test_a_stage_in_a_notebook_has_the_frames_of_the_app_and_gives_back_what_was_chosen(address, monkeypatch):
    stage = Stage("crp_mixture?concentration=2", keep=5)
    told = json.loads(stage.page.split('id="kept">')[1].split("</script>")[0])["staged"]["message"]
    what = f"{told['source'].replace('?', '/frames?')}&from=6&to=12"
    answers = []
    monkeypatch.setattr(Stage, "send", lambda _, told, buffers: answers.append((told, *buffers)))
    stage._hear(stage, {"ask": "a", "address": what}, [])
    build = got(f"{address}/stage/coin").decode().split("../play/")[1].split("/")[0]
    assert answers == [
        (
            {"ask": "a", "status": 200, "kind": "application/octet-stream"},
            got(f"{address}/play/{build}/{what}"),
        )
    ]
    stage.link = "crp_mixture?concentration=3&t=9"  # as the browser sets it
    assert (stage.settings.concentration, stage.seed, stage.t) == (3.0, 7, 9)
    assert set(stage.chain.to_datatree(4).children) >= {"posterior"}
    assert stage.to_datatree(4)["posterior"].sizes["draw"] == 4
    bundle, _ = stage._repr_mimebundle_()
    assert {"application/vnd.jupyter.widget-view+json", "text/html"} <= bundle.keys()
    assert bundle["text/html"].startswith("<iframe")


@pytest.mark.parametrize("link", ["nothing?t=1", "", "coin?lesson=none"])
def test_a_link_that_leads_nowhere_is_refused(link):
    with pytest.raises(ValueError, match="There is no"):
        Stage(link)
