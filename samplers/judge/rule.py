"""A rule that a learner wrote, in a small part of Python's syntax: read by an allow-list, and never executed.

A rule is an expression: numbers, the names that a problem lists, ``+ - * / **``, ``a if b < c else d``, and ``exp``,
``log``, ``sqrt``, ``lgamma``, ``min``, ``max`` and ``sum``. A name may stand for a list; arithmetic with a list is done
entry by entry, and ``sum``, ``min`` or ``max`` of a list is a number.

An expression is evaluated for many updates at once, with a row for each. ``pages/judge/rule.js`` evaluates the same
expressions in the browser.
"""

import ast
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

MOST_CHARACTERS, MOST_NODES = 400, 60
ALIKE = str.maketrans({"·": "*", "×": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "\u00a0": " ", "\u202f": " "})
LETTERS = {"α": "alpha", "β": "beta", "γ": "gamma", "θ": "theta", "κ": "kappa", "λ": "lam", "μ": "mu", "π": "pi"}
ARITHMETIC: Mapping[type[ast.operator], tuple[str, Callable[..., np.ndarray]]] = {
    ast.Add: ("+", np.add),
    ast.Sub: ("-", np.subtract),
    ast.Mult: ("*", np.multiply),
    ast.Div: ("/", np.true_divide),
    ast.Pow: ("**", np.float_power),
}
COMPARISONS: Mapping[type[ast.cmpop], tuple[str, Callable[..., np.ndarray]]] = {
    ast.Lt: ("<", np.less),
    ast.LtE: ("<=", np.less_equal),
    ast.Gt: (">", np.greater),
    ast.GtE: (">=", np.greater_equal),
    ast.Eq: ("==", np.equal),
    ast.NotEq: ("!=", np.not_equal),
}
FUNCTIONS: Mapping[str, Callable[..., np.ndarray]] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "lgamma": special.gammaln,
}
FOLDS: Mapping[str, tuple[Callable[..., np.ndarray], float]] = {
    "sum": (np.add, 0.0),
    "min": (np.minimum, np.inf),
    "max": (np.maximum, -np.inf),
}
KNOWN = ", ".join([*FUNCTIONS, *FOLDS])


class RuleError(ValueError):
    """A rule that cannot be read; the text is a sentence on why, and `column` the place in it, from 1."""

    def __init__(self, said: str, column: int = 1) -> None:
        super().__init__(said)
        self.column = column


class Value(NamedTuple):
    """A value in each of many updates."""

    numbers: np.ndarray  # shape (rows,), or (rows, entries) for a list
    lengths: np.ndarray | None = None  # of the lists, shape (rows,); None for numbers


Values = Mapping[str, Value]


@dataclass(frozen=True)
class Rule:
    """An expression that has been read.

    Parameters
    ----------
    text : str
        As the learner wrote it.
    names : container of str
        The names that it may use.

    Raises
    ------
    RuleError
        If it is too long, or anything in it is not part of the grammar.

    Examples
    --------
    >>> rule = Rule("n * fit", {"n", "fit"})
    >>> rule.evaluate({"n": Value(np.array([1.0, 2.0])), "fit": Value(np.array([0.5, 0.25]))})
    array([0.5, 0.5])
    """

    text: str
    names: Container[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tree", _read(self.text, self.names))

    def evaluate(self, values: Values) -> np.ndarray:
        """Return its value in each update, shape (rows,); not a number or infinite where arithmetic gives that.

        Raises
        ------
        RuleError
            If its value is a list.
        """
        tree: ast.expr = vars(self)["tree"]
        with np.errstate(all="ignore"):
            found = _value(tree, values)
        if found.lengths is not None:
            raise RuleError("The weight must be a number, and this is a list. Take the sum, say: sum(…).")
        rows = len(next(iter(values.values())).numbers)
        return np.broadcast_to(found.numbers, rows).astype(float)


def _read(text: str, names: Container[str]) -> ast.expr:
    if len(text) > MOST_CHARACTERS:
        raise RuleError(f"A rule has at most {MOST_CHARACTERS} characters; this one has {len(text)}.")
    plain = text.translate(ALIKE).strip()
    if not plain:
        raise RuleError("Write the rule first.")
    if "#" in plain:
        raise RuleError("A rule has no comments: leave out the # and what follows it.", plain.index("#") + 1)
    try:
        tree = ast.parse(plain, mode="eval").body
    except SyntaxError as error:
        raise RuleError(_why_not(plain), error.offset or 1) from None
    except (ValueError, MemoryError, RecursionError):
        raise RuleError("This cannot be read as a formula.") from None
    if sum(isinstance(node, (ast.expr, ast.operator)) for node in ast.walk(tree)) > 2 * MOST_NODES:
        raise RuleError("This is longer than any rule that is asked for here. Make it simpler.")
    _check(tree, names)
    return tree


def _why_not(text: str) -> str:
    if "=" in text.replace("==", "").replace("<=", "").replace(">=", "").replace("!=", ""):
        return "Write only what is on the right of the equals sign."
    if text.count("(") != text.count(")"):
        return "A bracket is missing: there are as many “(” as “)” in a formula."
    return "This cannot be read as a formula. Multiply with *, and raise to a power with **."


def _check(node: ast.expr, names: Container[str]) -> None:
    """Go through a tree and raise `RuleError` at the first part that is not in the grammar."""
    column = node.col_offset + 1
    match node:
        case ast.Constant(value=bool() | complex()) | ast.Constant(value=str() | bytes() | None):
            raise RuleError("Only numbers and the names that are listed can be used.", column)
        case ast.Constant(value=int() | float()):
            return
        case ast.Name(id=name):
            if LETTERS.get(name, name) in names:
                return
            if name in FUNCTIONS or name in FOLDS:
                raise RuleError(f"“{name}” needs brackets: {name}(…).", column)
            raise RuleError(f"There is no “{name[:40]}” in this update. Use the names that are listed.", column)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inside):
            _check(inside, names)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in ARITHMETIC:
            _check(left, names)
            _check(right, names)
        case ast.BinOp(op=ast.BitXor()):
            raise RuleError("Raise to a power with **, as in n**2.", column)
        case ast.IfExp(test=ast.Compare(left=left, ops=[comparison], comparators=[right]), body=body, orelse=other) if (
            type(comparison) in COMPARISONS
        ):
            for part in (left, right, body, other):
                _check(part, names)
        case ast.IfExp():
            raise RuleError("After “if” comes one comparison, as in: a if n > 0 else b.", column)
        case ast.Compare():
            raise RuleError("A comparison belongs after “if”, as in: a if n > 0 else b.", column)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS or name in FOLDS:
            if not arguments or (name in FUNCTIONS and len(arguments) > 1):
                raise RuleError(
                    f"“{name}” takes {'one number' if name in FUNCTIONS else 'a list, or numbers'}.", column
                )
            for argument in arguments:
                if isinstance(argument, ast.Starred):
                    raise RuleError("A list goes into brackets as it is, without *.", argument.col_offset + 1)
                _check(argument, names)
        case ast.Call(func=ast.Name(id=name)):
            raise RuleError(f"There is no function “{name[:40]}” here; there are {KNOWN}.", column)
        case ast.Call(func=ast.Constant() | ast.BinOp()):
            raise RuleError("Multiply with *: write 2 * (…), and not 2(…).", column)
        case _:
            raise RuleError("This part of Python's syntax is not used in rules.", column)


# ---- values ----------------------------------------------------------------------------------------------------------


def _value(node: ast.expr, values: Values) -> Value:
    match node:
        case ast.Constant(value=value):
            return Value(np.array([_as_float(value)]))
        case ast.Name(id=name):
            return values[LETTERS.get(name, name)]
        case ast.UnaryOp(op=sign, operand=inside):
            found = _value(inside, values)
            return Value(-found.numbers, found.lengths) if isinstance(sign, ast.USub) else found
        case ast.BinOp(left=left, op=operator, right=right):
            return _entrywise(ARITHMETIC[type(operator)][1], _value(left, values), _value(right, values))
        case ast.IfExp(test=ast.Compare(left=left, ops=[comparison], comparators=[right]), body=body, orelse=other):
            is_so = _entrywise(COMPARISONS[type(comparison)][1], _value(left, values), _value(right, values))
            return _entrywise(np.where, is_so, _value(body, values), _value(other, values))
        case ast.Call(func=ast.Name(id=name), args=[argument]) if name in FUNCTIONS:
            return _entrywise(FUNCTIONS[name], _value(argument, values))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _folded(name, [_value(argument, values) for argument in arguments])
    raise AssertionError("only what `_check` lets pass is evaluated")


def _as_float(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return np.inf


def _entrywise(function: Callable[..., np.ndarray], *parts: Value) -> Value:
    """Apply a function to numbers, or to each entry of lists of one length and to numbers beside them."""
    lengths = [part.lengths for part in parts if part.lengths is not None]
    if not lengths:
        return Value(function(*(part.numbers for part in parts)))
    if any(not np.array_equal(other, lengths[0]) for other in lengths[1:]):
        raise RuleError("Two lists of different lengths cannot be combined entry by entry.")
    columns = (part.numbers if part.lengths is not None else part.numbers[:, None] for part in parts)
    return Value(function(*columns), lengths[0])


def _folded(name: str, parts: list[Value]) -> Value:
    """Return the sum, the least or the largest of all entries of lists and of numbers."""
    function, nothing = FOLDS[name]
    found = np.array([nothing])
    for part in parts:
        numbers = part.numbers
        if part.lengths is not None:
            there = np.arange(numbers.shape[1]) < part.lengths[:, None]
            numbers = function.reduce(np.where(there, numbers, nothing), axis=1)  # type: ignore[attr-defined]
        found = function(found, numbers)
    return Value(found)
