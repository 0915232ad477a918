"""Check lessons from the command line, or print the JSON Schema or the reference of what they may say."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from lessons.reader.files import inspect
from lessons.reader.folders import folders, missing
from lessons.reader.reference import reference
from lessons.reader.schema import json_schema


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        What stands behind the program's name; ``sys.argv[1:]`` if left out.

    Returns
    -------
    int
        0 if all is well, 1 if a lesson has a problem. Wrong usage ends the program with 2.
    """
    parser = argparse.ArgumentParser(prog="python -m lessons.reader", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checker = commands.add_parser("check", help="read lessons, run their run steps, and list every problem")
    checker.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="a file, or a folder of lessons")
    commands.add_parser("schema", help="print the JSON Schema of front matter, step block and stage settings")
    commands.add_parser("stages", help="print the reference of all stages, which is kept in lessons/reader/STAGES.md")
    options = parser.parse_args(arguments)
    if options.command == "schema":
        print(json.dumps(json_schema(), indent=2, ensure_ascii=False))
        return 0
    if options.command == "stages":
        print(reference(), end="")
        return 0
    for path in options.paths:
        if not path.exists():
            parser.error(f"there is no file or folder {path}")
    if not options.paths and (said := missing()):
        parser.error("\n".join(said))
    return _check(options.paths or [_near(folder) for folder in folders()])


def _check(paths: Sequence[Path]) -> int:
    readings = inspect(paths)
    problems = 0
    for reading in readings:
        for problem in reading.problems:
            print(problem.framed(reading.source), end="\n\n")
            problems += 1
    lessons = sum(reading.is_lesson for reading in readings)
    print(f"{_counted(lessons, 'lesson')}, {_counted(problems, 'problem')}")
    return 1 if problems else 0


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _near(path: Path) -> Path:
    """Return a path as seen from here, if it is below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


if __name__ == "__main__":
    sys.exit(main())
