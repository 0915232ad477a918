"""Publish a course as a folder that plays without a server: ``python -m pages.publish all --out course``."""

import argparse
import hashlib
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from lessons.check.again import again_id
from lessons.course.library import Library
from lessons.course.plan import Plan
from lessons.failing import words_of
from lessons.format.course_file import WHOLE, is_course
from lessons.format.folders import LESSONS
from lessons.format.lesson import Lesson
from lessons.installed import called
from pages.embed.page import style as stage_style
from pages.embed.routes import ELEMENT
from pages.lesson.lessons import library
from pages.player.modules import BUILD
from pages.publish.bundle import STAGE, charting, script
from pages.publish.crawl import pack_json
from pages.publish.described import described
from pages.publish.folder import MARK, Folder, NotOursError
from pages.publish.lesson import Writer
from pages.publish.messages import Course
from pages.publish.packaged import alone, launched, manifest, tincan, zipped
from pages.publish.page import BARE, bare, course, fonts, index, styles

MASTERY = 60  # per cent of its questions right at the first try
Packs = Mapping[str, Sequence[str]]  # files of each lesson, by its id


class Chosen(NamedTuple):
    """The plan to publish, and the ids of its lessons."""

    plan: Plan
    lessons: tuple[Lesson, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Publish a course; return 0 if every lesson of it is there."""
    program = called("python -m pages.publish", "samplescope publish")
    parser = argparse.ArgumentParser(prog=program, description="Publish a course as a folder of files.")
    what = f"“{WHOLE}”, ids of lessons, a course.yaml, or a folder of lessons"
    parser.add_argument("course", nargs="+", metavar="COURSE", help=what)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the course will be")
    parser.add_argument("--live", default="", metavar="URL", help="the app's address, for what needs a server")
    parser.add_argument("--zip", action="store_true", help="also as one file, FOLDER.zip")
    parser.add_argument("--scorm", action="store_true", help="also as a SCORM 1.2 package, FOLDER-scorm.zip")
    parser.add_argument(
        "--mastery",
        type=int,
        default=MASTERY,
        metavar="N",
        help="its lessons are passed from N per cent on, 60 if left out",
    )
    parser.add_argument("--xapi", action="store_true", help="also as a package for xAPI, FOLDER-xapi.zip")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="how many at a time")
    options = parser.parse_args(arguments)
    for path in map(Path, options.course):
        if path.is_dir() or (is_course(path) and path.is_file()):
            folder = path if path.is_dir() else path.parent  # whose lessons are read as well
            known = filter(None, [os.environ.get(LESSONS, ""), str(folder.resolve())])
            os.environ[LESSONS] = os.pathsep.join(known)
    try:
        chosen, problems = _chosen(library(), options.course)
        out = Folder(options.out)
        beside = _beside(out)
        files, broken = _make(out, [*chosen.lessons, *_on_other_runs(chosen.lessons)], options.processes)
        problems += broken
        found = course(
            chosen.plan,
            library().terms,
            {name: packs[0].removeprefix("packs/").removesuffix(".js") for name, packs in files.items()},
            options.live,
            beside.vega,
        )
        if files:
            kept = {*beside.all, *(name for packs in files.values() for name in packs)}
            out.write(BARE, bare(found, beside.stage_style, beside.stage))
            out.write(ELEMENT.name, ELEMENT.read_bytes())
            out.finish(index(found, beside.style, beside.code, described(chosen.plan, files)), kept, list(files))
            many = sum(lesson.id in files for lesson in chosen.lessons)
            print(f"{options.out}: {many} lessons, {out.size / 1e6:.1f} MB. Open {options.out / 'index.html'}")
            kinds = {"zip": options.zip, "scorm": options.scorm, "xapi": options.xapi}
            problems += _packages(out.place, found, beside, files, kinds, options.mastery)
    except (NotOursError, UnknownError) as error:
        parser.error(str(error))
    except OSError as error:
        print(f"Nothing was published: {error}. The last complete course is as it was.", file=sys.stderr)
        return 1
    for problem in problems:
        print(problem, file=sys.stderr)
    return bool(problems)


def _on_other_runs(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Return the lessons that ask one question of these again, on another run; the others need no file of their own."""
    names = [again_id(lesson.id, step.id) for lesson in lessons for step in lesson.steps if step.returns and step.again]
    return [found for name in names if (found := library().lesson(name))]


class Beside(NamedTuple):
    """The addresses of Vega, of style sheets and scripts beside the pages, and all of these with the fonts."""

    vega: str
    style: str
    code: str
    stage_style: str
    stage: str
    all: tuple[str, ...]


def _beside(folder: Folder) -> Beside:
    """Write what lies beside the page; first, as the code may change while lessons are made."""
    faces = {f"app/{name}": content for name, content in fonts().items()}
    for name, content in faces.items():
        folder.write(name, content)
    vega, code = folder.named("app/vega.js", charting()), folder.named("app/course.js", script())
    style = folder.named("app/course.css", styles())
    look, stage = folder.named("app/stage.css", stage_style()[0]), folder.named("app/stage.js", script(STAGE))
    return Beside(vega, style, code, look, stage, (vega, style, code, look, stage, *faces))


def _packages(
    place: Path, found: Course, beside: Beside, files: Packs, kinds: Mapping[str, bool], mastery: int = MASTERY
) -> list[str]:
    """Write the packages whose kinds are asked for; return a sentence on what went wrong."""
    packages: dict[Path, tuple[dict[str, str], tuple[str, ...]]] = {}
    if kinds["zip"]:
        packages[place.with_name(f"{place.name}.zip")] = {}, ()
    if kinds["scorm"]:
        pages = {
            launched(lesson): index(alone(found, section, lesson), beside.style, beside.code)
            for section in found["sections"]
            for lesson in section["lessons"]
        }
        pages["imsmanifest.xml"] = manifest(found, files, (*beside.all, BARE, ELEMENT.name), mastery)
        packages[place.with_name(f"{place.name}-scorm.zip")] = pages, ("index.html", MARK)
    if kinds["xapi"]:
        packages[place.with_name(f"{place.name}-xapi.zip")] = {"tincan.xml": tincan(found)}, (MARK,)
    try:
        for path, (added, without) in packages.items():
            print(zipped(place, path, added, without))
    except OSError as error:
        return [f"{path.name} was not written: {error}. The course in {place} is complete."]
    return []


class UnknownError(ValueError):
    """A name that no lesson and no course has."""


def _chosen(known: Library, names: Sequence[str]) -> tuple[Chosen, list[str]]:
    """Return the plan that is named, and a sentence on each lesson that cannot be published."""
    lessons = {lesson.id: lesson for lesson in known.lessons}
    courses = {course.path.resolve(): course for course in known.courses.values()}
    folders = {Path(name).resolve() for name in names}
    names = [own for name in names for own in _in_folder(known, Path(name)) or [name]]
    if len(names) == 1 and (found := courses.get(Path(names[0]).resolve()) or known.courses.get(names[0])):
        plan = Plan(known.lessons, found)
        return Chosen(plan, plan.lessons), known.left_out(*known.folders)
    if list(names) == [WHOLE]:
        plan = Plan(known.lessons)
        return Chosen(plan, plan.lessons), known.left_out(*known.folders)
    for name in names:
        if name not in lessons and (wrong := known.left_out(Path(name).resolve())):
            raise UnknownError(f"there is no valid lesson in {name}: {'; '.join(wrong)}")
        if name not in lessons:
            near = get_close_matches(name, [*lessons, *known.courses, WHOLE], 1)
            raise UnknownError(f"there is no lesson or course {name}" + (f"; is it {near[0]}?" if near else ""))
    some = tuple(lessons[name] for name in dict.fromkeys(names))
    return Chosen(Plan(some), some), known.left_out(*folders)


def _in_folder(known: Library, folder: Path) -> list[str]:
    """Return the only course of a folder, or else the ids of its lessons; nothing if it is not a folder."""
    here = folder.resolve()
    of_it = [str(course.path) for course in known.courses.values() if course.path.resolve().parent == here]
    return of_it if len(of_it) == 1 else [lesson.id for lesson in known.lessons if lesson.path.resolve().parent == here]


def _make(folder: Folder, lessons: Sequence[Lesson], processes: int) -> tuple[dict[str, list[str]], list[str]]:
    """Make the lessons that are not there yet; return the packs of each, and a sentence on each that failed."""
    shown = frozenset(lesson.id for lesson in lessons)
    keys = {lesson.id: _key(lesson, shown) for lesson in lessons}
    files = {name: packs for name, key in keys.items() if (packs := folder.made(name, key))}
    wrong = []
    todo = [lesson for lesson in lessons if lesson.id not in files]
    with ProcessPoolExecutor(min(processes, len(todo) or 1)) as pool:
        under_way = {pool.submit(_publish, lesson.id, folder, keys[lesson.id], shown): lesson.id for lesson in todo}
        for done in as_completed(under_way):
            name = under_way[done]
            try:
                files[name] = done.result()
            except OSError:
                pool.shutdown(cancel_futures=True)
                raise
            except Exception as error:
                wrong.append(f"{name} is left out: {words_of(error)}")
            print(f"\r{len(files)} of {len(lessons)} lessons: {name:40}", end="", file=sys.stderr, flush=True)
    if todo:
        print(file=sys.stderr)
    return {lesson.id: files[lesson.id] for lesson in lessons if lesson.id in files}, wrong


def _key(lesson: Lesson, shown: frozenset[str]) -> str:
    """Return a digest of the sources of a lesson's files: the code, the lesson, and where its links can lead."""
    seal = hashlib.sha256(f"{BUILD} {sorted(shown)} {library().terms}".encode())
    seal.update(lesson.path.read_bytes())
    seal.update(repr((sorted(lesson.pictures.items()), lesson.held and lesson.held.digest)).encode())
    return seal.hexdigest()[:16]


def _publish(name: str, folder: Folder, key: str, shown: frozenset[str]) -> list[str]:
    """Write a lesson's files in a process of its own; return their names, the lesson's own first."""
    logging.disable(logging.WARNING)
    lesson = library().lesson(name)
    assert lesson is not None  # the process that asks has read it as well
    packs: list[str] = []

    def write(path: str, text: str) -> None:
        folder.write(path, text)
        packs.append(path)

    found = Writer(library(), shown).published(lesson, write)
    own = f"packs/{pack_json(found, write)}.js"
    packs = [own, *dict.fromkeys(one for one in packs if one != own)]
    folder.note(name, key, packs)
    return packs


if __name__ == "__main__":
    logging.disable(logging.WARNING)  # Streamlit says at length that no page is open
    raise SystemExit(main())
