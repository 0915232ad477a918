"""The fields of data sets that a Vega-Lite specification reads."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Name = tuple[str, str]  # a data set and its field
DATUM = re.compile(r"\bdatum(?:\.([A-Za-z_]\w*)|\[['\"](\w+)['\"]\])")
NO_ROWS = ("axis", "legend", "header", "scale", "labelExpr")  # parts of a channel where ``datum`` is not a row


class Spec(dict[str, Any]):
    """A finished specification, with the fields that it `reads`."""

    reads: frozenset[Name] = frozenset()


class _Rows:
    """Rows on their way through transforms, from a named data set or from values in the specification."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.made: set[str] = set()  # fields made by transforms
        self.only = name is None  # whether there are no other fields

    def copy(self) -> "_Rows":
        found = _Rows(self.name)
        found.made, found.only = {*self.made}, self.only
        return found

    def read(self, fields: Iterator[str]) -> Iterator[Name]:
        for field in fields:
            if field in self.made:
                continue
            if self.only:
                raise ValueError(f"a chart reads the field {field}, which its transforms of {self.name} do not make")
            assert self.name is not None
            yield self.name, field


def reads(spec: Mapping[str, Any]) -> frozenset[Name]:
    """Return the fields of named data sets that a specification reads, without those that its transforms make.

    Raises
    ------
    ValueError
        If it reads a field that its own transforms or values do not make, or has an unknown transform.
    """
    return frozenset(_view(spec, _Rows(None), {}))


def _view(view: Mapping[str, Any], rows: _Rows, channels: Mapping[str, Any]) -> Iterator[Name]:
    rows = _source(view["data"]) if "data" in view else rows.copy()
    for transform in view.get("transform", ()):
        yield from _transform(transform, rows)
    own = view.get("encoding", {})
    channels = {**channels, **{name: _over(channels.get(name), channel) for name, channel in own.items()}}
    if "layer" in view:
        for layer in view["layer"]:
            yield from _view(layer, rows, channels)
        return
    yield from rows.read(_in_expressions(view["mark"]))
    for channel in channels.values():
        yield from rows.read(_in_channel(channel))


def _source(data: Mapping[str, Any]) -> _Rows:
    rows = _Rows(data.get("name"))
    if rows.name is None:
        own = [{data["sequence"]["as"]: 0}] if "sequence" in data else data["values"]
        rows.made = {field for row in own for field in row}
    return rows


def _over(above: Any, own: Any) -> Any:
    """Return a layer's channel, merged over the channel that it inherits."""
    return {**above, **own} if isinstance(above, Mapping) and isinstance(own, Mapping) else own


def _transform(transform: Mapping[str, Any], rows: _Rows) -> Iterator[Name]:
    names = list(transform.get("groupby", ()))
    if "filter" in transform:
        yield from rows.read(_in_expressions(transform))
    elif "calculate" in transform:
        yield from rows.read(_in_expressions(transform))
        rows.made.add(transform["as"])
    elif "flatten" in transform:
        yield from rows.read(iter(transform["flatten"]))
        rows.made |= {*transform.get("as", transform["flatten"])}
    elif "fold" in transform:
        yield from rows.read(iter(transform["fold"]))
        rows.made |= {*transform.get("as", ("key", "value"))}
    elif "lookup" in transform:
        there = _source(transform["from"]["data"])
        fields = transform["from"]["fields"]
        yield from rows.read(iter([transform["lookup"]]))
        yield from there.read(iter([transform["from"]["key"], *fields]))
        rows.made |= {*transform.get("as", fields)}
    else:
        (kind,) = transform.keys() & {"aggregate", "joinaggregate", "window"} or (None,)
        if kind is None:
            raise ValueError(f"a chart has a transform that is not known: {', '.join(transform)}")
        sorts = [each["field"] for each in transform.get("sort", ())]
        fields = [each["field"] for each in transform[kind] if "field" in each]
        yield from rows.read(iter([*names, *sorts, *fields]))
        if kind == "aggregate":
            rows.made, rows.only = {*names}, True
        rows.made |= {each["as"] for each in transform[kind]}


def _in_channel(channel: Any) -> Iterator[str]:
    """Yield the fields that a channel reads."""
    if isinstance(channel, Sequence) and not isinstance(channel, str):
        for each in channel:
            yield from _in_channel(each)
    elif isinstance(channel, Mapping):
        if isinstance(channel.get("field"), str):
            yield channel["field"]
        rest = {name: part for name, part in channel.items() if name not in (*NO_ROWS, "field")}
        yield from _in_expressions({name: part for name, part in rest.items() if name not in ("condition", "sort")})
        yield from _in_expressions(rest.get("condition"))
        yield from _in_channel(rest.get("condition"))
        yield from _in_channel(rest.get("sort"))


def _in_expressions(part: Any) -> Iterator[str]:
    """Yield the fields that expressions read, at any depth."""
    if isinstance(part, str):
        for match in DATUM.finditer(part):
            yield match[1] or match[2]
    elif isinstance(part, Mapping):
        for each in part.values():
            yield from _in_expressions(each)
    elif isinstance(part, Sequence):
        for each in part:
            yield from _in_expressions(each)
