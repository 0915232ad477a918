"""Python's text for what a stage has built: a sampler, its model and its data, with the imports that they need."""

import base64
import inspect
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from lessons.settings.calls import Call, Entry

WIDE = 100  # characters of a line
MANY = 12  # numbers of an array from which on it has a name and a line of its own
MOST = 3_000  # numbers that are written out; more of them are packed
OURS = ("samplers", "lessons.data")
TEXT_WIDTH = 92  # of packed numbers, in a line


class Unwritable(TypeError):  # noqa: N818 - it is met while a script is made, and a test says for which settings
    """There is no text for this thing, as a function that was made on the spot has none."""


class Writer:
    """Writes expressions; what has a name already is written by it.

    Attributes
    ----------
    lines : list of str
        Assignments so far.
    imports : dict of str to set of str
        Names by module.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.imports: dict[str, set[str]] = {"samplers": {"Chain"}}
        self._known: list[tuple[Any, str]] = []
        self._names = {"np", "Chain", "state", "chain"}

    # ---- names -------------------------------------------------------------------------------------------------------

    def know(self, value: Any, text: str) -> None:
        """Write this value, and whatever is like it, by this text from now on."""
        self._known.append((value, text))

    def define(self, name: str, value: Any) -> Any:
        """Assign a call, or a value, to a name, or parts of it to several names (``"points, labels"``); return it."""
        names = [self._free(each) for each in name.split(", ")]
        made = value.made() if isinstance(value, (Call, Entry)) else value
        text = self.text(value, anew=True)
        self.lines.append(f"{', '.join(names)} = {text}")
        if len(names) > 1:
            for each, part in zip(names, made, strict=True):
                self.know(part, each)
            return made
        self.know(made, names[0])
        self._know_parts(made, names[0], depth=2)
        return made

    def _know_parts(self, made: Any, text: str, depth: int) -> None:
        for name, part in _parts(made).items():
            self.know(part, f"{text}.{name}")
            if depth > 1:
                self._know_parts(part, f"{text}.{name}", depth - 1)

    def code(self, name: str, text: str, value: Any) -> None:
        """Assign an expression whose value is known to a name."""
        name = self._free(name)
        self.lines.append(f"{name} = {text}")
        self.know(value, name)

    def _free(self, name: str) -> str:
        free, number = name, 2
        while free in self._names:
            free, number = f"{name}_{number}", number + 1
        self._names.add(free)
        return free

    # ---- expressions -------------------------------------------------------------------------------------------------

    def text(self, value: Any, hint: str = "values", *, anew: bool = False) -> str:
        """Return an expression that makes a value.

        Parameters
        ----------
        value : object
            A number, a text, an array, or an object of `samplers` whose attributes are named as its arguments.
        hint : str, optional
            What a long array is called.
        anew : bool, optional
            Whether it is written out even if it is known by a name.

        Raises
        ------
        Unwritable
            If it is none of these.
        """
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=False)
        if value is None or isinstance(value, (bool, int, np.bool_, np.integer, slice)):
            return repr(value.item() if isinstance(value, np.generic) else value)
        if isinstance(value, (float, np.floating)):
            return _number(float(value), self)
        if not anew and (name := self.name_of(value)):
            return name
        if isinstance(value, np.ndarray):
            return self._array(value, hint, anew)
        if sparse.issparse(value):
            self.imports.setdefault("scipy.sparse", set()).add("csr_array")
            rows: Any = value
            parts = [rows.data, rows.indices, rows.indptr]
            return _called("csr_array", [self.text(tuple(parts), hint), f"shape={rows.shape}"])
        if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
            inside = [self.text(each, hint) for each in value]
            if isinstance(value, list):
                return _called("", inside, "[]")
            return _called("", inside, "()") if len(inside) != 1 else f"({inside[0]},)"
        if isinstance(value, Call):
            return self.call(value)
        if isinstance(value, Entry):
            self.imports.setdefault(value.module, set()).add(value.table)
            return f"{value.table}[{value.key!r}]".replace("'", '"')
        if inspect.isfunction(value) or inspect.isclass(value):
            return self._named(value)
        return self._built(value)

    def call(self, made: Call) -> str:
        """Return the expression of a call."""
        owner = getattr(made.function, "__self__", None)
        if isinstance(made.function, Entry):
            what = self.text(made.function)
        elif owner is not None and not inspect.isclass(owner):
            what = f"{self.text(owner)}.{made.function.__name__}"
        else:
            what = self._named(made.function)
        arguments = [self.text(each) for each in made.arguments]
        return _called(what, [*arguments, *(f"{name}={self.text(each, name)}" for name, each in made.named.items())])

    def name_of(self, value: Any) -> str | None:
        """Return the text by which a value is known; None if it is not."""
        return next((text for known, text in reversed(self._known) if same(known, value)), None)

    def _array(self, value: np.ndarray, hint: str, anew: bool) -> str:
        if value.ndim == 1 and value.size > 2 and value.tobytes() == value[:1].tobytes() * value.size:
            self.imports["numpy"] = set()
            return f"np.full({value.size}, {self.text(value[0])})"
        if value.size > MANY and not anew:
            self.define(hint, value)
            return str(self.name_of(value))
        self.imports["numpy"] = set()
        kind = "" if value.dtype in (np.dtype(float), np.dtype(int)) else f", dtype=np.{value.dtype.name}"
        if not value.size:
            return f"np.zeros({value.shape}{kind or ('' if value.dtype == float else ', dtype=int')})"
        if value.size > MOST:
            return self._packed(value)
        return f"np.array({_rows(value, self)}{kind})"

    def _packed(self, value: np.ndarray) -> str:
        self.imports |= {"base64": set(), "zlib": set()}
        packed = base64.b64encode(zlib.compress(np.ascontiguousarray(value).tobytes(), 9)).decode()
        text = "\n".join(f'    "{packed[start : start + TEXT_WIDTH]}"' for start in range(0, len(packed), TEXT_WIDTH))
        raw = f"zlib.decompress(base64.b64decode(\n{text}\n))"
        return f'np.frombuffer({raw}, "{value.dtype.str}").reshape({value.shape})'

    def _named(self, thing: Any) -> str:
        module, name = thing.__module__, thing.__qualname__
        if "." in name or not f"{module}.".startswith(tuple(f"{each}." for each in OURS)):
            raise Unwritable(f"{module}.{name}")
        self.imports.setdefault(module, set()).add(name)
        self._names.add(name)
        return str(name)

    def _built(self, value: Any) -> str:
        what, arguments = self._named(type(value)), list[str]()
        parameters = inspect.signature(type(value)).parameters
        for number, (name, argument) in enumerate(given(value).items()):
            if not same(argument, parameters[name].default):  # which is a class of `inspect` if there is none
                text, leads = self.text(argument, name), parameters[name].kind is not inspect.Parameter.KEYWORD_ONLY
                arguments.append(text if number == 0 and leads else f"{name}={text}")
        return _called(what, arguments)


def same(a: Any, b: Any) -> bool:
    """Return whether two values are the same to the last bit, so that either may stand for the other."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if sparse.issparse(a):
        return all(same(getattr(a, part), getattr(b, part)) for part in ("shape", "data", "indices", "indptr"))
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (str, int, float)):
        return bool(a == b)
    if not type(a).__module__.startswith("samplers"):
        return False
    try:
        ours, theirs = given(a), given(b)
    except Unwritable:
        return False
    return all(same(ours[name], theirs[name]) for name in ours)


def given(value: Any) -> dict[str, Any]:
    """Return the arguments that an object was made of, by name; a test holds that `samplers` keeps them.

    Raises
    ------
    Unwritable
        If it does not keep them.
    """
    try:
        return {name: getattr(value, name) for name in inspect.signature(type(value)).parameters}
    except (AttributeError, ValueError):
        raise Unwritable(type(value).__qualname__) from None


def _parts(made: Any) -> Mapping[str, Any]:
    """Return the attributes of what a call has made that may be arguments of others: arrays, texts, tuples."""
    kept = (np.ndarray, tuple, list, sparse.sparray)
    parts = getattr(made, "__dict__", {}).items()
    ours = {name: part for name, part in parts if type(part).__module__.startswith("samplers")}
    return ours | {name: part for name, part in parts if isinstance(part, kept)}


def _number(value: float, writer: Writer) -> str:
    if math.isfinite(value):
        return repr(value)
    writer.imports["numpy"] = set()
    return "np.nan" if math.isnan(value) else ("-" if value < 0 else "") + "np.inf"


def _rows(value: np.ndarray, writer: Writer) -> str:
    if value.ndim > 1:
        return _called("", [_rows(row, writer) for row in value], "[]")
    items = [_number(each, writer) if isinstance(each, float) else repr(each) for each in value.tolist()]
    return _wrapped(items)


def _wrapped(items: Sequence[str]) -> str:
    """Return a list, in as many lines as it needs."""
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) + 2 > WIDE - 8:
            lines.append("")
        lines[-1] += f", {item}" if lines[-1] else item
    if len(lines) == 1:
        return f"[{lines[0]}]"
    return "[\n" + "".join(f"    {line},\n" for line in lines) + "]"


def _called(what: str, arguments: Sequence[str], brackets: str = "()") -> str:
    """Return a call, or a list, in one line if it is short and with a line for each argument else."""
    left, right = brackets[0], brackets[1]
    line = f"{what}{left}{', '.join(arguments)}{right}"
    if len(line) <= WIDE - 12 and "\n" not in line:
        return line
    indented = ("    " + each.replace("\n", "\n    ") for each in arguments)
    return f"{what}{left}\n" + "".join(f"{each},\n" for each in indented) + right
