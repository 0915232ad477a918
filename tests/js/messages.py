"""Write the types of all messages between Python and the browser, as TypeScript has them, from Python's own.

``python -m tests.js.messages`` writes pages/messages.d.ts anew; test_js.py fails where it is not what Python says.
"""

import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NotRequired, get_args, get_origin, get_type_hints

from pages.classroom import messages as classroom
from pages.classroom.news import News
from pages.contract.events import EVENTS
from pages.contract.film import Described
from pages.contract.wire import FramesHead
from pages.embed.host import Staged
from pages.embed.routes import Linked
from pages.form.value import FormShown
from pages.judge.packing import RulePack, RuleVerdict
from pages.notebook.page import Kept
from pages.player.cards import Cards
from pages.player.player import Message
from pages.publish.messages import Course, Published

FILE = Path(__file__).parents[2] / "pages/messages.d.ts"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}
TOLD = (
    Message,
    Staged,
    Kept,
    Linked,
    Described,
    FramesHead,
    Cards,
    Course,
    Published,
    FormShown,
    RulePack,
    RuleVerdict,
    News,
)
HEAD = """// What Python and the browser say to each other. Made of Python's types: `python -m tests.js.messages`.
"""


class Types:
    """The interfaces that were written so far, by name."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}
        self._made: dict[str, type] = {}

    def of(self, hint: Any) -> str:
        """Return a type as TypeScript writes it."""
        kind, inner = get_origin(hint), get_args(hint)
        if hint in PLAIN:
            return PLAIN[hint]
        if kind is Literal:
            return " | ".join(f'"{value}"' if isinstance(value, str) else str(value).lower() for value in inner)
        if kind in (typing.Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.of(one) for one in inner))
        if kind is typing.Annotated:
            return self.of(inner[0])
        if kind is tuple and inner[-1] is not Ellipsis:
            return f"[{', '.join(map(self.of, inner))}]"
        if kind in (list, tuple, Sequence):
            return f"Array<{self.of(inner[0])}>"
        if kind in (dict, Mapping):
            return f"Record<{self.of(inner[0])}, {self.of(inner[1])}>"
        return self.interface(hint)

    def interface(self, made: type) -> str:
        """Write a class with all its fields, those of its parents included; return its name."""
        name = made.__name__
        assert self._made.setdefault(name, made) is made, f"two types of messages are called {name}"
        if name not in self.written:
            self.written[name] = ""  # keeps its place, before what it holds
            hints = get_type_hints(made, include_extras=True).items()
            self.put(
                name,
                {field: hint for field, hint in hints if field != "model_config"},
                getattr(made, "__total__", True),
            )
        return name

    def put(self, name: str, fields: Mapping[str, Any], total: bool = True) -> None:
        """Write an interface of such fields."""
        lines = []
        for field, hint in fields.items():
            free = get_origin(hint) is NotRequired
            lines.append(
                f"  {field}{'?' if free or not total else ''}: {self.of(get_args(hint)[0] if free else hint)};\n"
            )
        self.written[name] = f"export interface {name} {{\n{''.join(lines)}}}\n"


def text() -> str:
    """Return the file."""
    found = Types()
    for made in TOLD:
        found.interface(made)
    for name, adapters in (
        ("Events", EVENTS),
        ("LearnerSays", classroom.LEARNER),
        ("InstructorSays", classroom.INSTRUCTOR),
    ):
        found.put(name, {kind: adapter._type for kind, adapter in adapters.items()})
    return "\n".join([HEAD, *found.written.values()])


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
