"""Walks a lesson as a learner does, with wrong and right answers: one walk for the app and for a published course.

What is seen on the way is what the two must share: the words, the cards, the player's numbers, and the main picture.
"""

import base64
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageFilter
from playwright.sync_api import Page

from lessons.format.lesson import Lesson, Step
from lessons.format.order import in_order
from samplers.judge.bank import PROBLEMS
from tests.browser.driver import Screen, Server
from tests.browser.snippets import PLAYER

FEW = 0.01  # of a picture's pixels: texts and edges end elsewhere by part of a pixel
LOOSE = 0.4  # of a small copy, where a page leaves its charts other room, and margins are another part of it
PATIENCE = 90  # seconds that a place may take to come to rest
# The words of a part without its formulas, which the app draws by KaTeX and a published course by MathML, without what
# is hidden and without names of icons.
SEEN = f"""() => {{
  const drop = ".katex, math, style, script, .drawn-chart, .unseen, [data-testid=stIconMaterial]," +
      "[data-testid=stAlertDynamicIcon], [data-testid=stTooltipIcon], [data-testid=stHeaderActionElements]," +
    "[role=img], .hint, input, select, label, button, .stSelectbox, svg text";
  const textOf = (part) => {{
    const copy = part.cloneNode(true);
    copy.querySelectorAll(drop).forEach((one) => one.remove());
    return copy.textContent.replace(/[☐☑]/g, "").replace(/\\s+/g, "");
  }};
  const words = (query) => [...document.querySelectorAll(query)].map(textOf).filter(Boolean);
  const player = {PLAYER}, {{ painter, message, state }} = player;
  const main = painter.views.find(({{ figure }}) => figure.checkVisibility({{ visibilityProperty: true }}));
  const shown = painter.views.filter(({{ figure }}) => figure.checkVisibility({{ visibilityProperty: true }}));
  return {{
    title: words(".st-key-text h2")[0] ?? "",
    reasons: words(".st-key-question :is(.stAlert, .said, .proof)"),
    cards: words(".st-key-inspector").map((text) => text.includes("ESSasecond") ? text.replace(/[\\d.,]+/g, "") : text),
    now: player.root.querySelector("[data-part=now]").textContent.replace(/ of .*/, ""), // a copy has a part of a run
    captions: shown.map(({{ figure }}) => textOf(figure.querySelector("figcaption"))),
    lock: message.lock.filter((act) => act !== "controls"),
    at: player.at,
    source: message.source,
    picture: main ? main.figure.querySelector("canvas").toDataURL() : "",
  }};
}}"""

# as the picture tells a guess to the form
GUESSED = "detail => document.dispatchEvent(new CustomEvent('samplescope:guess', { detail }))"


@dataclass
class Seen:
    """The screen where the walk rests.

    Attributes
    ----------
    where : str
        The step, and what was done there last.
    words : dict
        The title, reasons, cards, captions and the counter, without blanks and formulas; what is locked; the run.
    picture : numpy.ndarray
        The pixels of the first chart, shape (height, width, 4).
    """

    where: str
    words: dict[str, Any]
    picture: np.ndarray


WITHOUT_THE_STAGE = ("title", "reasons")


class Walk:
    """A page of the app, or of a published course, on which a lesson is walked.

    Parameters
    ----------
    page : playwright.sync_api.Page
        A fresh page that keeps no answers.
    place : str
        The app's address, or that of the course's page, which ends in ``index.html``.
    """

    def __init__(self, page: Page, place: str) -> None:
        self.screen = Screen(page, Server(place, ()))
        self.page, self.place = page, place
        self.published = place.endswith("index.html")

    def open(self, lesson: Lesson, step: Step) -> None:
        """Go to a step by its address."""
        names = f"lesson={lesson.id}&step={step.id}"
        self.page.goto(f"{self.place}#{names}" if self.published else f"{self.place}/{lesson.stage}?{names}")

    def all_of(self, lesson: Lesson) -> Iterator[Seen]:
        """Walk through all steps: each question is answered wrong where there is another try, and right."""
        self.open(lesson, lesson.steps[0])
        for step in lesson.steps:
            yield self.see(lesson, step, "opens")
            if step.choices and not step.once:
                self.answer(lesson, step, right=False)
                yield self.see(lesson, step, "wrong")
                self.screen.heard()
                self.page.get_by_role("button", name=step.form.again).click()
                self.page.get_by_role("button", name=_check(step), exact=True).wait_for()
                yield self.see(lesson, step, "again")
            if step.choices:
                self.answer(lesson, step, right=True)
                yield self.see(lesson, step, "right")
            if step.until is not None:
                self.page.evaluate(f"t => {PLAYER}.settle(t)", step.until)
                yield self.see(lesson, step, "run")
            self.page.locator(".st-key-next button").click()
        yield self.see(lesson, lesson.pages[-1], "ends")

    def wrong_guesses(self, lesson: Lesson) -> Iterator[Seen]:
        """Answer each question that has one try alone wrong, on pages that know no answer."""
        for step in lesson.steps:
            if step.choices and step.once and self.wrong(step):
                self.open(lesson, step)
                self.see(lesson, step, "opens")
                self.answer(lesson, step, right=False)
                yield self.see(lesson, step, "wrong guess")

    @staticmethod
    def wrong(step: Step) -> tuple[str, ...]:
        """Return a wrong answer; () if there is none."""
        if step.form.lists:
            tried = [(choice.key,) for choice in step.choices]
        elif step.form.problem:
            forms = PROBLEMS[step.form.problem].wrong.values()
            tried = [tuple(form) for some in forms for form in some if not callable(form)]
        else:
            right = float(step.answers.right_keys[0])
            low, high = step.form.limits or (right - 10, right + 10)
            tried = [(f"{value:.10g}",) for value in (high, low, low + step.form.grain)]
        return next((keys for keys in tried if step.can_have(keys) and not step.is_right(keys)), ())

    def answer(self, lesson: Lesson, step: Step, *, right: bool) -> None:
        """Answer the open question and have it checked."""
        keys = step.answers.right_keys if right else self.wrong(step)
        question = self.page.locator(".st-key-question")
        if step.form.problem:
            for field, line in zip(question.locator(".rule-line input").all(), keys, strict=False):
                field.fill(line)
        elif step.ask.guessed:
            value = keys[0]
            if step.form.look == "slider":  # as the slider can be set
                value = f"{round(float(value) / step.form.grain) * step.form.grain:.10g}"
            self.page.evaluate(GUESSED, value)
        else:
            for number, choice in enumerate(in_order(lesson.id, step)):
                if choice.key in keys:
                    question.locator("label input").nth(number).dispatch_event("click")  # Next may lie over it
        self.screen.heard()
        check = self.page.get_by_role("button", name=_check(step), exact=True)
        check.click()
        check.wait_for(state="detached")
        if step.form.problem:
            question.locator(".proof").wait_for()

    def see(self, lesson: Lesson, step: Step, what: str) -> Seen:
        """Wait until nothing moves any more, and look."""
        self.page.get_by_role("heading", level=2).filter(visible=True).first.wait_for()
        self.page.wait_for_function(
            f"""([lesson, step]) => {{
              const link = new URLSearchParams({PLAYER}?.message.link);
              return link.get("lesson") === lesson && link.get("step") === step;
            }}""",
            arg=[lesson.id, step.id],
            timeout=PATIENCE * 1000,
        )
        self.screen.settle(PATIENCE)
        self.screen.heard()
        self.page.evaluate(f"() => {PLAYER}.reporter.flush()")  # walks that last end at once
        self.page.evaluate(f"() => {PLAYER}.painter.resized()")  # charts are laid out by what they show now, not first
        self.screen.settle(PATIENCE)
        self.page.wait_for_function("() => !document.querySelector('.st-key-inspector [aria-busy=true]')")
        words = self.page.evaluate(SEEN)
        shown = self.page.locator("figure canvas").filter(visible=True).first
        picture = _pixels(words.pop("picture")) if shown.count() else np.zeros((0, 0, 4))
        if step.form.problem in lesson.settings_for(step).ruled:  # the app's stage plays the learner's rule
            words, picture = {name: words[name] for name in WITHOUT_THE_STAGE}, np.zeros((0, 0, 4))
        return Seen(f"{step.id}: {what}", words, picture)


def _check(step: Step) -> str:
    """Return the name of the button by which an answer is given."""
    return "Prove it" if step.form.problem else "Check"


def _pixels(address: str) -> np.ndarray:
    image = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
    return np.asarray(image.convert("RGBA"), np.int16)


def differences(one: Seen, other: Seen) -> list[str]:
    """Return in what two sights differ, a line each."""
    found = [] if one.where == other.where else [f"{one.where} is {other.where}"]
    for name in one.words:
        if one.words[name] != other.words[name]:
            found.append(f"{one.where}: {name}: {_first(one.words[name], other.words[name])}")
    if bool(one.picture.size) != bool(other.picture.size):
        found.append(f"{one.where}: picture: {one.picture.shape} is {other.picture.shape}")
    elif (share := unlike(one.picture, other.picture)) > (FEW if one.picture.shape == other.picture.shape else LOOSE):
        found.append(f"{one.where}: picture: {share:.1%} of its pixels differ")
    return found


def unlike(one: np.ndarray, other: np.ndarray) -> float:
    """Return the share of pixels that differ; of pictures that have room of other sizes, of small copies of them."""
    if not one.size:
        return 0.0
    size, blur = (one.shape[1::-1], 2.0) if one.shape == other.shape else ((24, 18), 1.0)
    first, second = (
        np.asarray(_image(each).resize(size, Image.Resampling.BOX).filter(ImageFilter.GaussianBlur(blur)), np.int16)
        for each in (one, other)
    )
    return float(np.mean(np.abs(first - second).max(axis=2) > 48))


def _image(picture: np.ndarray) -> Image.Image:
    return Image.fromarray(picture.astype(np.uint8), "RGBA")


def _first(one: Any, other: Any) -> str:
    a, b = str(one), str(other)
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"…{a[max(0, at - 30) : at + 60]} is …{b[max(0, at - 30) : at + 60]}"
