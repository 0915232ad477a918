"""Numbers that are typed among the controls: read by one reader wherever they are, or refused as they were typed."""

import re
from pathlib import Path

import pytest

import pages
from lessons.catalogue import topic_info
from lessons.settings.settings import flags_of, limits
from lessons.topics import STAGES
from tests.pages.visits import app, choose

SOURCES = [path for path in Path(*pages.__path__).rglob("*") if path.suffix in {".py", ".js", ".html"}]
FIELDS = [
    (stage, name)
    for stage, model in STAGES.items()
    for name in model.controls
    if name != "seed" and flags_of(model.model_fields[name]).get("typed")
]


def test_no_field_is_read_by_the_browser():
    """A browser's own field for numbers leaves out signs that it does not know: 1/2 becomes 12."""
    own = re.compile(r"""number_input\(|type(?::|=) ?["']number["']""")
    assert own.search("st.number_input(")
    assert own.search('{ type: "number", min: 1 }')
    assert len(SOURCES) > 300
    assert [path.name for path in SOURCES if own.search(path.read_text("utf-8"))] == []


def field(page, label):
    (found,) = [box for box in page.text_input if box.label == label]
    return found


REFUSED = {
    "1/2": "0.5 is not a whole number. Write 0 or 1.",
    "1,000": "“1,000” could be 1000 or 1. Write 1000 or 1.",
    "−1": "−1 is outside the range: 0 to ",
    "abc": "“abc” is not a number. Write it as 12 or 1200.",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_seed_that_is_none_stays_as_it_was_typed_and_changes_nothing(text):
    page = app("crp_seating.py")
    before = page.session_state["topic crp_seating"].seed
    choose(page, "Seed", text)
    assert field(page, "Seed").value == text
    assert REFUSED[text] in page.error[0].value.replace("\\", "")
    assert page.session_state["topic crp_seating"].seed == before
    choose(page, "Seed", "1 2")
    assert page.error
    choose(page, "Seed", "12,0")
    assert not page.error
    assert page.session_state["topic crp_seating"].seed == 12
    assert field(page, "Seed").value == "12"


NEEDED = {"label_seed": {"known_labels": "5"}}  # so that the field is there


@pytest.mark.parametrize(("stage", "name"), FIELDS)
def test_each_typed_setting_is_read_so_and_names_its_range(stage, name):
    model = STAGES[stage]
    about = model.model_fields[name]
    page = app(topic_info(stage).page, **NEEDED.get(name, {}), t="0")
    place = page.session_state[f"topic {stage}"]
    _, high = limits(about)
    choose(page, str(about.title), f"{high + 1:g}")
    assert "is outside the range" in page.error[0].value
    assert field(page, str(about.title)).value == f"{high + 1:g}"
    assert getattr(place.settings, name) == about.default
    choose(page, str(about.title), f"{2 * int(high - 1)}/2".replace("-", "−"))
    assert not page.error
    assert getattr(place.settings, name) == int(high - 1)
