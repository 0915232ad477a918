"""Single values of YAML are set and removed, and all the rest stays as it was written."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lessons.format.patch import put, remove, written

BLOCK = """\
kind: predict   # a question
settings:
  alpha: 1   # one
  # between
  beta: 2.5

# what comes then
then: {advance: 1, open: customer}   # and so
show:
- a
- b
hide: []
until:"""


@pytest.mark.parametrize(
    ("where", "value", "old", "new"),
    [
        (("kind",), "quiz", "kind: predict ", "kind: quiz "),
        (("settings", "alpha"), 7, "alpha: 1 ", "alpha: 7 "),
        (("settings", "gamma"), "x: y", "  beta: 2.5\n", '  beta: 2.5\n  gamma: "x: y"\n'),
        (("then", "advance"), 3, "advance: 1", "advance: 3"),
        (("then", "settings", "k"), 1e-5, "customer}", "customer, settings: {k: 0.00001}}"),
        (("show",), ["c"], "show:\n- a\n- b\n", "show: [c]\n"),
        (("hide",), ["no"], "hide: []", 'hide: ["no"]'),
        (("until",), 4, "until:", "until: 4"),
        (("expect", "tables"), 3, "until:", "until:\nexpect: {tables: 3}"),
    ],
)
def test_a_value_is_set_and_no_other_character_changes(where, value, old, new):
    assert put(BLOCK, where, value) == BLOCK.replace(old, new)


@pytest.mark.parametrize(
    ("where", "old", "new"),
    [
        (("kind",), "kind: predict   # a question\n", ""),
        (("settings", "beta"), "  beta: 2.5\n", ""),
        (("then", "advance"), "advance: 1, ", ""),
        (("then", "open"), ", open: customer", ""),
        (("show",), "show:\n- a\n- b\n", ""),
        (("gone",), "", ""),
    ],
)
def test_a_value_is_removed_with_its_key(where, old, new):
    assert remove(BLOCK, where) == BLOCK.replace(old, new)


def test_a_mapping_that_would_be_empty_goes_too():
    assert remove("a: {b: {c: 1}}\nd: 2\n", ("a", "b", "c")) == "d: 2\n"
    assert remove("a: 1", ("a",)) == ""
    assert put("", ("a", "b"), True) == "a: {b: true}\n"


@pytest.mark.parametrize("text", ["a: [", "- a", "a: 1\nb: 2"])
def test_where_there_is_no_place_it_says_so(text):
    with pytest.raises(ValueError, match=r"not YAML|not keys|no place"):
        put(text, ("a", "b"), 1)


TEXT = st.text(st.characters(max_codepoint=0x2FFF, categories=("L", "N", "P", "S", "Zs")), max_size=8)
VALUES = st.one_of(st.integers(), st.booleans(), st.floats(-1e9, 1e9), TEXT)
VALUES |= st.lists(VALUES, max_size=3)
KEYS = st.sampled_from("abcdef")
MAPPINGS = st.dictionaries(KEYS, VALUES | st.dictionaries(KEYS, VALUES, min_size=1, max_size=3), max_size=4)


@given(MAPPINGS, st.booleans(), KEYS, KEYS, VALUES)
def test_whatever_is_there_is_there_after_it(data, flow, key, inner, value):
    text = "".join(f"{k}: {written(v)}\n" for k, v in data.items()) if flow else yaml.safe_dump(data, sort_keys=False)
    where = (key, inner) if isinstance(data.get(key, {}), dict) else (key,)
    changed = put(text if data else "", where, value)
    expected = {**data, key: {**data.get(key, {}), inner: value} if len(where) == 2 else value}
    assert yaml.safe_load(changed) == expected
    gone = {**data, key: {k: v for k, v in data.get(key, {}).items() if k != inner}} if len(where) == 2 else data
    assert (yaml.safe_load(remove(changed, where)) or {}) == {
        k: v for k, v in gone.items() if v != {} and where != (k,)
    }
