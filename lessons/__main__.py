"""Check lessons, list them, begin one, make a table of what a class handed in, or print what lessons may say."""

import argparse
import io
import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lessons.check.checker import Checker
from lessons.check.files import Reading
from lessons.check.runs import untried
from lessons.check.seeds import endings, seeds_of, table
from lessons.course.gradebook import Class
from lessons.course.learners import DOWNLOADS, handed_in, latest
from lessons.course.library import Library
from lessons.course.spreadsheet import ENCODING, as_csv
from lessons.course.tables import answers, for_platform, grades
from lessons.course.template import STAGE, write_lesson
from lessons.format.course_file import Course, is_course
from lessons.format.folders import LESSONS, folders, missing, named
from lessons.format.lesson import Lesson
from lessons.format.problems import Problem
from lessons.format.reference import reference
from lessons.format.schema import json_schema
from lessons.format.wording import did_you_mean
from lessons.installed import called
from lessons.topics import STAGES

Extra = Sequence[Callable[[Lesson], Iterator[str]]]  # what is said of a lesson beside its problems

PROGRAM = called("python -m lessons", "samplescope")
ADDRESS = "http://localhost:8501"  # of `make run`
POLL = 0.5  # seconds between two looks at the files
NO_FOLDER = (
    f"say in which folder of yours: {PROGRAM} new ../mine/{{}}, or name the folder in {LESSONS}. "
    "Beside the app's own lessons, a new version would overwrite it"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments after the program's name; ``sys.argv[1:]`` if left out.

    Returns
    -------
    int
        0 if all is well or there are warnings alone, 1 if a lesson or a file has a problem. Wrong usage ends the
        program with 2.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command == "schema":
        print(json.dumps(json_schema(), indent=2, ensure_ascii=False))
    elif options.command == "stages":
        print(reference(), end="")
    elif options.command == "list":
        _list()
    elif options.command == "new":
        return _new(options.name, options.stage)
    elif options.command == "collect":
        return _collect(options, *_asked(options, parser))
    else:
        return _checked(options, parser)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checker = commands.add_parser("check", help="read lessons, run their run steps, and list every problem")
    checker.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="a file, or a folder of lessons")
    checker.add_argument("--watch", action="store_true", help="go on, and check again what is saved, until Ctrl-C")
    checker.add_argument("--strict", action="store_true", help="let a warning count as a problem")
    checker.add_argument("--show", action="store_true", help="print what each run ends with, by the names of expect")
    checker.add_argument(
        "--seeds", type=_seeds, metavar="1..50", help="print what each step comes to with each of these seeds"
    )
    new = commands.add_parser("new", help="write a lesson to begin with")
    new.add_argument("name", metavar="NAME", help=f"such as ../mine/week-3; without a folder, in that of {LESSONS}")
    new.add_argument("--stage", metavar="TOPIC", choices=STAGES, default=STAGE, help=f"one of {', '.join(STAGES)}")
    commands.add_parser("list", help="print the id, topic, minutes and title of every lesson, by topic")
    commands.add_parser("schema", help="print the JSON Schema of front matter, step block and stage settings")
    commands.add_parser("stages", help="print the reference of all stages, which is kept in lessons/format/STAGES.md")
    collector = commands.add_parser("collect", help="make a table (CSV) of what a class handed in from My work")
    collector.add_argument("--page", type=Path, metavar="FILE", help="write a page of the class (HTML) there as well")
    collector.add_argument(
        "--grades", type=Path, metavar="FILE", help="write a row for each learner (CSV) there as well"
    )
    collector.add_argument("--for", dest="platform", choices=DOWNLOADS, help="give grades in its columns")
    collector.add_argument("--first-try", action="store_true", help="count first tries alone in these")
    collector.add_argument("--course", metavar="NAME", help="whose lessons count: week3, say, or course.yaml")
    collector.add_argument("--section", metavar="TITLE", default="", help="the only section of the course that counts")
    collector.add_argument("--address", metavar="URL", default=ADDRESS, help="the app's, to which the page links")
    collector.add_argument("folder", type=Path, metavar="FOLDER", help="where the my-work.json files are")
    return parser


def _list() -> None:
    library = Library(folders())
    for lesson in (lesson for stage in STAGES for lesson in library.for_stage(stage)):
        print(f"{lesson.id:28} {lesson.stage:14} {lesson.minutes:3} min  {lesson.title}")


def _asked(options: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[Library, Course | None]:
    """Return the library, and the course that is meant; end the program if folder, course or section is not there."""
    if not options.folder.is_dir():
        parser.error(f"there is no folder {options.folder}")
    library, name = Library(folders()), options.course or ""
    course = library.course(name)
    if name and course is None:
        known = [one.name or one.path.name for one in library.courses.values()]
        parser.error(f"there is no course '{name}' {did_you_mean(name, known)}")
    titles = [section.title for section in course.keys.sections] if course else []
    if options.section and options.section not in titles:
        parser.error(f"there is no section '{options.section}' {did_you_mean(options.section, titles)}")
    return library, course


def _checked(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    for path in options.paths:
        if not path.exists():
            parser.error(f"there is no file or folder {path}")
    if not options.paths and (said := missing()):
        parser.error("\n".join(said))
    paths = options.paths or [_near(folder) for folder in folders()]
    extra: list[Callable[[Lesson], Iterator[str]]] = [endings] if options.show else []
    if options.seeds:
        extra.append(lambda lesson: table(lesson, options.seeds))
    return _watch(paths, extra) if options.watch else _check(Checker(paths), extra, strict=options.strict)


def _seeds(text: str) -> range:
    try:
        return seeds_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _new(name: str, stage: str) -> int:
    """Write a lesson where its name says, or into the instructor's folder; return 1 if that cannot be."""
    path = Path(name)
    if name == path.name:
        if not (own := named()):
            print(NO_FOLDER.format(path.name), file=sys.stderr)
            return 1
        path = _near(own[-1]) / path
    path = path if path.suffix == ".md" else path.with_name(f"{path.name}.md")
    try:
        write_lesson(path, stage)
    except FileExistsError:
        print(f"{path} is there already; choose another name", file=sys.stderr)
    except FileNotFoundError:
        folder = shlex.quote(str(path.parent))
        print(f"there is no folder {path.parent}; make it first: mkdir -p {folder}", file=sys.stderr)
    except OSError as error:
        print(f"{path} cannot be written: {error.strerror}", file=sys.stderr)
    except ValueError as error:
        print(error, file=sys.stderr)
    else:
        quoted = shlex.quote(str(path))
        print(f"{path} is a lesson that you can play and change. Check it: {PROGRAM} check {quoted}")
        return 0
    return 1


def _watch(paths: Sequence[Path], extra: Extra) -> int:
    """Check, and again whenever a file is saved, until somebody stops it."""
    checker = Checker(paths)
    try:
        while True:
            _check(checker, extra)
            sys.stdout.flush()
            time.sleep(POLL)
    except KeyboardInterrupt:
        print()
        return 0


def _check(checker: Checker, extra: Extra, *, strict: bool = False) -> int:
    """Check what has changed, and print all that is found, with what else is said of each lesson.

    Return 1 if there is a problem.
    """
    again = checker.changed
    readings = checker.look()
    if readings is None:
        return 0
    if again:
        print(f"\n{time.strftime('%H:%M:%S')}  {', '.join(file.name for file in checker.changed)}", end="\n\n")
    for reading in readings:
        if (lesson := reading.lesson) is not None and reading.path in checker.changed:
            for lines in extra:
                print(*lines(lesson), sep="\n", end="\n\n")
    return _told(readings, checker.unread, strict=strict)


def _told(readings: Sequence[Reading], unread: Sequence[Problem], *, strict: bool) -> int:
    """Print all problems and, apart from them, all warnings; return 1 if there is a problem, or a strict warning."""
    problems = [problem.framed(reading.source) for reading in readings for problem in reading.problems]
    warnings = [warning.framed(reading.source) for reading in readings for warning in reading.warnings]
    warnings += map(str, unread)
    notes = [note for reading in readings for note in reading.notes]
    for each in problems:
        print(each, end="\n\n")
    if warnings:
        print("Valid, but probably not what you mean:", end="\n\n")
    for each in warnings:
        print(each, end="\n\n")
    if notes:
        print("Data that were read:", *notes, sep="\n", end="\n\n")
    lessons = _counted(sum(reading.is_lesson for reading in readings), "lesson")
    courses = sum(is_course(reading.path) for reading in readings)
    lessons += f", {_counted(courses, 'course')}" if courses else ""
    warned = f", {_counted(len(warnings), 'warning')}" if warnings else ""
    read = [reading.lesson for reading in readings if reading.lesson]
    goals = sum(len(untried(lesson, step)) for lesson in read for step in lesson.steps)
    left = f", {_counted(goals, 'goal')} not tried (--show says which)" if goals else ""
    print(f"{lessons}, {_counted(len(problems), 'problem')}{warned}{left}")
    return 1 if problems or (strict and warnings) else 0


def _collect(options: argparse.Namespace, library: Library, course: Course | None) -> int:
    """Print the table, write what else is asked for, and print to the other output what does not count."""
    left_out: list[str] = []
    earlier: list[str] = []
    files = [*handed_in(options.folder, left_out)]
    found = Class(latest(files, earlier), library, course, options.section)
    if options.page:
        options.page.write_text(found.page(options.address), "utf-8")
    if options.grades:
        first = options.first_try
        rows = for_platform(found, options.platform, first=first) if options.platform else grades(found)
        options.grades.write_text(as_csv(rows), ENCODING)
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():  # it goes to a file
        sys.stdout.reconfigure(encoding=ENCODING)
    print(as_csv(answers(files, library)), end="")
    for line in (*earlier, *left_out):
        print(line, file=sys.stderr)
    return 1 if left_out else 0


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _near(path: Path) -> Path:
    """Return a path as seen from here, if it is below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


if __name__ == "__main__":
    try:
        ended = main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads it has enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        ended = 1
    sys.exit(ended)
