"""A lesson as it is drawn at each rest: nothing is cut, over something else, beyond its card, too small or too faint.

`make looked` looks at all lessons; here it is one, whose climbs leave several components with one mean.
"""

import os

import pytest

from lessons.format.lesson import Lesson
from pages.lesson.lessons import library
from tests.browser.driver import NARROW, WIDE
from tests.browser.sizes import LEAST, LOOKED
from tests.browser.walker import Walk

pytestmark = pytest.mark.browser
LESSONS = [one.id for one in library().lessons] if os.environ.get("LOOKED") else ["climb-what-is-kept"]


def faults(walk: Walk, lesson: Lesson, *, wide: bool) -> dict[str, list[str]]:
    """Return the faults at each rest of a walk with wrong and right answers."""
    told = {"least": LEAST if wide else 0, "wide": wide}
    found = {seen.where: walk.page.evaluate(LOOKED, told) for seen in walk.all_of(lesson)}
    return {where: what for where, what in found.items() if what}


@pytest.mark.parametrize("window", ["laptop", "phone"])
@pytest.mark.parametrize("name", LESSONS)
def test_nothing_is_cut_or_over_something_else(browser, server, name, window):
    size, scheme = (WIDE, "light") if window == "laptop" else (NARROW, "dark")
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    walk = Walk(context.new_page(), server.url)
    assert faults(walk, library().lesson(name), wide=window == "laptop") == {}
    context.close()
