"""Bayesian samplers, one update at a time: `samplescope` starts the app, and `Stage` plays one in a notebook.

The app's own packages are in this folder, under the names that they have in its repository: `pages`, `lessons` and
`samplers`. Nobody's environment gets these names: they are found only in a process that imports this package.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pages.notebook.stage import Stage

__all__ = ["Stage"]
HOME = Path(__file__).resolve().parent
OURS = ("lessons", "pages", "samplers")


class _Finder(MetaPathFinder):
    """Finds the three packages in this folder."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return PathFinder.find_spec(fullname, [str(HOME)], target) if fullname in OURS else None


for _name in OURS:
    _file = getattr(sys.modules.get(_name), "__file__", None)
    if _name in sys.modules and (_file is None or HOME not in Path(_file).resolve().parents):
        raise ImportError(
            f"a module {_name} has been imported from {_file or 'elsewhere'}, and samplescope needs its own "
            "of that name: import samplescope first, in a process of its own"
        )
sys.meta_path.insert(0, _Finder())


def __getattr__(name: str) -> Any:
    """Load the notebook's part when it is asked for: the command needs none of it."""
    if name == "Stage":
        from pages.notebook.stage import Stage

        return Stage
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
