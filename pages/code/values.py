"""Values in the code, in few characters."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from pages.drawing.numbers import significant, vector
from samplers.gradient.hmc import Point
from samplers.log_density import PositionState
from samplers.recipe import Conditional

MOST = 4  # numbers of a list that are written out
LONGEST = 16  # list that is shown at all
LARGEST = 3  # rows of a matrix that is
ROOM = 64  # characters beside a line


def said(value: Any) -> str:
    """Return a value as HTML; "" of what can't be said beside a line."""
    text = _written(value)
    return text if len(text) <= ROOM else ""


def _written(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool() | np.bool_():
            return str(bool(value))
        case int() | np.integer():
            return f"{int(value)}".replace("-", "−")
        case float() | np.floating():
            return _number(float(value))
        case str():
            return f"“{escape(value)}”"
        case Conditional():
            return f"log weights {_listed(value.log_weights)}"
        case PositionState() | Point():
            return _listed(value.position)
        case np.ndarray():
            return _array(value)
        case tuple() if hasattr(value, "_fields"):
            return _parts(value)
        case list() | tuple() if 0 < len(value) <= LONGEST:
            return _listed(value) if all(isinstance(one, (int, float)) for one in value) else _parts(value)
        case _ if "__str__" in vars(type(value)):  # it says itself what it is
            return str(value)
    return ""


def _parts(values: Sequence[Any]) -> str:
    parts = [_written(value) for value in values]
    return f"({', '.join(parts)})" if all(parts) and len(parts) <= MOST else ""


def _number(value: float) -> str:
    return "NaN" if np.isnan(value) else significant(value, grouped=True)


def _listed(values: Any) -> str:
    return vector(values, _number, MOST)


def _array(value: np.ndarray) -> str:
    if value.dtype.kind not in "fiub" or not value.size:
        return ""
    if value.size == 1:
        return _number(float(value.flat[0]))
    if value.ndim == 1:
        return _listed(value)
    if value.ndim == 2 and max(value.shape) <= LARGEST:
        return f"({', '.join(_listed(row) for row in value)})"
    return ""
