"""Check where links and pictures of a lesson lead, each to what learners have: the web, a lesson, a mark, a picture."""

import difflib
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, parse_qsl, unquote

from lessons.format.pictures import PictureError, is_on_the_web, path_of, read_picture
from lessons.format.problems import Position, Problem, Report
from lessons.format.wording import did_you_mean
from lessons.settings.settings import StageSettings, read_text
from lessons.topics import STAGES

MARK = "#mark:"  # before a mark's name in a link that points at it
LESSON = "#lesson:"  # before a lesson's id in a link that opens it
OF_LINKS = ("lesson", "step", "seed", "view", "t", "course", "embed")  # what they say besides settings
ABROAD = ("http", "https", "mailto")
NO_TEXT = "this picture has no text for those who cannot see it; say what it shows: ![three tables](…)"
NOWHERE = f"a link leads to the web, https://…, to a lesson, {LESSON}its-id, or to a mark, {MARK}…"

_SCHEME = re.compile(r"([a-zA-Z][\w+.-]*):")
# Code stays as it is; then the end of a link's text and the id of a lesson.
_TO_LESSON = re.compile(
    r"(?ms:^[ ]{0,3}(?P<fence>`{3,}|~{3,}).*?(?:^[ ]{0,3}(?P=fence)|\Z))|(?P<ticks>`+)(?s:.*?)(?P=ticks)|\\."
    r"|\[(?P<text>(?:[^\[\]\\]|\\.)*)\]\(#lesson:(?P<id>[a-z0-9-]+)\)"
)


class Link(NamedTuple):
    """A link or a picture: the place of its address in the file, and the address.

    `text` is the text in its brackets, and `inline` is False for an address that is named elsewhere in the file.
    """

    place: Position
    target: str
    picture: bool = False
    text: str = ""
    inline: bool = True


def check_link(link: Link, model: type[StageSettings] | None, path: Path, report: Report) -> None:
    """Report a link that leads nowhere; whether there is a lesson with an id shows only beside the others."""
    target = link.target
    if target.startswith("#"):
        if not target.startswith(LESSON) and model is not None:
            _check_mark(link, model, report)
        return
    scheme = match[1].lower() if (match := _SCHEME.match(target)) else ""
    if scheme in ABROAD:
        if re.match(r"https?://(localhost|127\.0\.0\.1)\b", target):
            report.warn(link.place, "this address is that of the learner's own machine; " + NOWHERE)
    elif scheme:
        report(link.place, f"{scheme}: leads nowhere; {NOWHERE}")
    elif (name := _file(target)).lower().endswith(".md"):
        report(link.place, f"learners have no file {name[:40]}; a lesson is named by its id: {_named(path, name)}")
    elif lesson_of(link) is None and name.strip("/") not in STAGES:
        report(link.place, f"{target[:40] or 'this'} leads nowhere; {NOWHERE}")
    elif not link.picture and name.strip("/") in STAGES:
        _check_settings(link, STAGES[name.strip("/")], report)


def _check_settings(link: Link, model: type[StageSettings], report: Report) -> None:
    """Warn of names in a topic's link that the topic lacks, and of values that are none."""
    values = dict(parse_qsl(link.target.partition("#")[0].partition("?")[2], keep_blank_values=True))
    known = (*model.model_fields, *OF_LINKS)
    for name in values:
        if name not in known:
            report.warn(link.place, f"this link sets {name[:40]}, which its topic lacks {did_you_mean(name, known)}")
    for note in read_text(model, values)[1]:
        report.warn(link.place, f"this link is not quite right: {note}")


def lesson_of(link: Link) -> str | None:
    """Return the id of the lesson to which a link leads; None if it leads elsewhere."""
    if link.picture:
        return None
    if link.target.startswith(LESSON):
        return link.target.removeprefix(LESSON)
    if _file(link.target).strip("/") not in STAGES:
        return None
    return next(iter(parse_qs(link.target.partition("#")[0].partition("?")[2]).get("lesson", [])), None)


def astray(links: Collection[Link], path: Path, ids: Collection[str]) -> Iterator[Problem]:
    """Find the links that lead to a lesson which there is not among those with these ids."""
    for link in links:
        identifier = lesson_of(link)
        if identifier is not None and identifier not in ids:
            near = difflib.get_close_matches(identifier[:100], ids, n=1, cutoff=0.7)
            hint = f"did you mean '{near[0]}'?" if near else "its id is in its front matter"
            yield Problem(path, *link.place, f"there is no lesson '{identifier[:40]}' ({hint})")


def check_picture(link: Link, folder: Path, pictures: dict[str, str], report: Report) -> None:
    """Report a picture that cannot be shown, and keep one that lies beside the lesson under its name."""
    if not link.text.strip():
        report(link.place, NO_TEXT)
    if is_on_the_web(link.target):
        if link.target.lower().startswith("http:"):
            report.warn(link.place, "a page with https:// does not show a picture with http://; write https://")
        return
    if not link.inline:
        report(link.place, "the name of a picture follows its text: ![three tables](tables.png)")
        return
    try:
        pictures[unquote(link.target)] = read_picture(folder, link.target)
    except PictureError as wrong:
        report(link.place, str(wrong))


def beside_lesson(links: Collection[Link], folder: Path) -> tuple[Path, ...]:
    """Return the files that the pictures among these links mean, whether they are there or not."""
    found = []
    for link in links:
        if link.picture and link.inline and not is_on_the_web(link.target):
            with suppress(PictureError):
                found.append(path_of(folder, link.target))
    return tuple(dict.fromkeys(found))


def with_lessons(text: str, address: Callable[[str], str | None]) -> str:
    """Return Markdown in which links to lessons have their addresses; of a lesson that is gone the words alone stay.

    `address` returns the address of the lesson with an id, None if there is none.
    """
    if LESSON not in text:
        return text

    def led(match: re.Match[str]) -> str:
        if match["id"] is None:
            return match[0]
        there = address(match["id"])
        return match["text"] if there is None else f"[{match['text']}]({there})"

    return _TO_LESSON.sub(led, text)


def _check_mark(link: Link, model: type[StageSettings], report: Report) -> None:
    name = link.target.removeprefix(MARK)
    if name == link.target:
        report(link.place, f"{link.target[:40]} leads nowhere; a link on the page points at a mark: {MARK}…")
    elif wrong := not_a_mark(name, model, MARK):
        report(link.place, wrong)


def not_a_mark(name: str, model: type[StageSettings], before: str = "") -> str | None:
    """Return why this is the name of no mark of a stage, if that is so; `before` is written before a mark's name."""
    if name.endswith("-N"):
        return f"N stands for a number: {before}{name[:40].removesuffix('N')}1, say"
    if re.sub(r"-[1-9]\d*$", "-N", name) not in model.marks:
        return f"unknown mark '{name[:40]}' {did_you_mean(name, model.marks)}"
    return None


def _file(target: str) -> str:
    return unquote(target.partition("#")[0].partition("?")[0])


def _named(path: Path, name: str) -> str:
    """Return how a lesson is linked that lies beside another one, as far as its id can be read."""
    try:
        text = (path.parent / name).read_text("utf-8")[:2_000]
    except (OSError, ValueError):
        text = ""
    found = re.search(r"(?m)^id:\s*[\"']?([a-z0-9-]+)", text)
    return LESSON + (found[1] if found else "its-id")
