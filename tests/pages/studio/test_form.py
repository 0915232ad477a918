"""The form of the studio: what it offers, and what it writes into a step."""

import pytest

from lessons.check.files import parse_lesson
from lessons.format.schema import KINDS, FrontMatter
from lessons.topics import STAGES
from pages.lesson import gate
from pages.studio import seeds
from pages.studio.form import Block, block_of, entries, with_block
from tests.pages.studio.instructor import SECRET
from tests.pages.visits import app


def test_the_form_has_what_the_schema_has():
    known = entries(KINDS["predict"], STAGES["crp_seating"])
    assert {"at", "seed", "show", "hide", "lock", "settings.customers", "then.advance", "then.open", "number.axis"} <= {
        *known
    }
    assert not {"kind", "goals", "then.settings", "until"} & {*known}
    assert known["settings.customers"].schema["maximum"] == 500
    assert {"play", "scrub"} <= {*known["lock"].options}
    assert known["hide"].start == ["captions", "messages", "inspector"]
    assert {"minutes", "stage", "stage_settings.customers"} <= {*entries(FrontMatter, STAGES["crp_seating"])}


@pytest.mark.parametrize("stage", STAGES)
def test_every_entry_begins_with_a_value_that_it_may_have(stage):
    for part in (*KINDS.values(), FrontMatter):
        for name, entry in entries(part, STAGES[stage]).items():
            assert entry.has(entry.start), name
            assert entry.start or "exclusiveMinimum" not in entry.schema, name
            assert not entry.has({}), name


def test_the_form_writes_into_its_own_block_alone(here):
    here.line = 40
    pieces = here.pieces()
    section = here.section(pieces)
    block = block_of(pieces, section, {"kind": "run"})
    assert block.text(here.text) == "kind: run\nuntil: 10"
    assert block.put(here.text, "kind: run\nuntil: 12\n") == here.text.replace("until: 10", "until: 12")
    front = block_of(pieces, None, {})
    assert (front.part, front.text(here.text).split("\n")[0]) == (FrontMatter, "schema: 1")
    assert Block(FrontMatter, 1, 0).put("---\n---", "a: 1") == "---\na: 1\n---"


def test_a_step_without_a_block_gets_one(here):
    text = here.text.replace("```step\nkind: run\nuntil: 10\n```\n\n", "")
    here.set(text)
    here.line = 36
    pieces = here.pieces()
    changed = with_block(text, pieces, here.section(pieces))
    assert "while it runs.\n\n```step\nkind: explain\n```\n\n## Try it" in changed


ODD = [
    "kind: quiz\nat: 99999999999999999999",
    "kind: predict\nat: 0\nhide: [captions, captions]\nlock: [play, 1]\nopen: [a]",
    "kind: run\nuntil: x\nsettings: 3\nshow: a\nexpect: {tables: yes}",
    "kind: run\nuntil: 1\nsettings: {customers: 1.5, door: nowhere, concentration: 1}\nseed: -1\ncharts: {}",
    "kind: predict\nat: 0\nthen: {advance: {}}\nnumber: 3\npick: {chart: 7, limits: 2}\nmultiple: 1\norder: odd",
    "kind: [run]",
    "kind: run\nuntil: 1\nuntil: 2\n- a",
    "&a",
    "",
]


def test_whatever_stands_in_the_text_the_form_is_drawn(monkeypatch, mine):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(gate, "is_open", lambda: True)
    text = mine.read_text()
    page = app("studio/studio.py", file=f"{mine.parent.name}/week-3.md")
    here = page.session_state["desk"]
    here.line = 40
    for odd in ODD:
        here.set(text.replace("kind: run\nuntil: 10", odd))
        page.run()
        assert not page.exception, odd
    here.line = 1
    for odd in ("stage: none", "stage: [coin]", "stage: crp_seating\nminutes: 1e9\nsource: 3\nlanguage: true"):
        here.set(text.replace("stage: crp_seating", odd))
        page.run()
        assert not page.exception, odd


def test_what_cannot_be_set_is_said(monkeypatch, mine):
    monkeypatch.setenv(gate.STUDIO, SECRET)
    monkeypatch.setattr(gate, "is_open", lambda: True)
    page = app("studio/studio.py", file=f"{mine.parent.name}/week-3.md")
    here = page.session_state["desk"]
    text = here.text.replace("until: 10", "until: 10\nsettings: 3")
    here.set(text)
    here.line = 40
    page.run()
    keys = next(box for box in page.multiselect if box.label == "What is set here")
    keys.set_value([*keys.value, "settings.customers"]).run()
    assert here.text == text
    assert "no place for customers" in here.said
    keys = next(box for box in page.multiselect if box.label == "What is set here")
    keys.set_value(["until", "seed"]).run()
    assert here.text == text.replace("settings: 3", "settings: 3\nseed: 0")
    next(box for box in page.text_input if box.label == "seed").set_value("5").run()
    assert "\nseed: 5\n```" in here.text
    assert not page.exception


def test_a_seed_is_taken_by_the_step_at_hand_or_by_the_lesson(here):
    line = here.text.split("\n").index("## Watch {#watch}") + 1
    for at, where in ((line, "until: 10\nseed: 12"), (1, "seed: 12\nshow:")):
        here.line = at
        seeds.take(here, 12)
        assert where in here.text
    lesson = parse_lesson(here.text, here.path).lesson
    seeds._try(here, lesson, seeds.NO_ONE)
    assert isinstance(here.tried, seeds.Found)
    assert [run.step.id for run in here.tried.runs] == []  # the only step with an outcome of chance has its own
    seeds._try(here, lesson, "watch")
    assert 10 < sum(map(here.tried.is_typical, seeds.SEEDS)) < 50
