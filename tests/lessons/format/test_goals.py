"""Goals of a step, and that every step gives learners something to do."""

import pytest

from lessons.__main__ import main
from lessons.check.files import parse_lesson
from lessons.check.goal_rules import NO_GOALS
from lessons.check.numbers import outcomes
from lessons.check.rules import NO_DEED, NO_REVEAL
from lessons.check.runs import run_steps
from lessons.format.guesses import Span
from lessons.topics.crp_seating import CRPSeatingSettings
from tests.lessons.format.sample import PATH, edited, problems


def step(goals: str, lines: str = "- [ ] Ten tables. {#ten}", keys: str = "kind: sandbox\nat: 0") -> str:
    """Return the sample with goals in its last step; the step block's first key stands on line 60."""
    return edited("Only text.", f"Try.\n\n{lines}\n\n```step\n{keys}\ngoals: {goals}\n```")


def found(goals: str, **keys: str) -> list[str]:
    """Return the checker's words once it has tried the goals of a step."""
    reading = parse_lesson(step(goals, **keys), PATH)
    assert reading.problems == ()
    return [problem.message for problem in run_steps(reading.lesson)]


TEN = "reach: {tables: [10, 60]}, at: 60"


def test_a_goal_comes_back_as_it_was_written():
    text = step(
        "{ten: {reach: {tables: 10}, settings: {door: stick}, seeds: 2}}",
        "- [ ] Ten tables. {#ten}\n  > Good.",
    )
    (goal,) = parse_lesson(text, PATH).lesson.steps[2].goals
    assert (goal.id, goal.text, goal.reason) == ("ten", "Ten tables.", "Good.")
    assert goal.keys.reach == {"tables": Span(10, 10)}
    assert goal.keys.settings == {"door": ("stick",)}


MISTAKES = [
    ("{}", {}, [f"58:1: {NO_GOALS}"]),
    ("{ten: {}}", {}, ["63:9: the goal 'ten' has no condition: reach, settings, at or open"]),
    ("{tne: {at: 5}}", {}, ["58:1: unknown goal 'ten' (there is: tne)",
                            "63:9: no line in the text says what the goal 'tne' is; write - [ ] … {#tne}"]),
    ("{ten: {at: 5}}", {"lines": "- [x] Ten. {#ten}"}, ["58:1: a goal is not ticked beforehand; write - [ ]"]),
    ("{ten: {reach: {tabels: 5}}}", {}, ["63:23: unknown outcome 'tabels' (did you mean 'tables'?)"]),
    ("{ten: {reach: {tables: many}}}", {}, ["63:31: tables is a number"]),
    ("{ten: {settings: {customers: [501, 600]}}}", {}, ["63:37: customers lies between 1 and 500"]),
    ("{ten: {settings: {door: stcik}}}", {}, ["63:32: door is never 'stcik' (did you mean 'stick'?)"]),
    ("{ten: {at: -1}}", {}, ["63:19: at is -1, and runs begin at 0"]),
    ("{ten: {open: evenign}}", {}, ["63:21: unknown view 'evenign' (did you mean 'evening'?)"]),
    ("{ten: {at: soon}}", {}, ["63:19: at is a number, or the least and the most, such as [20, 60]"]),
    ("{ten: {at: [6, 5]}}", {}, ["63:19: at: this should be a number, two numbers such as [18, 22], or words"]),
    ("{ten: {at: 5, att: 6}}", {}, ["63:22: unknown key 'att' (did you mean 'at'?)"]),
    ("{ten: {at: 5, way: {settings: {door: no stick}}}}", {},
     ["63:45: unknown door 'no stick' (did you mean 'stick'?)"]),
]  # fmt: skip


@pytest.mark.parametrize(("goals", "keys", "expected"), MISTAKES)
def test_a_mistake_is_reported_at_its_place(goals, keys, expected):
    assert problems(step(goals, **keys)) == expected


@pytest.mark.parametrize(
    ("goals", "expected"),
    [
        (f"{{ten: {{{TEN}, seeds: 3, way: {{settings: {{concentration: 5.0}}}}}}}}", []),
        ("{ten: {settings: {concentration: [3, 9], door: stick}, at: [5, 9], open: evening}}", []),
        (f"{{ten: {{{TEN}}}}}",
         ["no `way` is given, and the shortest does not reach the goal 'ten': it comes to tables 3"]),
        (f"{{ten: {{{TEN}, way: {{seed: 1}}}}}}", ["this way does not reach the goal 'ten': it comes to tables 4"]),
        ("{ten: {at: [0, 5]}}", ["the goal 'ten' is reached already when the step opens"]),
        ("{ten: {reach: {tables: 0}}}", ["the goal 'ten' is reached already when the step opens"]),
        ("{ten: {at: 61}}", ["the way to 'ten' ends at 61; there are 60 customers"]),
        ("{ten: {at: 5, way: {at: 6}}}",
         ["this way does not lead to the goal 'ten': its settings or its iteration are not the goal's"]),
    ],
)  # fmt: skip
def test_the_checker_tries_to_reach_a_goal(goals, expected):
    assert found(goals) == expected


def test_all_conditions_hold_at_once():
    (goal,) = (
        parse_lesson(step("{ten: {settings: {discount: [0.2, 0.4]}, at: 5, open: evening}}"), PATH)
        .lesson.steps[2]
        .goals
    )
    there = CRPSeatingSettings(discount=0.4)
    assert goal.is_near(there, 5, "evening")
    assert not goal.is_near(CRPSeatingSettings(discount=0.45), 5, "evening")
    assert not goal.is_near(there, 6, "evening")
    assert not goal.is_near(there, 5, "customer")


def test_in_every_step_there_is_something_to_do():
    marked = "And [a table](#mark:table-1)."
    read = f"55:1: {NO_DEED} (or let its words point at a mark)"
    assert problems(edited(marked, "And more.")) == [read]
    assert problems(edited("Only text.", "```step\nkind: sandbox\n```")) == [f"55:1: {NO_DEED}"]


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        ("{}", [f"26:7: {NO_REVEAL}"]),
        ("{settings: {discount: 0.0}}", [f"26:7: {NO_REVEAL}"]),
        ("{settings: {discount: 0.5}}", []),
        ("{open: evening}", []),
        ("{settings: {discuont: 0.5}}", ["29:19: unknown key 'discuont' (did you mean 'discount'?)"]),
        ("{advance: 20, settings: {customers: 19}}", ["29:17: advance ends at 20; this step has 19 customers"]),
    ],
)
def test_every_answer_changes_something_on_the_screen(then, expected):
    assert problems(edited("{advance: 1, open: evening}", then)) == expected


def test_a_chart_that_comes_with_the_answer_is_a_change():
    assert problems(edited("then: {advance: 1, open: evening}", "hide: [trace]")) == []


def test_the_outcomes_of_a_goal_are_listed_by_seed(tmp_path, capsys):
    path = tmp_path / "a.md"
    path.write_text(step("{ten: {reach: {tables: [7, 60]}, at: 30, way: {settings: {concentration: 2.0}, seed: 3}}}"))
    main(["check", "--seeds", "1..9", str(path)])
    said = capsys.readouterr().out
    head, _, rows = said.partition("  line 63, goal {#ten}: by its way, after 30 customers; * reaches it\n")
    assert "goal {#" not in head
    settings = CRPSeatingSettings(concentration=2.0)
    found = {seed: outcomes(settings, seed, 30)["tables"] for seed in range(1, 10)}
    reaching = [seed for seed, tables in found.items() if tables >= 7]
    assert 0 < len(reaching) < 9
    for seed, tables in found.items():
        assert f"{seed:>12}{'*' if seed in reaching else ' '} {tables:>9}{'   its way' * (seed == 3)}" in rows
    assert f"    reached by {len(reaching)} of 9 seeds; first by seed {reaching[0]}\n" in rows


@pytest.mark.parametrize("goals", ["{ten: {at: 5}}", "{ten: {reach: {tables: 5}, at: 70}}"])
def test_a_goal_that_no_run_decides_has_no_table(tmp_path, capsys, goals):
    path = tmp_path / "a.md"
    path.write_text(step(goals))
    main(["check", "--seeds", "1..3", str(path)])
    assert "goal {#ten}: by its way" not in capsys.readouterr().out
