"""The rules for a lesson's stage: its settings, and the names of its charts and views."""

from collections.abc import Mapping
from typing import Any, get_args

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from lessons.format.data_file import KEY, given, with_data
from lessons.format.problems import Report
from lessons.format.values import Location, Values
from lessons.format.wording import did_you_mean, report_errors
from lessons.own.store import Held
from lessons.settings.settings import IS_OWN, OWN, StageSettings, flags_of, is_own
from lessons.topics import STAGES

EXAMPLE = "heights.csv"


class Stage:
    """The stage that a front matter names, if it names one, and the lesson's settings of it that are valid."""

    def __init__(self, values: Values | None, report: Report, held: Held | None) -> None:
        data = values.data if values else {}
        name, settings = data.get("stage"), data.get("stage_settings", {})
        self.model = STAGES.get(name) if isinstance(name, str) else None
        named = KEY in data or (values is not None and (KEY,) in values.broken)
        self._begins = given(str(name), held) if self.model and named else {}
        self._settings: dict[str, Any] = {}
        self.charts: list[str] = charts if isinstance(charts := data.get("charts"), list) else []
        self._report = report
        if self.model is None or values is None:
            return
        if isinstance(settings, dict):
            wrong = self._wrong_settings(settings, values, ("stage_settings",))
            self._settings = {name: value for name, value in settings.items() if name not in wrong}
        self.check_names("show", data.get("show"), values, list(self.model.controls))
        self.check_names("charts", data.get("charts"), values, list(self.model.charts))

    def settings(
        self, changes: Mapping[str, Any], values: Values, under: Location = ("settings",)
    ) -> StageSettings | None:
        """Return the lesson's settings with changes on top, which are `under` a key; None if they are not valid."""
        if self.model is None:
            return None
        merged = with_data(self._begins, {**self._settings, **changes})
        return None if self._wrong_settings(merged, values, under) else self.model.model_validate(merged)

    def check_names(self, key: str, names: Any, values: Values, options: list[str]) -> None:
        """Report the names in a list or a mapping that are not among the options."""
        for number, name in enumerate(names if isinstance(names, list | dict) else ()):
            if isinstance(name, str) and name not in options:
                place = values.place((key, number)) if isinstance(names, list) else values.key_place((key, name))
                self._report(place, f"unknown name '{name[:40]}' in {key} {did_you_mean(name, options)}")

    def _wrong_settings(self, settings: Mapping[str, Any], values: Values, under: Location) -> set[str | int]:
        assert self.model is not None
        fields = self.model.model_fields
        wrong: set[str | int] = set()
        for name, value in settings.items():
            place = values.key_place((*under, name))
            if name in fields and value != self._begins.get(name) and not _may_set(fields[name]):
                self._report(place, f"{name} names data of learners; a lesson names a file, data: {EXAMPLE}")
                wrong.add(name)
            elif name in fields and is_own(fields[name], value) and not self._begins:
                self._report(values.place((*under, name)), _others(name, fields[name], under))
                wrong.add(name)
        try:
            self.model.model_validate({name: value for name, value in settings.items() if name not in wrong})
        except ValidationError as error:
            report_errors(error, values, self._report, self.model, under)
            wrong |= {detail["loc"][0] for detail in error.errors() if detail["loc"]}
        return wrong


def _may_set(field: FieldInfo) -> bool:
    lesson: bool = flags_of(field).get("lesson", True)
    return lesson


def _others(name: str, field: FieldInfo, under: Location) -> str:
    """Return why a setting cannot be a learner's own data, and what it can be."""
    others = ", ".join(option for option in get_args(field.annotation) if option != OWN)
    if "way" in under:
        return f"{OWN} {IS_OWN}, which the checker does not have; leave it out of the way"
    ask = f"have learners bring theirs: show: [{name}], and a goal with settings: {{{name}: {OWN}}}"
    file = f"name one in the front matter, data: {EXAMPLE}"
    return f"{OWN} {IS_OWN}, and this lesson has no file; {file}, begin with other data (there is: {others}), or {ask}"
