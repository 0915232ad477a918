"""Numbers in a lesson's text that its runs give, and runs with many seeds."""

import pytest

from lessons.__main__ import main
from lessons.check.files import parse_lesson
from lessons.check.numbers import outcomes
from lessons.check.runs import run_steps
from lessons.check.seeds import seeds_of, tried
from tests.lessons.format.sample import PATH, SAMPLE, edited, problems

GUESS = """- [x] {tables}
  > Right.
- [ ] else
  > Or so.

```step
kind: predict
at: 0
number: {limits: [1, 60], within: 1, outcome: tables}
then: {advance: 60}
```
"""
MARKUP = "HTML is not shown by the page; write Markdown (and ::: instructor for a comment)"
FORM = "write {tables}, {tables at 30} or, with two digits after the point, {tables at 30:2} (and \\{ for a brace)"


def lesson_of(text):
    reading = parse_lesson(text, PATH)
    assert reading.lesson is not None, reading.problems
    return reading.lesson


def tables(lesson, step, t):
    return f"{outcomes(lesson.settings_after(lesson.steps[step]), lesson.seed, t)['tables']}"


def test_numbers_come_from_the_steps_own_run_where_it_stands():
    text = edited("Point 2 sits alone", "{tables} and {tables at 30}")
    text = (
        text.replace("  > Right.", "  > {tables:1}")
        .replace("Ask for hands.", "Now {tables}.")
        .replace("Some.", "{tables}.")
    )
    text = text.replace("advance: 1, open", "advance: 40, settings: {discount: 0.5}, open")
    lesson = lesson_of(text)
    before = outcomes(lesson.settings_for(lesson.steps[0]), 7, 30)["tables"]
    after = tables(lesson, 0, 40)
    assert lesson.steps[0].body.startswith(f"0 and {before}: ")
    assert lesson.steps[0].choices[0].reason == f"{after}.0"
    assert lesson.steps[0].instructor == f"Now {after}."
    assert lesson.steps[1].body.startswith(f"{tables(lesson, 1, 30)}.")
    assert [step.measured for step in lesson.steps] == [("tables",), ("tables",), ()]


def test_another_seed_is_another_number():
    shown = {
        lesson_of(edited("Some.", "{tables at 60}").replace("seed: 7", f"seed: {n}")).steps[1].body for n in range(9)
    }
    assert len(shown) > 2


@pytest.mark.parametrize("kept", ["$x_{tables}$", "`{tables}`", r"\{tables}", "{1, 2}", "{}", "```\n{tables}\n```"])
def test_other_braces_stay_as_they_are(kept):
    assert kept in lesson_of(edited("Only text.", kept)).steps[2].body


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("So {tabels at 3}.", "56:4: unknown outcome 'tabels' (did you mean 'tables'?)"),
        ("So {tables}.", "56:4: say at which iteration, such as {tables at 30}: this step has no at"),
        ("So {tables at 61}.", "56:4: {tables at 61} is at 61; this step has 60 customers"),
        ("So {tables by night}.", f"56:4: {{tables by night}} is no number of a run; {FORM}"),
        ("So {tables at 60} <b>", f"56:19: {MARKUP}"),
    ],
)
def test_what_cannot_be_had_is_refused_at_its_place(prose, expected):
    assert problems(edited("Only text.", prose)) == [expected]


def test_the_right_answer_of_a_guess_can_come_from_the_run():
    start, end = SAMPLE.index("- [x] It"), SAMPLE.index("\n## Look")
    text = f"{SAMPLE[:start]}{GUESS}{SAMPLE[end:]}"
    lesson = lesson_of(text)
    assert lesson.steps[0].answers.right_span.low == outcomes(lesson.settings_for(lesson.steps[0]), 7, 60)["tables"]
    assert run_steps(lesson) == []
    wrong = problems(text.replace("{tables}", "{tabels}"))
    assert len(wrong) == 1
    assert "unknown outcome" in wrong[0]


def test_typical_seeds_lie_between_the_quarters(tmp_path, capsys):
    lesson = lesson_of(edited("Some.", "{tables}").replace("expect: {customers: 30}", ""))
    found = tried(lesson, lesson.steps[1], seeds_of("1..40"))
    assert found is not None
    low, high = found.limits["tables"]
    assert [*found.limits] == ["tables"]
    assert {seed for seed, (value,) in found.values.items() if low <= value <= high} == {
        seed for seed in range(1, 41) if found.is_typical(seed)
    }
    assert 10 <= sum(map(found.is_typical, range(1, 41))) < 40
    assert tried(lesson, lesson.steps[2], range(3)) is None
    path = tmp_path / "a.md"
    path.write_text(SAMPLE)
    assert main(["check", "--seeds", "1..4", str(path)]) == 0
    said = capsys.readouterr().out
    assert "  line 38, run {#run}: after 30 customers; * is typical\n        seed     tables" in said
    assert "  the lesson has seed 7\n" in said


@pytest.mark.parametrize("text", ["", "x", "5..1", "1..5000", "0..99999999999"])
def test_what_is_no_range_of_seeds_is_refused(text, capsys):
    with pytest.raises(SystemExit):
        main(["check", "--seeds", text])
    assert "seeds" in capsys.readouterr().err
