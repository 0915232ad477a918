"""The front matter: every mistake is reported at its line and column."""

import pytest

from lessons.check.files import parse_lesson
from lessons.format.folders import SHIPPED
from tests.lessons.format.sample import PATH, SAMPLE, edited, problems

TITLE = "title: One update"
SETTINGS = "{concentration: 1.0}"
SHOW = "show: [concentration, seed]"

MISTAKES = [
    # keys
    (TITLE, "titel: One", ["1:1: the key 'title' is missing: what learners see above the lesson",
                           "4:1: unknown key 'titel' (did you mean 'title'?)"]),
    ("seed: 7", "seed: 7\nzzz: 1", ["11:1: unknown key 'zzz' (there is: schema, id, title, stage, track, language, "
                                    "minutes, objectives, summary, data, stage_settings, seed, show, charts, everyday, "
                                    "sure, draft, source)"]),
    (TITLE, "title: One\ntitle: Two", ["5:1: the key 'title' is here twice; the first is on line 4"]),
    (SHOW, "<<: {a: 1}", ["11:1: unknown key '<<' (there is: schema, id, title, stage, track, language, "
                          "minutes, objectives, summary, data, stage_settings, seed, show, charts, everyday, "
                          "sure, draft, source)"]),
    (SHOW, "? [show]\n: [seed]", ["11:3: a key should be one word"]),
    # types and limits
    ("schema: 1", "schema: 2", ["2:9: schema should be 1, got 2"]),
    ("id: crp-one", "id: CRP One",
     ["3:5: id should be small letters, digits and hyphens, such as crp-one-update, got 'CRP One'"]),
    (TITLE, r"title: The weight $\alpha$", [r"4:8: title is plain text, and $\alpha$ would be shown as it is; "
                                           "write it without Markdown"]),
    ("track: clusters", "track: Bits **and** pieces", ["6:8: track is plain text, and **and** would be shown as it "
                                                       "is; write it without Markdown"]),
    ("It is remembered]", "It is *remembered*]", ["12:50: summary is plain text, and *remembered* would be shown as it "
                                                  "is; write it without Markdown"]),
    (", It is remembered]", "]", ["12:10: summary: this should be 3 lines of 120 characters at most"]),
    ("It is remembered]", f"{121 * 'a'}]", ["12:10: summary: this should be 3 lines of 120 characters at most"]),
    (TITLE, "title: 2024", ["4:8: title should be text, got 2024; put it in quotes"]),
    (TITLE, "title: {a: 1}", ["4:8: title should be text, got pairs"]),
    (TITLE, 'title: ""', ["4:8: title is empty"]),
    ("minutes: 12", "minutes: 1.5", ["7:10: minutes should be a whole number, got 1.5"]),
    ("minutes: 12", 'minutes: "12"', ["7:10: minutes should be a whole number, got '12'"]),
    ("minutes: 12", "minutes: true", ["7:10: minutes should be a whole number, got true"]),
    ("minutes: 12", "minutes: 241", ["7:10: minutes is 241; the most is 240"]),
    ("minutes: 12", "minutes: 0", ["7:10: minutes is 0; the least is 1"]),
    ("seed: 7", "seed: 4294967296", ["10:7: seed is 4294967296; the most is 4294967295"]),
    ("[say what is forgotten]", "[]", ["8:13: objectives is empty"]),
    ("[say what is forgotten]", "say", ["8:13: objectives should be a list, such as [first, second], got 'say'"]),
    ("[say what is forgotten]", "[say, 1]", ["8:19: objectives should be text, got 1; put it in quotes"]),
    ("stage: crp_seating", "stage: crp_seatng", ["5:8: unknown stage 'crp_seatng' (did you mean 'crp_seating'?)"]),
    ("stage: crp_seating", "stage: [a]", ["5:8: stage should be text, got a list"]),
    # what the stage can be set to
    (SETTINGS, "{concentration: 900}", ["9:33: concentration is 900; the most is 50"]),
    (SETTINGS, "{discount: -0.5}", ["9:28: discount is -0.5; the least is 0"]),
    (SETTINGS, "{concentratoin: 1.0}", ["9:18: unknown key 'concentratoin' (did you mean 'concentration'?)"]),
    (SETTINGS, "{door: stik}", ["9:24: unknown door 'stik' (did you mean 'stick'?)"]),
    (SETTINGS, "{customers: 2.0}", ["9:29: customers should be a whole number, got 2.0"]),
    (SETTINGS, "{concentration: true}", ["9:33: concentration should be a number, got true"]),
    (SETTINGS, "[concentration]", ["9:17: stage_settings should be pairs, such as {key: 1}, got a list"]),
    (SHOW, "show: [concentratoin]", ["11:8: unknown name 'concentratoin' in show (did you mean 'concentration'?)"]),
    (SHOW, "charts: [rom]", ["11:10: unknown name 'rom' in charts (did you mean 'room'?)"]),
    (SHOW, "show: seed", ["11:7: show should be a list, such as [first, second], got 'seed'"]),
    # what YAML would silently take for something else
    (TITLE, "title: no", ['4:8: YAML reads no as false; write false, or "no" in quotes for text']),
    (TITLE, "title: ON", ['4:8: YAML reads ON as true; write true, or "ON" in quotes for text']),
    ("minutes: 12", "minutes: 1e1", ['7:10: YAML reads 1e1 as text; write 10, or "1e1" in quotes for text']),
    (SETTINGS, "{concentration: 5e-1}", ['9:33: YAML reads 5e-1 as text; write 0.5, or "5e-1" in quotes for text']),
    (SETTINGS, "{concentration: 5e-999}",
     ['9:33: YAML reads 5e-999 as text; write it with digits, or "5e-999" in quotes for text']),
    ("minutes: 12", "minutes: 010", ['7:10: numbers do not begin with 0 (YAML may read 010 in base 8); write 10, or '
                                     '"010" in quotes for text']),
    ("minutes: 12", "minutes: 089", ['7:10: numbers do not begin with 0 (YAML may read 089 in base 8); write 89, or '
                                     '"089" in quotes for text']),
    ("minutes: 12", "minutes: 1_2",
     ['7:10: YAML reads 1_2 as a number; write it with digits, or "1_2" in quotes for text']),
    ("minutes: 12", "minutes: 12:30",
     ['7:10: YAML reads 12:30 as a number; write it with digits, or "12:30" in quotes for text']),
    ("minutes: 12", "minutes: " + "9" * 5_000, ["7:10: this number is too long"]),
    (SETTINGS, "{concentration: .nan}",
     ['9:33: YAML reads .nan as a number; write it with digits, or ".nan" in quotes for text']),
    (TITLE, "title: 2020-01-01", ['4:8: YAML reads 2020-01-01 as a date; write "2020-01-01" in quotes']),
    (TITLE, "title:", ["4:1: there is no value here; give one, or delete the line"]),
    ("[say what is forgotten]", "[no, no]", ['8:14: YAML reads no as false; write false, or "no" in quotes for text',
                                             '8:18: YAML reads no as false; write false, or "no" in quotes for text']),
    # what is no YAML, or more than a lesson needs
    (TITLE, "title: One: two", ["4:11: a second ':' is not allowed here; put text that holds a colon in quotes"]),
    (TITLE, 'title: "One', ["4:8: this quote is not closed on its line"]),
    (TITLE, "title: 'One", ["4:8: this quote is never closed"]),
    (SHOW, "show: [seed", ["11:7: this [ is not closed, or a comma is missing after it"]),
    (TITLE, "\ttitle: One", ["4:1: this is a tab; write spaces instead"]),
    (TITLE, "title:\tOne", ["4:7: this is a tab; write spaces instead"]),
    (TITLE, "title: @a", ["4:8: YAML cannot read this (found character '@' that cannot start any token); if it is "
                          "text, put it in quotes"]),
    (TITLE, "title: One\x07", ["4:11: the character '\\x07' is not allowed here"]),
    (TITLE, "title: One\ud800", ["4:11: the character '\\ud800' is not allowed here"]),
    (TITLE, "title: &a One", ["4:8: anchors (&name) are not allowed here; write the value out"]),
    (TITLE, "title: *a", ["4:8: aliases (*name) are not allowed here; write the value out, or put text in quotes"]),
    (TITLE, "title: !!python/name:os.system x", ["4:8: tags (!name) are not allowed here; put text in quotes"]),
    (TITLE, "...\ntitle: One", ["4:1: ... is not allowed here"]),
    (SHOW, "show: " + "[" * 10_000, ["11:14: this is nested too deeply"]),
    (SHOW, f"show: [{'seed, ' * 5_000}]", ["1:1: this holds 30,243 characters of YAML; at most 20,000 are read"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), MISTAKES, ids=[new[:40] for _, new, _ in MISTAKES])
def test_a_mistake_is_reported_at_its_place(old, new, expected):
    assert problems(edited(old, new)) == expected


def test_a_lesson_cannot_have_own_data():
    text = edited("stage: crp_seating", "stage: crp_mixture").replace(SETTINGS, "{data: own, own: abc}")
    text = text.replace("until: 30", "until: 30\nsettings: {own: abc}")
    found = [problem for problem in problems(text) if "heights.csv" in problem]
    assert [one.partition(";")[0] for one in found] == [
        "9:24: own is a learner's own data, and this lesson has no file",
        "9:29: own names data of learners",
        "44:12: own names data of learners",
    ]


def test_the_sample_has_no_problem():
    assert problems(SAMPLE) == []


@pytest.mark.parametrize("word", ["true", "False", '"no"', "a no", "1.0", "-3", "x"])
def test_plain_values_are_left_alone(word):
    message = problems(edited("minutes: 12", f"minutes: {word}"))
    assert all("should be a whole number" in line or "the least is" in line for line in message)


def test_all_problems_are_reported_at_once():
    text = SAMPLE
    for old, new in [
        (TITLE, "titel: One"),
        ("minutes: 12", "minutes: 999"),
        (SETTINGS, "{concentration: 900}"),
        ("{#look}", "{#run}"),
        ("open: evening", "open: evning"),
        ("until: 30", "until: 300"),
    ]:
        text = text.replace(old, new)
    assert problems(text) == [
        "1:1: the key 'title' is missing: what learners see above the lesson",
        "4:1: unknown key 'titel' (did you mean 'title'?)",
        "7:10: minutes is 999; the most is 240",
        "9:33: concentration is 900; the most is 50",
        "29:26: unknown view 'evning' (did you mean 'evening'?)",
        "43:8: until is 300; this step has 60 customers",
        "55:9: the id 'run' is taken by the step on line 38",
    ]


def test_missing_front_matter_is_one_problem():
    message = "1:1: a lesson begins with its front matter: keys and values between two lines of ---"
    assert problems(SAMPLE.removeprefix("---\n")) == [message]
    assert problems("\n" + SAMPLE) == [message]
    assert problems(SAMPLE[SAMPLE.index("## Before") :]) == [message]


def test_front_matter_that_is_not_closed_is_one_problem():
    message = "1:1: this front matter is not closed; end it with a line of ---"
    assert problems(edited("remembered]\n---\n", "remembered]\n")) == [message]


def test_empty_front_matter():
    body = SAMPLE[SAMPLE.index("## Look") :]
    assert problems(f"---\n---\n{body}") == ["1:1: there is nothing in here; write lines of the form key: value"]
    assert problems(f"---\n- a\n---\n{body}") == ["2:1: this should be lines of the form key: value"]


@pytest.mark.parametrize("separator", ["\u2028", "\x85"])
def test_characters_that_yaml_takes_for_line_breaks_do_not_shift_the_lines(separator):
    text = edited(TITLE, f'title: "One{separator}two"').replace("minutes: 12", "minutes: 999")
    assert problems(text) == ["7:10: minutes is 999; the most is 240"]


def test_a_text_that_a_setting_cannot_have_is_said_in_the_settings_words():
    text = (SHIPPED / "text-2-spam-without-labels.md").read_text("utf-8")
    wrong = text.replace("stage_settings: {", r'stage_settings: {message: "a\tb", ', 1)
    found = [problem.message for problem in parse_lesson(wrong, PATH).problems]
    assert found == [r"message should be text in one line of at most 100 characters, got 'a\tb'"]
