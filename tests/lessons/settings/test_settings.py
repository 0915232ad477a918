"""Settings: limits, the text of a URL, and what each stage promises to lessons."""

import typing

import numpy as np
import pytest
from pydantic import ValidationError

from lessons.settings.settings import limits, read_int, read_text
from lessons.topics import STAGES
from lessons.topics.crp_seating import CRPSeatingSettings
from lessons.topics.logistic import LogisticSettings
from samplers import Chain

NUMBERS = [
    ("concentration", "2.5", 2.5, None),
    ("concentration", " 7 ", 7.0, None),
    ("concentration", "900", 50.0, "concentration was 900; the most is 50, so it is 50."),
    ("concentration", "-1", 0.1, "concentration was -1; the least is 0.1, so it is 0.1."),
    ("concentration", "1e999", 50.0, "concentration was 1e999; the most is 50, so it is 50."),
    ("concentration", "nan", 1.0, "concentration was 'nan', which is not a number; it is 1."),
    ("concentration", "inf", 1.0, "concentration was 'inf', which is not a number; it is 1."),
    ("concentration", "٣", 1.0, "concentration was '٣', which is not a number; it is 1."),
    ("concentration", "1_0", 1.0, "concentration was '1_0', which is not a number; it is 1."),
    ("customers", "61", 61, None),
    ("customers", "+061", 61, None),
    ("customers", "abc", 60, "customers was 'abc', which is not a whole number; it is 60."),
    ("customers", "", 60, "customers was '', which is not a whole number; it is 60."),
    ("customers", "6.5", 60, "customers was '6.5', which is not a whole number; it is 60."),
    ("customers", "²", 60, "customers was '²', which is not a whole number; it is 60."),
    ("customers", "0", 1, "customers was 0; the least is 1, so it is 1."),
    ("customers", "9" * 10_000, 500, f"customers was {'9' * 39}…; the most is 500, so it is 500."),
    ("customers", "-" + "9" * 10_000, 1, f"customers was -{'9' * 38}…; the least is 1, so it is 1."),
    ("customers", "0" * 10_000, 1, f"customers was {'0' * 39}…; the least is 1, so it is 1."),
    ("customers", "x" * 10_000, 60, f"customers was '{'x' * 38}…, which is not a whole number; it is 60."),
    ("door", "stick", "stick", None),
    ("door", "Stick", "seating", "door was 'Stick', which is not one of seating, stick; it is seating."),
]


@pytest.mark.parametrize(("name", "text", "value", "note"), NUMBERS, ids=[row[1][:20] for row in NUMBERS])
def test_text_of_a_url(name, text, value, note):
    settings, notes = read_text(CRPSeatingSettings, {name: text})
    assert getattr(settings, name) == value
    assert notes == ([note] if note else [])


DIGEST = "0123456789abcdef" * 2


@pytest.mark.parametrize("text", ["", DIGEST])
def test_a_digest_in_a_url(text):
    settings, notes = read_text(LogisticSettings, {"own": text})
    assert (settings.own, notes) == (text, [])


@pytest.mark.parametrize("text", [" ", DIGEST[1:], DIGEST + "0", DIGEST.upper(), f"{DIGEST}\n", "g" * 32])
def test_what_is_no_digest_is_left_out(text):
    settings, (note,) = read_text(LogisticSettings, {"own": text})
    assert settings.own == ""
    assert note.endswith("which is no digest of anybody's data; it is left out.")
    with pytest.raises(ValidationError):
        LogisticSettings(own=text)


def test_what_a_url_does_not_name_stays_at_the_base():
    base = CRPSeatingSettings(customers=7, door="stick")
    settings, notes = read_text(CRPSeatingSettings, {"customers": "x", "discount": "0.5", "speed": "3"}, base)
    assert settings == CRPSeatingSettings(customers=7, door="stick", discount=0.5)
    assert notes == ["customers was 'x', which is not a whole number; it is 7."]


def test_read_int():
    assert read_int("seed", "12", 0, 2**32 - 1, 7) == (12, None)
    assert read_int("seed", str(2**32), 0, 2**32 - 1, 7) == (
        2**32 - 1,
        "seed was 4294967296; the most is 4294967295, so it is 4294967295.",
    )
    assert read_int("seed", "x", 0, 9, 7) == (7, "seed was 'x', which is not a whole number; it is 7.")


@pytest.mark.parametrize("wrong", [{"concentration": 0.0}, {"customers": 2.5}, {"customers": True}, {"alpha": 1.0}])
def test_settings_refuse_what_is_out_of_their_limits(wrong):
    with pytest.raises(ValidationError):
        CRPSeatingSettings(**wrong)


@pytest.mark.parametrize("model", STAGES.values(), ids=STAGES)
def test_every_field_can_be_shown_as_a_control(model):
    for field in model.model_fields.values():
        assert field.title
        assert field.description
        assert field.description.endswith(".")
        if field.annotation in (int, float):
            low, high = limits(field)
            assert low <= field.default <= high
            assert field.json_schema_extra["step"] > 0
        elif field.annotation is str:
            assert not field.json_schema_extra["control"]
        else:
            options = typing.get_args(field.annotation)
            assert field.default in options
            assert field.json_schema_extra["words"].keys() <= {*options}, "there are words of no option"


@pytest.mark.parametrize("model", STAGES.values(), ids=STAGES)
def test_every_stage_can_be_run_and_measured(model):
    settings = model()
    chain = Chain(settings.sampler(), seed=1)
    for t in (0, min(settings.iterations, 5)):
        assert tuple(settings.measure(chain, t)) == tuple(settings.measured)
    assert settings.unit
    assert {name for names in settings.folds.values() for name in names} <= model.model_fields.keys()


@pytest.mark.parametrize("door", ["seating", "stick"])
def test_measures_of_the_seating_agree_with_its_labels(door):
    settings = CRPSeatingSettings(concentration=3.0, customers=40, door=door)
    chain = Chain(settings.sampler(), seed=3)
    seats = chain[settings.iterations].assignments
    _, counts = np.unique(seats, return_counts=True)
    assert settings.measure(chain, settings.iterations) == {
        "customers": 40,
        "tables": len(counts),
        "largest": counts.max(),
        "leader": counts.argmax() + 1,
        "alone": (counts == 1).sum(),
        "first": (seats == 0).sum(),
    }


def test_an_empty_restaurant_can_be_measured():
    settings = CRPSeatingSettings()
    assert settings.measure(Chain(settings.sampler(), seed=3), 0) == {
        "customers": 0,
        "tables": 0,
        "largest": 0,
        "leader": 0,
        "alone": 0,
        "first": 0,
    }


def test_one_iteration_has_a_word_in_the_singular_whatever_the_settings():
    words = set()
    for model in STAGES.values():
        choices = {
            name: typing.get_args(field.annotation)
            for name, field in model.model_fields.items()
            if typing.get_origin(field.annotation) is typing.Literal and name != "data"
        }
        every = [{}, *({name: value} for name, values in choices.items() for value in values)]
        words |= {model.model_validate(values).counted_as for values in every}
    assert words == {
        "answer", "customer", "draw", "example", "half-step", "iteration", "leapfrog step", "point", "round", "step",
        "sweep", "toss", "update",
    }  # fmt: skip
