"""Set and remove single values in a piece of YAML, and leave all the rest as its author wrote it."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import yaml

Where = tuple[str, ...]  # the keys that lead to a value: ("settings", "customers")

_WORD = re.compile(r"[A-Za-z][\w-]*")


def written(value: Any) -> str:
    """Return a value as a lesson has it: on one line, a number without an exponent, text in quotes but for words."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {written(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, float):
        return f"{Decimal(repr(value)):f}"
    if isinstance(value, str) and _WORD.fullmatch(value) and yaml.safe_load(value) == value:
        return value
    return json.dumps(value, ensure_ascii=isinstance(value, str) and not value.isprintable())


def put(text: str, where: Where, value: Any) -> str:
    """Return YAML with a value set.

    Parameters
    ----------
    text : str
        A mapping, or nothing.
    where : tuple of str
        The keys that lead to the value; those that are not there yet are made.
    value : str, bool, int, float, list, tuple or mapping
        The new value.

    Raises
    ------
    ValueError
        If the text is no YAML, or there is no mapping on the way.
    """
    root = _root(text)
    if root is None:
        return f"{_line(where, value)}\n"
    mapping: yaml.Node = root
    for depth, key in enumerate(where):
        pair = _pair(mapping, key)
        if pair is None:
            assert isinstance(mapping, yaml.MappingNode)  # as _pair says otherwise
            return _insert(text, mapping, _line(where[depth:], value))
        mapping = pair[1]
    assert pair is not None
    name, old = pair
    if isinstance(old, yaml.CollectionNode) and not old.flow_style:  # from the colon on: it is on lines of its own
        start = text.index(":", name.end_mark.index) + 1
        return f"{text[:start]} {written(value)}{text[_end(old) :]}"
    gap = "" if old.start_mark.index > name.end_mark.index + 1 else " "  # there was no value, right after the colon
    return f"{text[: old.start_mark.index]}{gap}{written(value)}{text[_end(old) :]}"


def remove(text: str, where: Where) -> str:
    """Return YAML without a value and its key; a mapping that would be left empty goes as well.

    Raises
    ------
    ValueError
        If the text is no YAML, or there is no mapping on the way.
    """
    root = _root(text)
    mapping: yaml.Node | None = root
    for depth, key in enumerate(where):
        pair = _pair(mapping, key) if mapping is not None else None
        if pair is None:
            return text
        if depth + 1 < len(where):
            mapping = pair[1]
    assert isinstance(mapping, yaml.MappingNode)
    assert pair is not None
    if len(mapping.value) == 1 and mapping is not root:
        return remove(text, where[:-1])
    number = mapping.value.index(pair)
    start, end = pair[0].start_mark.index, _end(pair[1])
    if not mapping.flow_style:
        return text[: text.rfind("\n", 0, start) + 1] + text[_line_end(text, end) + 1 :]
    if number + 1 < len(mapping.value):
        return text[:start] + text[mapping.value[number + 1][0].start_mark.index :]
    return text[: _end(mapping.value[number - 1][1]) if number else start] + text[end:]


def _root(text: str) -> yaml.MappingNode | None:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise ValueError("this is not YAML") from error
    if root is not None and not isinstance(root, yaml.MappingNode):
        raise ValueError("these are not keys and values")
    return root


def _pair(mapping: yaml.Node, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    if not isinstance(mapping, yaml.MappingNode):
        raise ValueError(f"there is no place for {key}: what it belongs to has no keys")
    return next((pair for pair in mapping.value if pair[0].value == key), None)


def _insert(text: str, mapping: yaml.MappingNode, line: str) -> str:
    """Put a pair behind all others of a mapping."""
    if mapping.flow_style:
        end = _end(mapping.value[-1][1]) if mapping.value else mapping.start_mark.index + 1
        return f"{text[:end]}{', ' * bool(mapping.value)}{line}{text[end:]}"
    end = _line_end(text, _end(mapping.value[-1][1]))
    return f"{text[:end]}\n{' ' * mapping.start_mark.column}{line}{text[end:]}"


def _line(where: Where, value: Any) -> str:
    for key in reversed(where[1:]):
        value = {key: value}
    return f"{where[0]}: {written(value)}"


def _end(node: yaml.Node) -> int:
    """Return the true end of a value: PyYAML ends block values after the comments that follow them."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _line_end(text: str, index: int) -> int:
    end = text.find("\n", index)
    return len(text) if end < 0 else end
