"""The words of a stage, in the second part of its topic's file."""

import pytest

from lessons.settings import words
from lessons.settings.words import FieldWords, words_of

GOOD = "title: A die\n---\nviews: {step: This step}\nmeasured: {}\nsettings:\n  faces: {title: Faces, why: How many.}\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.setattr(words, "HOME", tmp_path)
    return tmp_path / "die.yaml"


def test_a_setting_has_the_words_of_its_topic_or_those_that_several_share(here):
    here.write_text(GOOD + "  runs: {words: {one: One die}}\n", "utf-8")
    found = words_of("die", ("faces", "runs", "sweep")).settings
    assert found["faces"] == FieldWords(title="Faces", why="How many.")
    assert (found["runs"].title, found["runs"].words) == ("Runs", {"one": "One die"})
    assert found["sweep"].title == "Sweep"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("title: A die\n", r"die.yaml, after the line ---: views: Field required"),
        (GOOD.replace(", why: How many.", ""), r"die.yaml, after the line ---: settings: faces: why: Field required"),
        (GOOD.replace("faces:", "sides:"), r"die.yaml has words of a setting that the stage does not have: sides"),
        (GOOD.replace("why:", "help:"), r"settings: faces: why: Field required"),
        (GOOD.replace("measured", "measures"), r"measured: Field required"),
    ],
)
def test_what_is_missing_or_misspelt_is_named(here, text, error):
    here.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=error):
        words_of("die", ("faces",))
