"""Steps: headings, choices, containers and step blocks, and how they fit the stage."""

import pytest

from lessons.check.files import parse_lesson
from lessons.check.goal_rules import NO_GOALS
from lessons.format.questions.answers import Choice
from lessons.format.schema import Then
from lessons.topics.crp_seating import CRPSeatingSettings
from tests.lessons.format.sample import PATH, SAMPLE, edited, problems

RUN = "```step\nkind: run\nuntil: 30\nexpect: {customers: 30}\n```"
GOAL = "- [ ] Ten {#ten}\n  > Well done.\n\n```step\nkind: sandbox\ngoals: {ten: {reach: {tables: 10}}}\n```"
SETTING_NAMES = "concentration, discount, customers, shuffle, arrivals, runs, door, written"

MISTAKES = [
    # headings
    ("## Before {#predict}", "## Who sits? {#}",
     ["14:14: a step's id is small letters, digits and hyphens, such as {#before-you-press-step}"]),
    ("## Before {#predict}", "## Who sits alone?",
     ["14:1: this step needs an id at the end of its line, such as {#who-sits-alone}"]),
    ("## Before {#predict}", "## Before {#Pre dict}",
     ["14:11: a step's id is small letters, digits and hyphens, such as {#before-you-press-step}"]),
    ("{#look}", "{#predict}", ["55:9: the id 'predict' is taken by the step on line 14"]),
    ("{#look}", "{#end}", ["55:1: the id 'end' is taken by the page behind the last step"]),
    ("## Before {#predict}", "## {#predict}", ["14:1: this step has no title"]),
    ("## Before {#predict}", "Hello.\n\nYou.\n## Before {#predict}",
     ["14:1: this is before the first step; put ## A title {#its-id} above it"]),
    ("## Before {#predict}", "::: hint\na\n:::\n## Before {#predict}",
     ["14:1: this is before the first step; put ## A title {#its-id} above it"]),
    ("Some.", "# Some", ["39:1: the title belongs in the front matter; a step begins with ##, not #"]),
    ("Some.", "Some.\n---", ["40:1: a line of --- under text makes the text a heading; put an empty line between, "
                             "or begin a step with ##"]),
    ("Some.", "Some.\n===", ["40:1: a line of === under text makes the text a heading; put an empty line between, "
                             "or begin a step with ##"]),
    # choices
    ("- [x] It", "- [] It",
     ["17:3: a choice begins with - [ ] or, if it is right, with - [x], and a space after it"]),
    ("- [ ] It", "- It", ["19:3: a choice begins with - [ ] or, if it is right, with - [x], and a space after it"]),
    ("- [x] It", "- [ ] It", ["17:1: no choice is marked as right; write - [x] for one"]),
    ("- [ ] It", "- [X] It",
     ["17:1: 2 choices are marked as right; mark one, or write multiple: true in the step block"]),
    ("  > Right.\n", "", ["17:1: this choice has no reason; quote one under it, indented: > Because …"]),
    ("  > Right.\n", "  >\n", ["17:1: this choice has no reason; quote one under it, indented: > Because …"]),
    ("  > Right.\n", "  > Right.\n\n  More.\n", ["20:3: only a reason, quoted with >, goes under a choice"]),
    ("- [ ] It stays, as an\n  option\n  > Then twice.\n  >\n  > Really.\n", "",
     ["17:1: a question needs at least two choices"]),
    ("- [x] It disappears: $K - 1$", "- [x] ",
     ["17:3: a choice begins with - [ ] or, if it is right, with - [x], and a space after it"]),
    ("Only text.", "- [x] a\n  > b\n- [ ] c\n  > d",
     [f"56:1: {NO_GOALS}"]),
    ("kind: run\nuntil: 30\nexpect: {customers: 30}", "kind: quiz\nat: 0",
     ["42:7: a quiz step needs choices: lines that begin with - [ ] or, if right, - [x]"]),
    ("Only text.", "1. [x] a\n   > b", [
        "56:1: choices are not numbered; begin each with - [ ] or - [x]",
        f"56:1: {NO_GOALS}"]),
    ("$K - 1$", "$K - 1$ {#K-1}",
     ["17:30: a choice's id is small letters, digits and hyphens, such as {#one-half}"]),
    ("It disappears: $K - 1$", "{#gone}", ["17:1: this choice has no text"]),
    ("It disappears: $K - 1$", "It {#gone}\n  > Yes.\n- [ ] She {#gone}",
     ["19:1: this question has another choice 'gone'; give one of them an id of its own"]),
    ("Only text.", "- [x] a\n  > b\n- [ ] a\n  > d\n\n```step\nkind: quiz\nat: 0\n```",
     ["58:1: this question has another choice 'a'; give one of them an id of its own"]),
    # containers and fences
    ("::: instructor", "::: instuctor", ["31:5: unknown container 'instuctor' (did you mean 'instructor'?)"]),
    ("Ask for hands.\n:::", "Ask for hands.", ["31:1: this ::: instructor is not closed; end it with a line of :::"]),
    ("- one\n:::", "- one", ["34:1: this ::: hint is not closed; end it with a line of :::"]),
    ("Only text.", "[It](#mark:new)\n::: hint\nOnly text.",
     ["57:1: this ::: hint is not closed; end it with a line of :::"]),
    ("- one\n:::", "- one\n:::\n:::", ["37:1: this ::: closes nothing; a hint begins with ::: hint"]),
    ("- one\n:::", "\n:::", ["34:1: this ::: hint is empty"]),
    ("Only text.", "```python\nOnly text.", ["56:1: this ``` is not closed; end it with a line of ```"]),
    ("Only text.", "- a\n  ~~~~\n  b\n~~~", ["57:3: this ~~~~ is not closed; end it with a line of ~~~~",
                                              "59:1: this ~~~ is not closed; end it with a line of ~~~"]),
    ("evening}\n```", "evening}", ["25:1: this ``` is not closed; end it with a line of ```"]),
    ("Only text.", "```steps\nkind: sandbox\n```", ["56:1: a step block begins with ```step, not ```steps"]),
    ("Only text.", "- a\n\n  ```step\n  kind: sandbox\n  ```",
     ["58:3: put a step block by itself, at the left margin and outside :::"]),
    ("First.", "```step\nkind: run\n```",
     ["47:1: put a step block by itself, at the left margin and outside :::"]),
    (RUN, RUN + "\n\n" + RUN, ["47:1: this step has a step block already, on line 41"]),
    # the step block
    (RUN, "```step\n```", ["41:1: there is nothing in here; write lines of the form key: value"]),
    (RUN, "```step\n- run\n```", ["42:1: this should be lines of the form key: value"]),
    (RUN, "```step\nuntil: 30\n```",
     ["41:1: the key 'kind' is missing (there is: explain, predict, run, quiz, sandbox)"]),
    ("kind: run", "kind: rnu", ["42:7: unknown kind 'rnu' (there is: explain, predict, run, quiz, sandbox)"]),
    ("kind: predict", "kind: predcit", ["26:7: unknown kind 'predcit' (did you mean 'predict'?)"]),
    ("kind: run", "kind: [run]",
     ["""42:7: unknown kind "['run']" (there is: explain, predict, run, quiz, sandbox)"""]),
    ("kind: run", "kind: no", ['42:7: YAML reads no as false; write false, or "no" in quotes for text']),
    ("until: 30", "unitl: 30",
     ["41:1: the key 'until' is missing: the iteration at which the run ends",
      "43:1: unknown key 'unitl' (did you mean 'until'?)"]),
    ("until: 30", "until: 61", ["43:8: until is 61; this step has 60 customers"]),
    ("until: 30", "until: 30\nat: 30", ["43:8: until is 30; it should be more than at, which is 30"]),
    ("until: 30", "until: 30\nat: 61", ["44:5: at is 61; this step has 60 customers"]),
    ("until: 30", "until: 30\nat: -1", ["44:5: at is -1; the least is 0"]),
    ("until: 30", "until: 30\nsettings: {customers: 20}", ["43:8: until is 30; this step has 20 customers"]),
    ("until: 30", "until: 30\nsettings:\n  customers: 501\n  alhpa: 1", [
        "45:14: customers is 501; the most is 500",
        f"46:3: unknown key 'alhpa' (there is: {SETTING_NAMES})"]),
    ("until: 30", "until: 30\nshow: [sed]", ["44:8: unknown name 'sed' in show (did you mean 'seed'?)"]),
    ("until: 30", "until: 30\nopen: table",
     ["44:7: unknown view 'table' (there is: customer, code, model, dishes, evening)"]),
    ("{customers: 30}", "{tabels: 3, alone: x}", [
        "44:10: unknown name 'tabels' in expect (did you mean 'tables'?)",
        "44:28: alone should be a number, got 'x'"]),
    ("[step, play]", "[step, plya]", ["28:14: unknown lock 'plya' (did you mean 'play'?)"]),
    ("[step, play]", "[]", ["28:7: lock is empty"]),
    ("lock: [step, play]", "multiple: yes",
     ['28:11: YAML reads yes as true; write true, or "yes" in quotes for text']),
    ("lock: [step, play]", "until: 3",
     ["28:1: unknown key 'until' (there is: settings, seed, at, show, charts, open, publish, number, pick, draw, "
      "place, picture, share, rule, strike, multiple, order, hide, idea, again, yours, asks, kind, lock, then, sure)"]),
    ("{advance: 1, open: evening}", "{advance: 61}", ["29:17: advance ends at 61; this step has 60 customers"]),
    ("{advance: 1, open: evening}", "{advance: 61, opne: x}",
     ["29:21: unknown key 'opne' (did you mean 'open'?)"]),
    ("{advance: 1, open: evening}", "{open: evning}", ["29:14: unknown view 'evning' (did you mean 'evening'?)"]),
    ("kind: predict\nat: 0", "kind: predict", [
        "25:1: the key 'at' is missing: the iteration of the question, after a link or a reload as well"]),
    ("at: 0", "at: 0\norder: random", ["28:8: unknown order 'random' (there is: shuffled, fixed)"]),
    ("at: 0", "at: 0\nhide: [rom, captions]", ["28:8: unknown name 'rom' in hide (did you mean 'room'?)"]),
    ("at: 0", "at: 0\nasks: [table-1, tabel-2, dart]",
     ["28:17: unknown mark 'tabel-2' (did you mean 'table-N'?)"]),
    ("at: 0", "at: 0\nasks: [table-N]", ["28:8: N stands for a number: table-1, say"]),
    ("at: 0", "at: 0\nsettings: {runs: tables}\nasks: [table-1]",
     ["29:1: a wall of runs has no marks; leave asks out"]),
    ("at: 0", "at: 0\nopen: evening\nhide: [evening]",
     ["28:7: the view 'evening' opens, and hide names it; it is one or the other"]),
    ("{advance: 1, open: evening}", "1", ["29:7: then should be pairs, such as {key: 1}, got 1"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), MISTAKES, ids=[new[:40] for _, new, _ in MISTAKES])
def test_a_mistake_is_reported_at_its_place(old, new, expected):
    assert problems(edited(old, new)) == expected


def test_a_file_needs_a_step():
    assert problems(SAMPLE[: SAMPLE.index("## Before")]) == [
        "14:1: there is no step; begin one with ## A title {#its-id}"
    ]


def test_the_sample_comes_back_as_it_was_written():
    lesson = parse_lesson(SAMPLE, PATH).lesson
    assert lesson is not None
    assert (lesson.id, lesson.stage, lesson.seed, lesson.path) == ("crp-one", "crp_seating", 7, PATH)
    assert lesson.objectives == ("say what is forgotten",)
    predict, run, look = lesson.steps
    assert (predict.id, predict.title, predict.kind, predict.line) == ("predict", "Before", "predict", 14)
    assert predict.body == r"Point 2 sits alone: \$3 for $\alpha_1$, `$`."
    assert predict.choices == (
        Choice("It disappears: $K - 1$", correct=True, reason="Right."),
        Choice("It stays, as an\noption", correct=False, reason="Then twice.\n\nReally."),
    )
    assert (predict.instructor, predict.hints) == ("Ask for hands.", ("- one",))
    assert (predict.lock, predict.then) == (("step", "play"), Then(advance=1, open="evening"))
    assert (run.kind, run.until, run.expect) == ("run", 30, {"customers": 30})
    assert (run.body, run.hints) == ("Some.\n\nAnd more.", ("First.", "Second."))
    assert (look.kind, look.at, look.until) == ("explain", None, None)
    assert look.body == "Only text.\n\nAnd [a table](#mark:table-1)."


def test_a_choice_is_known_by_its_id_or_else_by_its_text():
    lesson = parse_lesson(edited("It disappears: $K - 1$", "It\n  disappears {#gone}"), PATH).lesson
    assert lesson is not None
    assert [(choice.text, choice.id, choice.key) for choice in lesson.steps[0].choices] == [
        ("It\ndisappears", "gone", "gone"),
        ("It stays, as an\noption", "", "It stays, as an\noption"),
    ]


def test_what_a_question_hides():
    def hidden(line):
        lesson = parse_lesson(edited("at: 0", f"at: 0\n{line}"), PATH).lesson
        assert lesson is not None
        step = lesson.steps[0]
        words = [word for word in ("captions", "messages") if word in step.hide]
        return *lesson.charts_hidden(step), *lesson.views_hidden(step), *words

    assert hidden("") == ("customer", "code", "model", "dishes", "evening", "captions", "messages")
    assert hidden("open: evening") == ("customer", "code", "model", "dishes", "captions", "messages")
    assert hidden("hide: []") == ()
    assert hidden("hide: [many, room, evening]") == ("room", "many", "evening")
    assert hidden("open: customer\nhide: [trace, inspector]") == ("trace", "code", "model", "dishes", "evening")
    assert hidden("hide: [customer]") == ("customer", "code"), "it has the same numbers"


def test_windows_line_ends_and_a_byte_order_mark_change_nothing():
    plain = parse_lesson(SAMPLE, PATH).lesson
    assert parse_lesson("\ufeff" + SAMPLE.replace("\n", "\r\n"), PATH).lesson == plain
    assert parse_lesson(SAMPLE.replace("\n", "\r"), PATH).lesson == plain


def test_a_step_overrides_what_the_lesson_says():
    overrides = "until: 30\nsettings: {discount: 0.5}\nseed: 9\nshow: []"
    lesson = parse_lesson(edited("until: 30", overrides), PATH).lesson
    assert lesson is not None
    predict, run, _ = lesson.steps
    assert lesson.settings_for(predict).model_dump()["discount"] == 0
    assert lesson.settings_for(run).model_dump()["discount"] == 0.5
    assert (lesson.seed_for(predict), lesson.seed_for(run)) == (7, 9)
    assert (lesson.show_for(predict), lesson.show_for(run)) == (("concentration",), ()), "no seed at a question"


def test_a_sandbox_shows_every_control():
    lesson = parse_lesson(edited(RUN, GOAL), PATH).lesson
    assert lesson is not None
    assert ", ".join(lesson.show_for(lesson.steps[1])) == ", ".join(CRPSeatingSettings.controls)


def test_several_choices_may_be_right_if_the_step_says_so():
    text = edited("- [ ] It", "- [x] It").replace("lock: [step, play]", "multiple: true")
    assert problems(text) == []


def test_a_list_that_only_looks_like_choices_is_prose():
    text = edited("Only text.", "- [x](https://a.b) a link\n- plain")
    assert problems(text) == []
    lesson = parse_lesson(text, PATH).lesson
    assert lesson is not None
    assert lesson.steps[2].body.startswith("- [x](https://a.b) a link\n- plain\n")


def test_colons_and_steps_inside_a_code_block_are_code():
    code = "````markdown\n## A {#a}\n::: hint\n```step\n```\n````"
    lesson = parse_lesson(edited("Only text.", code), PATH).lesson
    assert lesson is not None
    assert lesson.steps[2].body.startswith(f"{code}\n")
