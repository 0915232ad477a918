"""The runs of a published step: those that its author names, or a few near it; what cannot be one is reported."""

import pytest

from lessons.check.files import parse_lesson
from lessons.format.offered import MOST, offered
from lessons.topics.crp_seating import CRPSeatingSettings
from tests.lessons.format.sample import PATH, edited, problems


def step(publish: str) -> str:
    """Return the sample with a sandbox whose runs are named."""
    lines = "- [ ] Ten tables. {#ten}\n\n```step\nkind: sandbox\ngoals: {ten: {reach: {tables: 10}}}"
    return edited("Only text.", f"Try.\n\n{lines}\npublish: {publish}\n```")


def test_all_combinations_of_the_values_are_published():
    lesson = parse_lesson(step("{concentration: [0.1, 1, 10], seed: 1..3}"), PATH).lesson
    publish = lesson.steps[2].publish
    assert publish == {"concentration": (0.1, 1, 10), "seed": (1, 2, 3)}
    runs = offered(publish, CRPSeatingSettings(concentration=1.0), 2, ())
    assert len(runs) == 8  # and the step's own
    assert {"concentration": 0.1, "seed": 3} in runs
    assert {"seed": 1} in runs


def test_controls_are_changed_one_at_a_time_if_no_values_are_named():
    settings = CRPSeatingSettings(concentration=1.0, customers=40)
    runs = offered(None, settings, 7, ("seed", "concentration", "customers"))
    assert {"seed": 8} in runs
    assert {"concentration": 2.0} in runs
    assert {"customers": 20} in runs
    assert all(len(run) == 1 for run in runs)
    assert offered(None, settings, 7, ()) == []


@pytest.mark.parametrize(
    ("publish", "said"),
    [
        ("{concentration: [-1]}", "concentration cannot be -1"),
        ("{seed: [-1]}", "seed cannot be -1"),
        ("{colour: [1]}", "'colour' is not a control of this topic"),
        ("{seed: 9..1}", f"at most {MOST} numbers such as 1..20"),
        ("{seed: 1..20, concentration: [1, 2, 3, 4, 5, 6]}", f"these values make 120 runs; at most {MOST}"),
    ],
)
def test_what_cannot_be_published_is_reported(publish, said):
    assert any(said in problem for problem in problems(step(publish)))
