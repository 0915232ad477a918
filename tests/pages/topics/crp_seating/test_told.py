"""The numbers that the restaurant's lessons tell, from the evenings and the exact facts that they tell of."""

import math
import re
from itertools import product

import numpy as np
import pytest

from lessons.format.lesson import Step
from pages.lesson.lessons import library
from pages.topics.crp_seating.run import SeatingRun
from samplers.crp.facts import first_table_pmf, log_joint, table_count_moments

pytestmark = pytest.mark.told
LESSONS = {lesson.id: lesson for lesson in library().for_stage("crp_seating")}


def opened(lesson: str, step: str) -> tuple[SeatingRun, Step, str]:
    """Return a step's evening, the step, and all that it tells, in one line."""
    found = next(one for one in LESSONS[lesson].steps if one.id == step)
    run = SeatingRun(LESSONS[lesson].settings_for(found), LESSONS[lesson].seed_for(found))
    choices = " ".join(f"{choice.text} {choice.reason}" for choice in found.choices)
    text = re.sub(r"\[([^\]]*)\]\(#mark:[^)]*\)", r"\1", f"{found.body} {choices}")
    return run, found, " ".join(text.split())


def sizes(run: SeatingRun, t: int) -> list[int]:
    return [int(count) for count in run.counts[t] if count]


def ended(tables: list[int], seed: int) -> list[int]:
    """Return the sizes once 200 have come, with α = 1, after an evening that began with these."""
    grown, rng = list(tables), np.random.default_rng(seed)
    for seated in range(sum(tables), 200):
        place = rng.integers(seated + 1)
        table = int(np.searchsorted(np.cumsum(grown), place, side="right"))
        if table == len(grown):
            grown.append(0)
        grown[table] += 1
    return grown


def mean(customers: int, concentration: float, discount: float = 0.0) -> float:
    return float(table_count_moments(customers, concentration, discount)[0][-1])


def right(step: Step) -> str:
    return next(choice.text for choice in step.choices if choice.correct)


def test_the_first_customers():
    run, second, _ = opened("crp-seating", "second")
    assert sizes(run, second.at) == [1]
    run, fifth, told = opened("crp-seating", "fifth")
    assert sizes(run, fifth.at) == [3, 1]
    assert "Three customers sit at table 1 and one at table 2" in told
    assert run.arrival(5).conditional.probabilities[-1] == pytest.approx(1 / 5)
    assert right(fifth) == "1/5"
    run, check, _ = opened("crp-seating", "check")
    assert run.arrival(check.at + 1).conditional.probabilities[0] == pytest.approx(float(right(check)))


def test_rich_get_richer():
    run, step, told = opened("crp-rich-get-richer", "head-start")
    assert sizes(run, step.at) == [11, 2, 2]
    before = [f"{100 * size / 15:.0f} %" for size in sizes(run, 15)]
    shown = sizes(run, step.at + step.then.advance)[:3]
    after = [f"{100 * size / 50:.0f} %" for size in shown]
    assert f"have {shown[0]}, {shown[1]} and {shown[2]}" in told, "as on the screen after the answer"
    assert f"{before[0]}, {before[1]} and {before[2]} have become {after[0]}, {after[1]} and {after[2]}" in told
    run, step, told = opened("crp-rich-get-richer", "another")
    assert sizes(run, step.at) == [1, 10, 4]
    assert step.at + step.then.advance == run.total == 200
    assert f"has {sizes(run, 200)[0]} of 200 in the end" in told
    assert f"table 2 has 10 of 15, and {sizes(run, 200)[1]} of 200" in told
    assert np.ptp(first_table_pmf(100, 1.0)[1:]) == pytest.approx(0, abs=1e-12), "all sizes are equally likely"
    run, step, told = opened("crp-rich-get-richer", "discount")
    assert step.at + step.then.advance == run.total
    assert f"here {sizes(run, 200).count(1)} of {len(sizes(run, 200))}" in told
    evenings = [SeatingRun(run.settings, seed) for seed in range(40)]
    alone = [sizes(evening, 200).count(1) for evening in evenings]
    assert abs(sizes(run, 200).count(1) - np.mean(alone)) < np.std(alone), "a typical evening"


def test_how_often_a_table_grows_that_large():
    largest = [max(ended([], seed)) for seed in range(600)]
    here = max(sizes(opened("crp-rich-get-richer", "head-start")[0], 200))
    assert np.mean([size >= here for size in largest]) == pytest.approx(1 / 3, abs=0.06)
    wins = [int(np.argmax(ended([1, 10, 4], seed))) == 1 for seed in range(600)]
    assert np.mean(wins) == pytest.approx(19 / 20, abs=0.03)
    assert "19 evenings of 20" in opened("crp-rich-get-richer", "another")[2]


def test_order_does_not_matter():
    run, step, told = opened("crp-order", "product")
    assert sorted(sizes(run, step.at)) == [1, 3, 4]
    assert "three tables seat 4, 3 and 1" in told
    _, step, told = opened("crp-order", "regroup")
    tops = {(4, 2): 6, (3, 3): 4}
    assert float(right(step)) == tops[4, 2] / sum(tops.values())
    for tables, top in tops.items():
        seating = [table for table, size in enumerate(tables) for _ in range(size)]
        assert math.exp(log_joint(seating, 1.0)) == pytest.approx(top / math.factorial(6))
    of_two_tables = [np.bincount(seating) for seating in product((0, 1), repeat=6) if seating[0] == 0]
    kinds = [sorted(map(int, tables)) for tables in of_two_tables if len(tables) == 2]
    assert f"{kinds.count([2, 4])} of 4 and 2, against {kinds.count([3, 3])} of 3 and 3" in told


def test_how_many_tables():
    assert right(opened("crp-how-many", "ten")[1]) == f"{mean(10, 1):.2f}"
    assert opened("crp-how-many", "ten")[1].choices[1].text == f"{math.log(10):.1f}"
    for lesson, customers, concentration in (("ten", 10, 1), ("alpha", 60, 5), ("double", 240, 5), ("double", 480, 5)):
        tables = len(sizes(opened("crp-how-many", lesson)[0], customers))
        assert abs(tables - mean(customers, concentration)) < 0.6, "the evening that is shown is not far from the mean"
    told = opened("crp-how-many", "alpha")[2]
    assert f"they need {mean(60, 1):.1f} tables" in told
    assert f"= {5 * math.log1p(60 / 5):.1f}$ is close to the exact mean" in told
    assert right(opened("crp-how-many", "alpha")[1]) == f"{mean(60, 5):.1f}"
    told = opened("crp-how-many", "double")[2]
    assert f"From {mean(240, 5):.1f} to {mean(480, 5):.1f}" in told
    evening = opened("crp-how-many", "double")[0]
    assert f"this evening goes from {len(sizes(evening, 240))} to {len(sizes(evening, 480))}" in told
    assert right(opened("crp-how-many", "double")[1]) == f"{mean(480, 5):.1f}"
    assert f"{5 * math.log(2):.1f}" in told
    meet = LESSONS["crp-how-many"].steps[[step.id for step in LESSONS["crp-how-many"].steps].index("curves")].goals[0]
    wanted = meet.keys.settings["concentration"]
    low, high = wanted.low, wanted.high
    gaps = [abs(alpha * (math.log(480) - math.log1p(480 / alpha))) for alpha in (low, 1.0, high, 5.0)]
    assert gaps[1] < 0.01 < gaps[0] < gaps[3] / 10
    assert gaps[2] < gaps[3] / 10
    told = opened("crp-how-many", "power")[2]
    assert f"the mean number of tables is {mean(120, 1, 0.5):.0f}." in told
    assert right(opened("crp-how-many", "power")[1]) == f"{mean(480, 1, 0.5):.0f}"
    run, law, told = opened("crp-two-doors", "law")
    assert right(law) == f"{mean(law.then.advance, run.settings.concentration):.1f}"


def test_the_evening_with_the_stick_is_a_typical_one():
    run, _, _ = opened("crp-two-doors", "stick")
    pieces, seated = np.diff(run._stick, prepend=0), run.counts[run.total]
    deviations = (seated - run.total * pieces) / np.sqrt(run.total * pieces * (1 - pieces))
    assert np.abs(deviations).max() < 2, "tables are full because their pieces are long"


@pytest.mark.parametrize(("least", "evenings"), [(144, 1 / 3), (153, 1 / 4)])
def test_how_often_the_largest_table_grows_that_large(least, evenings):
    """With α = 1, 1/m tables of m customers are expected, and no two of them have more than half of all 200."""
    assert sum(1 / size for size in range(least, 201)) == pytest.approx(evenings, rel=0.1)
