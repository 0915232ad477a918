"""Take one lesson file apart: front matter, steps, choices, hints and notes, each with its line.

Prose is sliced from the source, so that the page gets the Markdown as it was written. What the pieces must be to fit
together is checked elsewhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from lessons.format.invisible import check_signs
from lessons.format.leftover import NO_CHOICE, check_leftover, lookalikes
from lessons.format.links import Link
from lessons.format.placeholders import check_placeholders
from lessons.format.problems import Position, Report
from lessons.format.prose import braces_within, check_prose, first_column, inline_place, links_within, shades_within
from lessons.format.questions.answers import Choice
from lessons.format.schema import KEBAB_CASE, KINDS
from lessons.format.wording import did_you_mean

CONTAINERS = ("hint", "instructor")

_COLONS = re.compile(r" {0,3}:{3,}[ \t]*(.*?)[ \t]*")
_WITH_ID = re.compile(r"(?s)(.*?)\s*\{#([^}]*)\}")
_BOX = re.compile(r"\[[ \t]*([xX]?)[ \t]*\](?![(\[])[ \t]*")
_RIGHT_BOX = re.compile(r"\[[ xX]\][ \t]+")
_YAML = ("", "yaml", "yml")  # what a block of code may be called that is meant as a step block
_KIND = re.compile(rf"kind:\s*(?:{'|'.join(KINDS)})\s*")
_BREAK = "***"  # replaces a ::: line while the rest is parsed: it ends a list or a paragraph, as the author means


class _Markdown(MarkdownIt):
    """CommonMark in which every address is read, whatever its scheme: what cannot be followed is reported."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the parser's own name
        return True


class _Named(dict[str, Any]):
    """The addresses that a file gives names to; ``[^1]: Why.`` is a note, and no address called ^1."""

    def __setitem__(self, name: str, address: Any) -> None:
        if not name.startswith("^"):
            super().__setitem__(name, address)


_markdown = _Markdown("commonmark")
_coarse = _Markdown("commonmark").disable("inline")  # all that is needed to find containers, in half the time


@dataclass
class Section:
    """One step as the file holds it, before it is checked against the stage."""

    id: str
    title: str
    line: int
    body: str = ""
    choices: list[Choice] = field(default_factory=list)
    choice_line: int = 0  # of the first choice
    choice_lines: dict[str, int] = field(default_factory=dict)  # of each, by its key
    choices_complete: bool = True  # no line of them was unreadable
    hints: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    block: str | None = None  # the YAML of its step block
    block_line: int = 0  # on which that YAML begins
    block_closed: bool = True
    after: set[int] = field(default_factory=set)  # lines that are read after the answer: choices, reasons, notes
    measured: tuple[str, ...] = ()  # the outcomes of which its text has numbers
    meant_line: int = 0  # of a block of another kind that looks like a step block


@dataclass
class Outline:
    """The pieces of one file, each kind in the order of the file."""

    front: str | None
    sections: list[Section]
    links: list[Link] = field(default_factory=list)
    numbers: list[tuple[Position, str]] = field(default_factory=list)
    braces: list[tuple[Position, str]] = field(default_factory=list)  # with what is no number of the run
    shades: list[tuple[Position, str]] = field(default_factory=list)


@dataclass(frozen=True)
class _Container:
    name: str
    start: int
    end: int  # of its text; the closing line, if there is one, is this line
    closed: bool

    def lines(self) -> range:
        return range(self.start, self.end + self.closed)


def outline(text: str, report: Report) -> Outline:
    r"""Take a whole file apart, which has ``\n`` as the only line break."""
    lines = text.split("\n")
    front, body_start = _front_matter(lines, report)
    parsed = [""] * body_start + lines[body_start:]
    tokens = _coarse.parse("\n".join(parsed))
    headings = {token.map[0] for token in tokens if _is_step_heading(token) and token.map}
    fenced = {line for token in tokens if token.type == "fence" and token.map for line in range(*token.map)}
    containers = _containers(parsed, fenced, headings, report)
    for container in containers:
        parsed[container.start] = _BREAK
        if container.closed:
            parsed[container.end] = _BREAK
    env = {"references": _Named()}
    tokens = _markdown.parse("\n".join(parsed), env)
    check_signs(lines, body_start, report)
    check_prose(tokens, lines, report)
    check_leftover(tokens, lines, env, report)
    if body_start == len(lines) and front is None:
        return Outline(front, [])  # front matter that never ends has swallowed the rest
    sections = _Body(lines, containers, report).sections(tokens, body_start)
    check_placeholders(lines, fenced | {*range(body_start)}, report)
    apart = fenced | {line for container in containers for line in container.lines()} | {*range(body_start)}
    for number in lookalikes(lines, apart):
        report((number + 1, first_column(lines[number])), NO_CHOICE)
        for section in [one for one in sections if one.line <= number][-1:]:
            section.choices_complete = False
    braces = list(braces_within(tokens, lines))
    numbers, others = ([(place, raw) for place, raw, asks in braces if asks is kind] for kind in (True, False))
    return Outline(front, sections, links_within(tokens, lines), numbers, others, shades_within(tokens, lines))


def _front_matter(lines: Sequence[str], report: Report) -> tuple[str | None, int]:
    """Return the YAML at the top and the line on which the rest begins."""
    if lines[0].rstrip() != "---":
        report((1, 1), "a lesson begins with its front matter: keys and values between two lines of ---")
        first_step = next((number for number, line in enumerate(lines) if line.startswith("##")), len(lines))
        return None, max((number + 1 for number in range(first_step) if lines[number].rstrip() == "---"), default=0)
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            return "\n".join(lines[1:number]), number + 1
    report((1, 1), "this front matter is not closed; end it with a line of ---")
    return None, len(lines)


def _is_step_heading(token: Token) -> bool:
    return token.type == "heading_open" and token.level == 0 and token.markup == "##"


def _containers(lines: Sequence[str], fenced: set[int], headings: set[int], report: Report) -> list[_Container]:
    """Find the ::: containers. One that is not closed ends where the next one or the next step begins."""
    found: list[_Container] = []
    opened: tuple[int, str] | None = None

    def end(number: int, closed: bool) -> None:
        nonlocal opened
        if opened is None:
            return
        start, name = opened
        if not closed:
            report((start + 1, first_column(lines[start])), f"this ::: {name} is not closed; end it with a line of :::")
        found.append(_Container(name, start, number, closed))
        opened = None

    for number, line in enumerate(lines):
        match = _COLONS.fullmatch(line) if number not in fenced else None
        if number in headings or (match and match[1]):
            end(number, closed=False)
        if match and match[1]:
            opened = (number, match[1])
            if match[1] not in CONTAINERS:
                message = f"unknown container '{match[1][:40]}' {did_you_mean(match[1], CONTAINERS)}"
                report((number + 1, match.start(1) + 1), message)
        elif match and opened is None:
            report((number + 1, first_column(line)), "this ::: closes nothing; a hint begins with ::: hint")
        elif match:
            end(number, closed=True)
    end(len(lines), closed=False)
    return found


class _Body:
    """Everything below the front matter, on its way to sections."""

    def __init__(self, lines: Sequence[str], containers: Sequence[_Container], report: Report) -> None:
        self._lines = lines
        self._containers = containers
        self._report = report
        self._in_container = {line for container in containers for line in container.lines()}
        self._taken = set(self._in_container)  # lines that are no prose
        self._sections: list[Section] = []
        self._prose_before = False
        self._title: tuple[str, int] | None = None  # a heading with # since the last step began, and its line
        self._choices_end = 0  # the line behind the last choices

    def sections(self, tokens: Sequence[Token], start: int) -> list[Section]:
        """Sort the top-level blocks, and what the containers hold, into steps."""
        for block in _blocks(tokens):
            self._sort(block)
        for container in self._containers:
            self._add_container(container)
        ends = [section.line - 1 for section in self._sections[1:]] + [len(self._lines)]
        for section, end in zip(self._sections, ends, strict=False):  # without a section there is still an end
            kept = [self._lines[line] for line in range(section.line, end) if line not in self._taken]
            section.body = "\n".join(kept).strip("\n")
        if not self._sections and not self._prose_before:
            self._report((min(start + 1, len(self._lines)), 1), "there is no step; begin one with ## A title {#its-id}")
        return self._sections

    def _sort(self, block: Sequence[Token]) -> None:
        first = block[0]
        line = first.map[0] if first.map else 0
        self._check_fences(block)
        if line in self._in_container:
            return
        if _is_step_heading(first):
            self._begin_section(block[1], line)
        elif first.type == "heading_open" and first.markup[0] == "#" and self._is_meant_as_step(first, block[1]):
            self._prose_before = not self._sections
        elif not self._sections and first.type == "heading_open" and first.markup == "-":
            self._prose_before = True  # a heading that is reported as such
        elif not self._sections:
            self._report_before(line)
        elif first.type == "fence":
            self._take_fence(first, self._sections[-1])
        elif first.type in ("bullet_list_open", "ordered_list_open"):
            self._take_choices(block, self._sections[-1])
        elif first.type == "blockquote_open":
            self._take_stray_reason(first, self._sections[-1])

    def _is_meant_as_step(self, heading: Token, content: Token) -> bool:
        """Report a heading that only looks like a step's; with an id it begins one all the same."""
        assert heading.map is not None
        line, with_id = heading.map[0], _WITH_ID.fullmatch(content.content) is not None
        if with_id:
            what = "the title of a lesson belongs in the front matter" if heading.tag == "h1" else "this is not a step"
            self._report((line + 1, 1), f"{what}; a step begins with ##, not {heading.markup}")
            self._begin_section(content, line)
        elif heading.tag == "h1":
            self._report((line + 1, 1), "the title belongs in the front matter; a step begins with ##, not #")
            self._title = content.content, line
        return with_id or heading.tag == "h1"

    def _take_stray_reason(self, quote: Token, section: Section) -> None:
        """Take a quote right under a choice without a reason for that reason, and say to indent it."""
        assert quote.map is not None
        start, end = quote.map
        between = self._lines[self._choices_end : start]
        if not section.choices or section.choices[-1].reason or not self._choices_end or any(map(str.strip, between)):
            return
        place = (start + 1, first_column(self._lines[start]))
        self._report(place, "indent this quote by two spaces, so that it belongs to its choice")
        reason = "\n".join(_unquoted(line) for line in self._lines[start:end]).strip()
        section.choices[-1] = replace(section.choices[-1], reason=reason or "…")
        self._taken.update(range(start, end))

    def _report_before(self, line: int) -> None:
        if not self._prose_before:
            self._report((line + 1, 1), "this is before the first step; put ## A title {#its-id} above it")
        self._prose_before = True

    def _begin_section(self, heading: Token, line: int) -> None:
        match = _WITH_ID.fullmatch(heading.content)
        title, identifier = (match[1], match[2]) if match else (heading.content, "")
        column = self._lines[line].rfind("{#") + 1 or 1
        if not match:
            slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "first-step"
            bare = re.search(r"\{([a-z0-9-]+)\}\Z", title)
            message = f"this step needs an id at the end of its line, such as {{#{slug}}}"
            self._report((line + 1, 1), f"an id has a # before it: {{#{bare[1][:40]}}}" if bare else message)
        elif not re.match(KEBAB_CASE, identifier):
            message = "a step's id is small letters, digits and hyphens, such as {#before-you-press-step}"
            self._report((line + 1, column), message)
        elif twin := next((section for section in self._sections if section.id == identifier), None):
            message = f"the id '{identifier[:40]}' is taken by the step on line {twin.line}"
            self._report((line + 1, column), message)
        if not title:
            self._report((line + 1, 1), "this step has no title")
        if any(child.type == "image" for child in heading.children or []):
            self._report((line + 1, 1), "a title has no room for a picture; put it below")
        self._sections.append(Section(identifier, title, line + 1))
        self._title, self._choices_end = None, 0

    def _check_fences(self, block: Sequence[Token]) -> None:
        for token in block:
            if token.type != "fence" or not token.map:
                continue
            start = token.map[0]
            if not self._closed(token):
                place = (start + 1, self._lines[start].find(token.markup) + 1)
                self._report(place, f"this {token.markup} is not closed; end it with a line of {token.markup}")
            elif token.info.strip() == "step" and (token.level or start in self._in_container):
                message = "put a step block by itself, at the left margin and outside :::"
                self._report((start + 1, self._lines[start].find(token.markup) + 1), message)

    def _closed(self, fence: Token) -> bool:
        assert fence.map is not None
        start, end = fence.map
        last = self._lines[end - 1].strip(" \t>")
        heading = "|## " if fence.info.strip() == "step" else ""
        again = re.compile(rf" {{0,3}}{re.escape(fence.markup)}[^`~\s]{heading}")
        if any(again.match(line) for line in self._lines[start + 1 : end - 1]):
            return False  # the next block or step begins inside: the line that closes this one belongs to another
        return end - start > 1 and len(last) >= len(fence.markup) and set(last) == set(fence.markup)

    def _take_fence(self, fence: Token, section: Section) -> None:
        assert fence.map is not None
        start, end = fence.map
        kind = fence.info.strip()
        if kind != "step":
            if kind.lower() in ("step", "steps"):
                self._report((start + 1, 1), f"a step block begins with {fence.markup}step, not {fence.markup}{kind}")
            elif kind.lower() in _YAML and any(map(_KIND.fullmatch, self._lines[start + 1 : end])):
                section.meant_line = section.meant_line or start + 1
            return
        self._taken.update(range(start, end))
        if section.block_line and self._title:  # the step that it belongs to began with a heading that is reported
            section = Section("", self._title[0], self._title[1] + 1)
            self._sections.append(section)
            self._title = None
        if section.block_line:
            message = f"this step has a step block already, on line {section.block_line - 1}"
            self._report((start + 1, 1), message)
            return
        section.block = "\n".join(self._lines[start + 1 : end - 1])
        section.block_line = start + 2
        section.block_closed = self._closed(fence)

    def _take_choices(self, block: Sequence[Token], section: Section) -> None:
        """Read a task list, if that is what the list is."""
        items = [_blocks(item[1:-1], level=2) for item in _blocks(block[1:-1], level=1)]
        paragraphs = [item[0][1] if item and item[0][0].type == "paragraph_open" else None for item in items]
        boxes = [_BOX.match(paragraph.content) if paragraph else None for paragraph in paragraphs]
        if not any(boxes) or not block[0].map:
            return
        self._taken.update(range(*block[0].map))
        self._choices_end = block[0].map[1]
        section.after.update(range(block[0].map[0] + 1, block[0].map[1] + 1))
        section.choice_line = section.choice_line or block[0].map[0] + 1
        if block[0].type == "ordered_list_open":
            self._report((block[0].map[0] + 1, 1), "choices are not numbered; begin each with - [ ] or - [x]")
        starts = [token.map[0] for token in block if token.type == "list_item_open" and token.level == 1 and token.map]
        for item, paragraph, box, start in zip(items, paragraphs, boxes, starts, strict=True):
            if paragraph is None or box is None or not _RIGHT_BOX.match(paragraph.content):
                place = inline_place(paragraph, 0, self._lines) if paragraph else (start + 1, 1)
                section.choices_complete = False
                self._report(place, "a choice begins with - [ ] or, if it is right, with - [x], and a space after it")
            else:
                choice = self._choice(item, paragraph, box, start)
                if choice.key in (other.key for other in section.choices):
                    message = f"this question has another choice '{choice.key[:40]}'; give one of them an id of its own"
                    self._report((start + 1, first_column(self._lines[start])), message)
                section.choices.append(choice)
                section.choice_lines.setdefault(choice.key, start + 1)

    def _choice(self, item: Sequence[Sequence[Token]], paragraph: Token, box: re.Match[str], start: int) -> Choice:
        reasons = []
        for block in item[1:]:
            assert block[0].map is not None
            if block[0].type == "blockquote_open":
                reasons.append("\n".join(_unquoted(line) for line in self._lines[slice(*block[0].map)]).strip())
            else:
                place = (block[0].map[0] + 1, first_column(self._lines[block[0].map[0]]))
                self._report(place, "only a reason, quoted with >, goes under a choice")
        reason = "\n\n".join(reasons)
        text, identifier = paragraph.content[box.end() :], ""
        if match := _WITH_ID.fullmatch(text):
            text, identifier = match.groups()
            if not text:
                self._report((start + 1, first_column(self._lines[start])), "this choice has no text")
            if not re.match(KEBAB_CASE, identifier):
                place = inline_place(paragraph, paragraph.content.rfind("{#"), self._lines)
                self._report(place, "a choice's id is small letters, digits and hyphens, such as {#one-half}")
        return Choice(text, box[1].lower() == "x", reason, identifier)

    def _add_container(self, container: _Container) -> None:
        section = next((section for section in reversed(self._sections) if section.line <= container.start), None)
        text = "\n".join(self._lines[container.start + 1 : container.end]).strip("\n")
        if section is None:
            self._report_before(container.start)
        elif container.name == "hint":
            section.hints.append(text)
        else:
            section.notes.append(text)
            section.after.update(line + 1 for line in container.lines())
        if not text.strip():
            self._report((container.start + 1, 1), f"this ::: {container.name} is empty")


def _blocks(tokens: Sequence[Token], level: int = 0) -> list[list[Token]]:
    """Cut tokens into blocks that begin and end at one level."""
    blocks: list[list[Token]] = []
    for token in tokens:
        if not blocks or (token.level == level and token.nesting >= 0):
            blocks.append([])
        blocks[-1].append(token)
    return blocks


def _unquoted(line: str) -> str:
    return re.sub(r"^\s*(> ?)?", "", line)
