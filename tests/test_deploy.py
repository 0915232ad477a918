"""What serves the app: whom `make run` lets in, and the health check."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def port() -> Iterator[int]:
    """Return the port of a server that is well below the path /course."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/course/_stcore/health" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def health(port: int, base: str) -> subprocess.CompletedProcess:
    variables = {"STREAMLIT_SERVER_PORT": str(port), "STREAMLIT_SERVER_BASE_URL_PATH": base}
    check = [sys.executable, ROOT / "deploy/health.py"]
    return subprocess.run(check, env={**os.environ, **variables}, capture_output=True, text=True, check=False)


def test_the_health_check_tells_who_answers(port):
    assert health(port, "/course/").returncode == 0
    assert health(port, "").returncode == 1
    nobody = health(1, "course")
    assert nobody.returncode == 1
    assert nobody.stderr.startswith("no answer: ")


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
@pytest.mark.parametrize(
    ("asked", "address"), [((), "localhost"), (("HOST=0.0.0.0",), "0.0.0.0"), (("LESSONS=../mine",), "localhost")]
)
def test_make_run_serves_this_machine_alone_unless_asked(asked, address):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")} | {
        "HOST": "elsewhere"
    }
    said = subprocess.run(
        ["make", "-n", "run", *asked], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout.splitlines()[-1].endswith(f"streamlit run app.py --server.address {address}")


def test_the_container_gets_what_it_needs_and_no_more():
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    assert kept == {
        "app.py",
        "requirements.lock",
        "LICENSE",
        "deploy/health.py",
        ".streamlit",
        "lessons",
        "pages",
        "samplers",
    }
    assert all((ROOT / path).exists() for path in kept)
