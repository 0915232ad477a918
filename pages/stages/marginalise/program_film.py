"""The film of a program at work, a term a frame: the line, the word that it reads, and the γ that it fills."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import altair as alt
import numpy as np

from lessons.stages.marginalise import CLASSES, ITERATIONS
from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, SPECS, finish
from pages.drawing.palette import COLORS
from pages.player.player import Chart, Film
from pages.stages.marginalise import run_film
from pages.stages.marginalise.program_trace import ProgramTrace
from pages.stages.marginalise.scene import Scene
from samplers.gradient.stan_programs import Line
from samplers.mixtures.labels import HIDDEN

SEEN = 22  # entries of the long table that are seen at once
BETWEEN = CLASSES + 1.1  # lines of a document in the picture of γ: its name, and a bar a class


def film(scene: Scene, trace: ProgramTrace) -> Film:
    """Return the film of a program at work after one iteration."""
    iteration = scene.iteration
    return Film(
        key=f"terms {scene.key} {iteration} {trace.documents[0]}",
        charts=_charts(scene, trace),
        areas='"program gamma tokens"',
        columns="minmax(0, 1.22fr) minmax(0, 0.95fr) minmax(0, 0.45fr)",
        data=_data(scene, trace),
        frames=lambda start, stop: _frames(scene, trace, start, stop),
        total=len(trace.acts),
        label=f"at iteration {iteration}, term {{t}} of {{total}}",
        strides=(("1 term", 1), ("10 terms", 10)),
        before=iteration > 0,
        after=iteration < ITERATIONS,
    )


def listed(lines: tuple[Line, ...]) -> list[int]:
    """Return which lines of a program are drawn: from its parameters on, without closing braces."""
    start = next(i for i, line in enumerate(lines) if line.text.startswith("parameters"))
    return [i for i in range(start, len(lines)) if lines[i].text.strip() != "}"]


def _charts(scene: Scene, trace: ProgramTrace) -> list[Chart]:
    documents = len(trace.documents)
    some = f"· {documents} of {scene.settings.size} documents " if documents < scene.settings.size else ""
    gamma = trace.gamma()
    low = float(np.nanmin(gamma)) if np.isfinite(gamma).any() else -1.0
    return [
        Chart(
            "program",
            "Program",
            f"{some}· target = {{target}}",
            "The Stan program from its parameters on; the line at work is marked.",
            program(len(listed(trace.lines))),
            aspect="1 / 1",
        ),
        Chart(
            "gamma",
            "γ[m, k], term by term",
            "",
            "For each document and class the log weight and the log probabilities of its words, end to end.",
            gammas(documents, float(np.floor(1.06 * low))),
            [*run_film.legend(scene), ("ink", "log_sum_exp")],
            aspect="1 / 1",
        ),
        Chart(
            "tokens",
            "w[n], doc[n]",
            "",
            "The words of all documents in one long table, and the entry that is read.",
            tokens(),
            aspect="1 / 1",
        ),
    ]


# ---- charts ----------------------------------------------------------------------------------------------------------


def _rows(most: float, first: float = -0.6) -> alt.Y:
    return alt.Y("row:Q", axis=None, scale=alt.Scale(domain=[most, first], nice=False))


@lru_cache(maxsize=SPECS)
def program(lines: int) -> dict[str, Any]:
    """Draw lines of code, the one that is at work marked."""
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, 1], nice=False))
    y = _rows(lines - 0.4)
    code = alt.Chart(alt.NamedData("code")).transform_calculate(x="0.012 + 0.014 * datum.indent")
    lit = (
        alt.Chart(alt.NamedData("lit"))
        .transform_filter("datum.line >= 0")
        .transform_calculate(x="0", x2="1", row="datum.line - 0.5", row2="datum.line + 0.5")
        .mark_rect(color=ACCENT, opacity=0.24, cornerRadius=3)
        .encode(x, y, x2="x2:Q", y2="row2:Q")
    )
    size = alt.ExprRef("max(7, min(14, width / 34))")  # the longest line has 53 characters, 0.6 of this wide
    look: dict[str, Any] = {
        "align": "left",
        "baseline": "middle",
        "font": "Source Code Pro, monospace",
        "fontSize": size,
        "limit": 0,
    }
    heads = code.transform_filter("datum.head == 1").mark_text(color=SOFT, **look)
    body = code.transform_filter("datum.head == 0").mark_text(color=INK, **look)
    return finish(alt.layer(lit, *(part.encode(x, y, alt.Text("text:N")) for part in (heads, body))))


@lru_cache(maxsize=SPECS)
def gammas(documents: int, low: float) -> dict[str, Any]:
    """Draw γ as bars of segments, one for each term, and the log_sum_exp of each document once it is taken."""
    axis = alt.Axis(grid=True, tickCount=5, title="log probability")
    x = alt.X("x:Q", scale=alt.Scale(domain=[0, low * 1.16], nice=False), axis=axis)
    y = _rows(documents * BETWEEN - 0.5, -0.7)
    names = alt.Chart(alt.NamedData("documents")).transform_calculate(x="0")
    segments = (
        alt.Chart(alt.NamedData("segments"))
        .transform_filter(f"datum.at >= 0 && datum.at <= {NOW}")
        .transform_calculate(row="datum.y - 0.4", row2="datum.y + 0.4", lit=f"datum.at == {NOW} ? 1 : 0.55")
        .mark_rect(strokeWidth=0.8)
        .encode(
            x,
            y,
            alt.Fill("label:N", scale=alt.Scale(domain=[0, 1], range=list(COLORS[:2])), legend=None),
            alt.FillOpacity("lit:Q", scale=None),
            stroke=alt.value(PAPER),
            x2="x2:Q",
            y2="row2:Q",
            tooltip=["term:N", alt.Tooltip("value:Q", format=".3f")],
        )
    )
    ends = alt.Chart(alt.NamedData("ends")).transform_filter("isValid(datum.x)")
    sums = alt.Chart(alt.NamedData("sums")).transform_filter("isValid(datum.x)")
    return finish(
        alt.layer(
            segments,
            names.mark_text(align="left", baseline="middle", fontSize=11, color=INK).encode(x, y, alt.Text("name:N")),
            ends.mark_text(align="left", baseline="middle", fontSize=10.5, dx=3, color=SOFT).encode(
                x, y, alt.Text("x:Q", format=".2f")
            ),
            sums.mark_rule(color=INK, strokeWidth=2.5).encode(x, y, y2="row2:Q"),
            sums.transform_calculate(row="datum.row - 0.45")
            .mark_text(align="left", baseline="middle", fontSize=10.5, dx=-2, fontWeight=600, color=INK)
            .encode(x, y, alt.Text("x:Q", format=".2f")),
        )
    )


@cache
def tokens() -> dict[str, Any]:
    """Draw the long table; it scrolls along with the entry that is read."""
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, 1], nice=False))
    y = _rows(SEEN - 0.4, -1.7)
    first = f"max(0, min(datum.many - {SEEN}, datum.now - {SEEN // 2}))"
    entries = (
        alt.Chart(alt.NamedData("tokens"))
        .transform_calculate(row=f"datum.i - {first}")
        .transform_filter(f"datum.row >= 0 && datum.row < {SEEN}")
    )
    lit = (
        entries.transform_filter("datum.i == datum.now")
        .transform_calculate(x="0", x2="1", row2="datum.row + 0.5", row="datum.row - 0.5")
        .mark_rect(color=ACCENT, opacity=0.24, cornerRadius=3)
        .encode(x, y, x2="x2:Q", y2="row2:Q")
    )
    columns = [(0.3, "n", "right"), (0.37, "word", "left"), (0.98, "doc", "right")]
    heads = [{"x": x, "row": -1.2, "text": text} for (x, _, _), text in zip(columns, ("", "word", "doc"), strict=True)]
    layers = [lit]
    for (place, field, align), head in zip(columns, heads, strict=True):
        look: dict[str, Any] = {"align": align, "baseline": "middle", "fontSize": 10.5}
        layers.append(
            entries.transform_calculate(x=f"{place}").mark_text(color=INK, **look).encode(x, y, alt.Text(f"{field}:N"))
        )
        top = alt.Chart(alt.Data(values=[head])).mark_text(color=SOFT, **look)
        layers.append(top.encode(x, y, alt.Text("text:N")))
    return finish(alt.layer(*layers))


# ---- data and frames -------------------------------------------------------------------------------------------------


def _data(scene: Scene, trace: ProgramTrace) -> dict[str, dict[str, list[Any]]]:
    shown = listed(trace.lines)
    texts = [trace.lines[place].text.partition("//")[0].rstrip() for place in shown]
    rows = {document: row for row, document in enumerate(trace.documents.tolist())}
    many = len(trace.tokens)
    return {
        "code": {
            "row": list(range(len(shown))),
            "text": [text.strip() for text in texts],
            "indent": [len(text) - len(text.lstrip()) for text in texts],
            "head": [int(trace.lines[place].role == "structure") for place in shown],
        },
        "lit": {"line": [-1]},
        "documents": {
            "row": [row * BETWEEN for row in rows.values()],
            "name": [scene.title_of(document) for document in rows],
        },
        "segments": _segments(scene, trace, rows),
        "ends": {
            "row": [row * BETWEEN + 1 + label for row in rows.values() for label in range(CLASSES)],
            "x": [None] * (len(rows) * CLASSES),
        },
        "sums": {
            "row": [row * BETWEEN + 0.5 for row in rows.values()],
            "row2": [row * BETWEEN + CLASSES + 0.5 for row in rows.values()],
            "x": [None] * len(rows),
        },
        "tokens": {
            "n": [f"w{token.mark}[{token.n}]" for token in trace.tokens] or [""],
            "word": [scene.words[token.word] for token in trace.tokens] or ["no words"],
            "doc": [f"{token.number}" for token in trace.tokens] or [""],
            "many": [many] * max(1, many),
            "now": [-1] * max(1, many),
        },
    }


def _segments(scene: Scene, trace: ProgramTrace, rows: Mapping[int, int]) -> dict[str, list[Any]]:
    """Return what each act adds to γ, end to end: rows that appear with their act."""
    reached: dict[tuple[int, int], float] = {}
    found: list[tuple[int, int, float, float, float, str]] = []
    for at, act in enumerate(trace.acts, 1):
        term = "log weight" if act.token < 0 else scene.words[trace.tokens[act.token].word]
        for (document, label), value in (act.gamma or {}).items():
            before = reached.get((document, label), 0.0)
            reached[document, label] = before + value
            found.append((at, label, rows[document] * BETWEEN + 1 + label, before, before + value, term))
    found = found or [(-1, 0, 0.0, 0.0, 0.0, "")]
    names = ("at", "label", "y", "x", "x2", "term")
    sets: dict[str, list[Any]] = {
        name: list(values) for name, values in zip(names, zip(*found, strict=True), strict=True)
    }
    sets["value"] = [right - left for left, right in zip(sets["x"], sets["x2"], strict=True)]
    return {name: [round(v, 4) if isinstance(v, float) else v for v in values] for name, values in sets.items()}


def _frames(scene: Scene, trace: ProgramTrace, start: int, stop: int) -> Mapping[tuple[str, str], np.ndarray]:
    place = {line: row for row, line in enumerate(listed(trace.lines))}
    acts = [None, *trace.acts][start:stop]
    lines = [-1 if act is None else place[act.line] for act in acts]
    token = [-1 if act is None else act.token for act in acts]
    gamma = trace.gamma()[start:stop]
    hidden = scene.labels[trace.documents] == HIDDEN
    target = trace.target()
    sums = np.full((len(trace.acts) + 1, len(hidden)), np.nan)
    summing = [line.role == "log_sum_exp" for line in trace.lines]
    for t, act in enumerate(trace.acts, 1):
        if summing[act.line]:
            sums[t:, trace.documents.tolist().index(act.document)] = act.target
    return {
        ("lit", "line"): np.array(lines, np.int16).reshape(-1, 1),
        ("tokens", "now"): np.repeat(np.array(token, np.int16)[:, None], max(1, len(trace.tokens)), axis=1),
        ("ends", "x"): gamma.reshape(len(acts), gamma.shape[1] * CLASSES).astype(np.float32),
        ("sums", "x"): sums[start:stop].astype(np.float32),
        ("say", "target"): target[start:stop, None].astype(np.float32),
    }
