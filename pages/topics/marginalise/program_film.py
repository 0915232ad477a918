"""The film of a program at work, a term a frame: the line, the word that it reads, and the γ that it fills."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lessons.topics.marginalise.mixture import ITERATIONS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, Data
from pages.contract.film import Film
from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, axis, bare_axes, finish, if_, of, rows
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.topics.marginalise import run_film
from pages.topics.marginalise.charts import SHARES
from pages.topics.marginalise.program_trace import Act, ProgramTrace
from pages.topics.marginalise.scene import MarginaliseScene
from samplers.gradient.stan_programs import Line
from samplers.mixtures.labels import HIDDEN

SEEN = 22  # entries of the long table that are seen at once, at most
ENTRY = 13.5  # pixels that one takes
LINE = 13  # pixels that a row of code takes at least
WIDE = 45  # characters of a line of code, from which it takes two rows
HEADS = -1.2  # where the heads of the long table are, in rows
NAMED = 1.1  # lines of a document's name in the picture of γ; below it is a bar for each class


def film(scene: MarginaliseScene, trace: ProgramTrace) -> Film:
    """Return the film of a program at work after one iteration."""
    iteration = scene.iteration
    return Film(
        key=f"terms {scene.key} {iteration} {trace.documents[0]} {scene.settings.gamma_scope}",
        charts=_charts(scene, trace),
        data=_data(scene, trace),
        total=trace.total,
        label=f"at iteration {iteration}, term {{t}} of {{total}}",
        strides=(("Term", 1),),
        before=iteration > 0,
        after=iteration < ITERATIONS,
    )


def listed(lines: tuple[Line, ...]) -> list[int]:
    """Return which lines of a program are drawn: from its parameters on, without closing braces."""
    start = next(i for i, line in enumerate(lines) if line.text.startswith("parameters"))
    return [i for i in range(start, len(lines)) if lines[i].text.strip() != "}"]


def _rows(lines: tuple[Line, ...]) -> list[tuple[int, str]]:
    """Return the rows in which these lines are drawn, each with its line: a phone has no room for the longest ones."""
    found = []
    for place in listed(lines):
        text = lines[place].text.partition("//")[0].rstrip()
        head, *rest = re.split(r" (?=\+?= )", text, maxsplit=1)
        indent = " " * (len(text) - len(text.lstrip()) + 4)
        texts = [head, *(indent + each for each in rest)] if len(text) > WIDE else [text]
        found += [(place, each) for each in texts]
    return found


def _charts(scene: MarginaliseScene, trace: ProgramTrace) -> list[Chart]:
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
            program(len(_rows(trace.lines))),
            lines=True,
        ),
        Chart(
            "gamma",
            "γ[m, k], term by term",
            "",
            "For each document and class the log weight and the log probabilities of its words, end to end.",
            gammas(documents, float(np.floor(1.06 * low)), scene.classes),
            [*run_film.legend(scene), ("ink", "log_sum_exp")],
            share=scene.classes,
        ),
        Chart(
            "tokens",
            "w[n], doc[n]",
            "",
            "The words of all documents in one long table, and the entry that is read.",
            tokens(),
        ),
    ]


# ---- charts ----------------------------------------------------------------------------------------------------------


def _stripe(found: alt.Chart, y: str) -> alt.Chart:
    """Return the highlight behind the active line."""
    ends = found.transform_calculate(x="0", x2="1", y2=f"{y} + 0.5", y=f"{y} - 0.5")
    return ends.mark_rect(color=ACCENT, opacity=0.24, cornerRadius=3).encode(x2="x2:Q", y2="y2:Q")


@drawn_once
def program(many: int) -> dict[str, Any]:
    """Draw rows of code, the line that is at work marked: as many as there is room for, around that one.

    Where that are not all, the last says which of how many.
    """
    room = f"floor(height / ({LINE} * larger))"
    seen = f"({room} < {many} ? max({room} - 1, 1) : {many})"
    first = f"clamp(datum.now - floor({seen} / 2), 0, {many} - {seen})"
    found = rows("code").transform_calculate(y=f"datum.row - {first}")
    found = found.transform_filter(f"datum.y >= 0 && datum.y < {seen}")
    # the longest row has 45 characters, 0.6 of this wide
    size = alt.ExprRef(f"max(7, min(14 * larger, width / 29, 0.9 * height / {seen}))")
    code = (
        found.transform_calculate(x="0.012 + 0.014 * datum.indent")
        .mark_text(align="left", font="Source Code Pro, monospace", fontSize=size, limit=0)
        .encode(text="text:N", color=if_("datum.head == 1", SOFT, INK))
    )
    part = rows("code").transform_filter(f"datum.row == 0 && {seen} < {many}")
    part = part.transform_calculate(
        x="1", y=seen, said=f"'lines ' + ({first} + 1) + '–' + ({first} + {seen}) + ' of {many}'"
    ).mark_text(align="right", fontSize=10.5, color=SOFT)
    bottom = alt.ExprRef(f"{seen} < {many} ? {seen} + 0.5 : {many} - 0.4")
    x, y = axis(alt.X, "x", (0, 1)), axis(alt.Y, "y", [bottom, -0.6])
    lit = _stripe(found.transform_filter("datum.start == datum.now"), f"datum.row - {first}")
    return finish(alt.layer(lit, code, part.encode(text="said:N")).encode(x, y))


@drawn_once
def gammas(documents: int, low: float, classes: int) -> dict[str, Any]:
    """Draw γ as bars of segments, one for each term, and the log_sum_exp of each document once it is taken.

    The number of the latter is at the right end of the line of the document's name, clear of both.
    """
    x = axis(alt.X, "x", (0, low * 1.16), "log probability", grid=True, tickCount=5)
    lines = documents * (classes + NAMED) + 0.2
    _, y = bare_axes((0, 1), (lines - 0.7, -0.7))
    size = alt.ExprRef(f"clamp(1.2 * height / {lines:.4g}, 7.5, 11 * larger)")
    segments = (
        rows("segments")
        .transform_filter(f"datum.at >= 0 && datum.at <= {NOW} && {NOW} < datum.until")
        .transform_calculate(low="datum.y - 0.4", high="datum.y + 0.4", lit=f"datum.at == {NOW} ? 1 : 0.55")
        .mark_rect(strokeWidth=0.8, stroke=PAPER)
        .encode(
            fill=alt.Fill("label:N", scale=SHARES, legend=None),
            fillOpacity=alt.FillOpacity("lit:Q", scale=None),
            y=of(y, "low"),
            x2="x2:Q",
            y2="high:Q",
            tooltip=["term:N", alt.Tooltip("value:Q", format=".3f")],
        )
    )
    names = rows("documents").transform_calculate(x="0")
    names = names.mark_text(align="left", fontSize=size, color=INK, limit=alt.ExprRef("width - 44 * larger"))
    ends = rows("ends", "x").mark_text(align="left", fontSize=size, dx=3, color=SOFT)
    sums = rows("sums", "x")
    above = sums.transform_calculate(number="format(datum.x, '.2f')", over="datum.y - 0.5", x=f"{low * 1.16}")
    layers = [
        segments,
        names.encode(text="name:N"),
        ends.encode(text=alt.Text("x:Q", format=".2f")),
        sums.mark_rule(color=INK, strokeWidth=2.5).encode(y2="y2:Q"),
        above.mark_text(align="right", fontSize=size, fontWeight=600, color=INK).encode(of(y, "over"), text="number:N"),
    ]
    return finish(alt.layer(*layers).encode(x, y))


@drawn_once
def tokens() -> dict[str, Any]:
    """Draw the long table, as many entries as there is room for; it scrolls along with the one that is read.

    Where that are not all, the head says which of how many.
    """
    seen = f"clamp(floor(height / ({ENTRY} * larger)) - 2, 4, {SEEN})"
    first = f"max(0, min(datum.many - {seen}, datum.now - floor({seen} / 2)))"
    entries = (
        rows("tokens").transform_calculate(y=f"datum.i - {first}").transform_filter(f"datum.y >= 0 && datum.y < {seen}")
    )
    layers = [_stripe(entries.transform_filter("datum.i == datum.now"), f"datum.i - {first}")]
    for x, field, head, align in (
        (0.3, "n", "", "right"),
        (0.37, "word", "word, the commonest first", "left"),
        (0.98, "doc", "doc", "right"),
    ):
        look: dict[str, Any] = {"align": align, "fontSize": 10.5}
        top = alt.Chart(alt.Data(values=[{"x": x, "y": HEADS, "text": head}]))
        layers += [
            entries.transform_calculate(x=f"{x}").mark_text(color=INK, **look).encode(text=f"{field}:N"),
            top.mark_text(color=SOFT, **look).encode(text="text:N"),
        ]
    part = rows("tokens").transform_filter(f"datum.i == 0 && datum.many > {seen}")
    part = part.transform_calculate(
        x="0.3", y=f"{HEADS}", said=f"({first} + 1) + '–' + ({first} + {seen}) + ' of ' + datum.many"
    )
    layers.append(part.mark_text(align="right", fontSize=10.5, color=SOFT).encode(text="said:N"))
    x_axis, y_axis = axis(alt.X, "x", (0, 1)), axis(alt.Y, "y", [alt.ExprRef(f"{seen} - 0.4"), -1.7])
    return finish(alt.layer(*layers).encode(x_axis, y_axis))


# ---- data and frames -------------------------------------------------------------------------------------------------


def _data(scene: MarginaliseScene, trace: ProgramTrace) -> Data:
    lines, texts = zip(*_rows(trace.lines), strict=True)
    documents, many = trace.documents.tolist(), len(trace.tokens)
    classes = trace.classes
    tops = [row * (classes + NAMED) for row in range(len(documents))]
    acts = [Act(-1), *trace.acts]
    sums = np.full((len(acts), len(documents)), np.nan)
    for t, act in enumerate(trace.acts, 1):
        if trace.lines[act.line].role == "log_sum_exp":
            sums[t:, trace.row_of(act.document)] = act.target
    return {
        "code": {
            "row": list(range(len(texts))),
            "start": [lines.index(line) for line in lines],  # the first row of its line
            "text": [text.strip() for text in texts],
            "indent": [len(text) - len(text.lstrip()) for text in texts],
            "head": [int(trace.lines[line].role == "structure") for line in lines],
            **INT16.made(now=[lines.index(act.line) if act.line in lines else -1 for act in acts]),
        },
        "documents": {"y": tops, "name": [scene.title_of(document) for document in documents]},
        "segments": _segments(scene, trace),
        "ends": {
            "y": [top + 1 + k for top in tops for k in range(classes)],
            **FLOAT32.made(x=trace.gamma().reshape(len(acts), -1)),
        },
        "sums": {
            "y": [top + 0.5 for top in tops],
            "y2": [top + classes + 0.5 for top in tops],
            **FLOAT32.made(x=sums),
        },
        "tokens": {
            "n": [f"w{token.mark}[{token.n}]" for token in trace.tokens] or [""],
            "word": [scene.words[token.word] for token in trace.tokens] or ["no words"],
            "doc": [f"{token.number}" for token in trace.tokens] or [""],
            "many": [many] * max(1, many),
            **INT16.made(now=[act.token for act in acts]),
        },
        "say": FLOAT32.made(target=trace.target()),
    }


def _segments(scene: MarginaliseScene, trace: ProgramTrace) -> dict[str, list[Any]]:
    """Return the terms of γ end to end: rows that appear with the act that adds them, and go where γ begins anew."""
    gamma = np.nan_to_num(trace.gamma())
    begins = [at for at, act in enumerate(trace.acts, 1) if act.declares]
    names = ("at", "until", "label", "y", "x", "x2", "value", "term")
    found: list[tuple[Any, ...]] = []
    for at, act in enumerate(trace.acts, 1):
        term = "log weight" if act.token < 0 else scene.words[trace.tokens[act.token].word]
        until = next((later for later in begins if later > at), trace.total + 1)
        for (document, label), value in act.gamma.items():
            row = trace.row_of(document)
            end = float(gamma[at, row, label])
            numbers = (row * (trace.classes + NAMED) + 1 + label, end - value, end, value)
            goes = trace.total + 1 if scene.labels[document] != HIDDEN else until
            found.append((at, goes, label, *(round(number, 4) for number in numbers), term))
    found = found or [(-1, -1, 0, 0.0, 0.0, 0.0, 0.0, "")]
    return {name: list(column) for name, column in zip(names, zip(*found, strict=True), strict=True)}
