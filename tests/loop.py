"""The event loop on which tests run what is asynchronous: the server's own, which is uvloop where there is one."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from uvicorn.loops.auto import auto_loop_factory

Found = TypeVar("Found")


def awaited(main: Coroutine[Any, Any, Found]) -> Found:
    """Run it as `asyncio.run` does, but on the loop that uvicorn takes."""
    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        return runner.run(main)
