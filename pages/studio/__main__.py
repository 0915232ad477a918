"""Write lessons on your own machine: ``python -m pages.studio ../mine`` opens the studio by a link.

No other machine reaches it. A server for others has a secret in its environment instead.
"""

import argparse
import os
import socket
import sys
import time
import urllib.request
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

from streamlit.web import cli

from lessons.format.folders import LESSONS, named
from lessons.installed import ROOT, called
from pages.http.studio import TOKEN, open_by_link

APP = ROOT / "app.py"
FIRST_PORT, PORTS = 8501, 100
PATIENCE = 120  # seconds until the server answers, on a machine that compiles everything anew
POLL = 0.1


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the app on this machine alone, and open its studio."""
    program = called("python -m pages.studio", "samplescope studio")
    parser = argparse.ArgumentParser(prog=program, description="Write lessons in the browser.")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="of your lessons, made if missing")
    parser.add_argument("--port", type=int, default=0, help=f"{FIRST_PORT} or the next free one, if left out")
    options = parser.parse_args(arguments)
    if options.folders:
        os.environ[LESSONS] = os.pathsep.join(map(str, options.folders))
    if not named():
        example = called("make studio LESSONS=../mine", "samplescope studio ../mine")
        parser.error(f"name the folder of your lessons: {example}")
    for folder in named():
        folder.mkdir(parents=True, exist_ok=True)
    os.environ[LESSONS] = os.pathsep.join(map(str, named()))
    os.chdir(ROOT)  # Streamlit reads the settings in .streamlit from there
    port = options.port or free_port()
    address, link = f"http://localhost:{port}", urlencode({TOKEN: open_by_link()})
    Thread(target=show, args=(address, f"{address}/studio?{link}"), daemon=True).start()
    where = ["--server.address", "localhost", "--server.port", str(port), "--server.headless", "true"]
    sys.argv = ["streamlit", "run", str(APP), *where]
    cli.main()


def free_port() -> int:
    """Return the first port from 8501 on at which nothing listens."""
    for port in range(FIRST_PORT, FIRST_PORT + PORTS):
        with socket.socket() as probe:
            if probe.connect_ex(("localhost", port)):
                return port
    raise SystemExit(f"there is no free port from {FIRST_PORT} to {FIRST_PORT + PORTS - 1}; name one with --port")


def show(address: str, link: str) -> None:
    """Print the studio's link as soon as the app answers, and open it if there is a screen for a browser."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                break
        except OSError:
            time.sleep(POLL)
    print(f"\n  The studio: {link}\n  Whoever has this link can write your lessons. Ctrl-C ends it.\n", flush=True)
    if has_screen():
        webbrowser.open(link)


def has_screen() -> bool:
    """Return whether a browser can be opened; where Streamlit is asked to open none, this opens none either."""
    if os.environ.get("STREAMLIT_SERVER_HEADLESS", "").lower() == "true":
        return False
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


if __name__ == "__main__":
    main()
