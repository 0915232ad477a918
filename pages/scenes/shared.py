"""Results that sessions share: of equal arguments there is one in the server's memory."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from lessons.settings.settings import StageSettings
from pages.player.kept import RUNS

P = ParamSpec("P")
T = TypeVar("T")


def shared(make: Callable[P, T]) -> Callable[P, T]:
    """Have sessions share what a function makes from settings, a seed, a scene, numbers or texts.

    Two settings are the same here if they make the same run: the function gets them without what changes only the view.
    """
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def found(*given: P.args, **named: P.kwargs) -> T:
        parts = [_as_run(part) for part in given]
        key = " ".join((name, *map(_text, parts), *(f"{word}={_text(part)}" for word, part in named.items())))
        return RUNS.shared(key, lambda: make(*parts, **named))

    return found


def key_of(settings: StageSettings, *more: object) -> str:
    """Return a text that names a run: equal for settings that differ only in the view."""
    topic = type(settings).__module__.rpartition(".")[2]
    return " ".join((topic, settings.as_run().model_dump_json(), *map(str, more)))


def _as_run(part: Any) -> Any:
    return part.as_run() if isinstance(part, StageSettings) else part


def _text(part: Any) -> str:
    return part.model_dump_json() if isinstance(part, StageSettings) else str(getattr(part, "key", part))
