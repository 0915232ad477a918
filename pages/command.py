"""The command ``samplescope`` of the installed package: without a name of a task, it starts the app."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from lessons.format.folders import LESSONS, named
from lessons.installed import ROOT
from pages.http.uploaded import ALONE, UPLOADS

TASKS = {  # the first word, and the module that does the rest
    "publish": "pages.publish.__main__",
    "hand-out": "pages.download.__main__",
    "studio": "pages.studio.__main__",
    "judge": "samplers.judge.__main__",
}
OF_LESSONS = ("check", "new", "list", "schema", "stages", "collect")
MORE = f"tasks: {', '.join((*OF_LESSONS, *TASKS))}; samplescope TASK --help says more of one"


def main(arguments: Sequence[str]) -> int:
    """Run a task, or start the app.

    Parameters
    ----------
    arguments : sequence of str
        The arguments after the program's name.

    Returns
    -------
    int
        The exit status: 0 if all is well.
    """
    first, rest = (arguments[0] if arguments else ""), [*arguments[1:]]
    if first in OF_LESSONS:
        return _task("lessons.__main__")([first, *rest]) or 0
    if first in TASKS:
        return _task(TASKS[first])(rest) or 0
    return start(arguments)


def _task(module: str) -> Callable[[Sequence[str]], int | None]:
    run: Callable[[Sequence[str]], int | None] = import_module(module).main
    return run


def start(arguments: Sequence[str]) -> int:
    """Start the app, on this machine alone unless another host is named."""
    parser = argparse.ArgumentParser(prog="samplescope", description="Start Samplescope.", epilog=MORE)
    parser.add_argument(
        "--lessons", type=Path, action="append", default=[], metavar="FOLDER", help="of your own lessons"
    )
    parser.add_argument("--host", default="localhost", help="0.0.0.0 serves other machines as well")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    options = parser.parse_args(arguments)
    os.environ[LESSONS] = os.pathsep.join(str(folder.resolve()) for folder in (*named(), *options.lessons))
    if options.host == "localhost":
        os.environ.setdefault(UPLOADS, ALONE)
    os.chdir(ROOT)  # Streamlit reads the settings in .streamlit from there
    from streamlit.web import cli

    where = ["--server.address", options.host, "--server.port", str(options.port)]
    where += ["--server.headless", "true"] if options.no_browser else []
    sys.argv = ["streamlit", "run", str(ROOT / "app.py"), *where]
    cli.main()
    return 0
