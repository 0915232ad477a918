"""Sums and products on cards and in lessons: a reader who reckons with what is printed finds the printed value."""

import pytest

from pages.contract.stage import stage_of
from pages.lesson.lessons import library
from tests.lessons.shipped.sums import untrue
from tests.pages.waiting import waited

FIRST = ("step", "update", "customer")  # views of an update, with its numbers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<td>0.150 · 0.150 · 1.000 = <b>0.054</b></td>", 1),
        ("0.392 × 0.659 = 0.26", 0),
        ("$0.392 \\cdot 0.659 = 0.259$", 1),
        ("$0.3922 \\cdot 0.6595 = 0.259$. The rest, 0.401", 0),
        ("<p>−0.53 − 100 · 7.88 = −788.89</p>", 1),
        ("<p>1.11 · 5 + 0.228 · (−3) = 4.87</p>", 0),
        ("<p>1.11 · 5 + 0.228 · −3 = 4.89</p>", 1),
        ("<p>0.529 · 1.34·10<sup>−6</sup> = 7.11·10<sup>−7</sup></p>", 1),
        ("<p>9.49 − (−30.46) = 39.94</p>", 1),
        ("<p>9.493 − (−30.455) = 39.95</p>", 0),
        ("3.677 − (−0.4561) / (−0.1479) = 0.594", 1),
        ("$x \\cdot 0.5 = 7$ and $2 \\cdot 3 = 6 \\cdot 1$", 0),
    ],
)
def test_a_sum_or_product_that_is_off_is_found(text, found):
    assert len(untrue(text)) == found


@pytest.mark.parametrize("lesson", library().lessons, ids=lambda lesson: lesson.path.stem)
def test_sums_and_products_are_right_to_their_last_digit(lesson):
    found = {"text": untrue(lesson.path.read_text("utf-8"))}
    for step in lesson.steps:
        settings, seed = lesson.settings_after(step), lesson.seed_for(step)
        if not settings.many:
            stage, end = stage_of(lesson.stage), step.until or (step.at or 0) + step.then.advance
            film = waited(lambda settings=settings, stage=stage, seed=seed: stage.film(settings, seed))
            t = min(end, film.total)
            waited(lambda film=film, t=t: film.reach(t))
            for view in {step.then.open or step.open or next(iter(settings.views)), *FIRST} & {*settings.views}:
                found[f"{step.id} {view}"] = untrue(waited(lambda v=view, s=settings: stage.written(s, seed, v, t)))  # noqa: B023
    assert not {place: said for place, said in found.items() if said}
