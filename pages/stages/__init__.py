"""One package a topic: where a sampler, its controls and its charts meet."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from lessons.loading import LOADING
from pages.shell.topic import Stage


@lru_cache
def stage_of(topic: str) -> Stage[Any]:
    """Return the stage of a topic, whose code is loaded when it is first asked for."""
    with LOADING:
        import_module(f"{__name__}.{topic}")
    return Stage.by_name[topic]()
