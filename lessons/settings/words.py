"""Words that learners read on a stage: of its views, outcomes and settings, in the second part of the topic's file."""

from collections.abc import Collection
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from lessons.catalogue import HOME, LOADER

SHARED = HOME / "shared.yaml"  # words of settings that several topics have; a topic's own come first


class _Words(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class FieldWords(_Words):
    """Words of a setting.

    Attributes
    ----------
    title, why : str
        The label, and the help behind the question mark.
    words : dict of str to str
        Words for options that are too short to understand, or that are names.
    """

    title: str
    why: str
    words: dict[str, str] = {}


class StageWords(_Words):
    """Words of a stage.

    Attributes
    ----------
    views, measured : dict of str to str
        The inspector's views and the outcomes of a run, by the names that lessons use; the first view is the default.
    folds : dict of str to list of str
        Settings whose controls are folded away, by their headings.
    settings : dict of str to FieldWords
        Those of the settings, by name.
    """

    views: dict[str, str]
    measured: dict[str, str]
    folds: dict[str, list[str]] = {}
    settings: dict[str, FieldWords]


def words_of(stage: str, names: Collection[str]) -> StageWords:
    """Return the words of a stage, and of its settings of these names.

    Raises
    ------
    ValueError
        If the topic's file lacks some, or has words of something else.
    """
    file = HOME / f"{stage}.yaml"
    _, *parts = yaml.load_all(file.read_text("utf-8"), LOADER)
    words: dict[str, Any] = parts[0] if parts else {}
    shared: dict[str, Any] = yaml.load(SHARED.read_text("utf-8"), LOADER)
    own = words.get("settings") or {}
    if strange := own.keys() - {*names}:
        raise ValueError(f"{file.name} has words of a setting that the stage does not have: {min(strange)}")
    settings = {name: {**shared.get(name, {}), **own.get(name, {})} for name in names}
    try:
        return StageWords(**{**words, "settings": settings})
    except ValidationError as error:
        first = error.errors()[0]
        place = ": ".join(map(str, first["loc"]))
        raise ValueError(f"{file.name}, after the line ---: {place}: {first['msg']}") from error
