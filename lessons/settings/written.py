"""The field for a rule that a learner wrote, by which a stage's chain moves: see `samplers.judge.written`."""

import re
from typing import Annotated, Any

from pydantic import Field

from lessons.settings.settings import StageSettings
from samplers.judge.rule import MOST_CHARACTERS, RuleError
from samplers.judge.written import BETWEEN, Written, read

WRITTEN = rf"^([a-z-]{{1,30}}{BETWEEN}[^\x00-\x1f\x7f]{{1,{MOST_CHARACTERS}}})?$"

WrittenRule = Annotated[
    str,
    Field(
        pattern=WRITTEN,
        json_schema_extra={
            "control": False,
            "lesson": False,
            "called": f"rule of at most {MOST_CHARACTERS} characters",
        },
    ),
]


def is_rule(written: str) -> bool:
    """Return whether a text is a rule that a link can hold."""
    try:
        read(written)
    except RuleError:
        return False
    return re.fullmatch(WRITTEN[1:-1], written) is not None


class WrittenSettings(StageSettings):
    """Settings of a stage whose chain can move by a rule that a learner wrote; without one, it moves by the right rule.

    A rule has the id of its problem, and its lines, with semicolons between. A stage has it in its last field,
    ``written``.
    """

    @property
    def moves_by(self) -> str:
        """The rule by which the chain moves; "" for the right one, also where the settings have no use for the rule."""
        written: str = getattr(self, "written", "")
        return written if written.partition(BETWEEN)[0] in self.ruled else ""

    def by_rule(self, sampler: Any) -> Any:
        """Return a Gibbs sampler that moves by the learner's rule, if there is one; else the sampler itself."""
        return Written(sampler, self.moves_by) if self.moves_by else sampler

    def lacking(self) -> str:
        """Say so if a rule in a link cannot be read."""
        try:
            if self.moves_by:
                read(self.moves_by)
        except RuleError as error:
            return f"The rule in this link cannot be used: {error} Leave the lesson, and open it again."
        return super().lacking()
