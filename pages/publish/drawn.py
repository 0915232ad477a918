"""Views of the inspector that Streamlit draws in the app, as HTML; the browser draws their charts."""

import base64
import json
from collections.abc import Callable, Sequence
from html import escape
from types import TracebackType
from typing import Any
from unittest.mock import patch

import streamlit as st

from lessons.reader.printed import as_html
from lessons.stages.settings import StageSettings
from pages.contract.stage import Stage
from pages.shell.state import Topic


class Part:
    """A part of a view: a row of columns, one of them, or a container."""

    def __init__(self, sheet: "Sheet", look: str) -> None:
        self.sheet, self.look = sheet, look
        self.inside: list[str | Part] = []

    def __enter__(self) -> "Part":
        self.sheet.open.append(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.sheet.open.pop()

    def html(self) -> str:
        """Return it as HTML."""
        return f"<div {self.look}>{''.join(one if isinstance(one, str) else one.html() for one in self.inside)}</div>"


class Sheet:
    """A page for views to draw on, in place of Streamlit's: the functions that views use, and nothing else."""

    def __init__(self) -> None:
        self.page = Part(self, 'class="sheet"')
        self.open = [self.page]

    def _put(self, one: str | Part) -> None:
        self.open[-1].inside.append(one)

    def html(self, body: str) -> None:
        """Write HTML."""
        self._put(body)

    def markdown(self, body: str, **_: Any) -> None:
        """Write Markdown."""
        self._put(as_html(body))

    def caption(self, body: str, **_: Any) -> None:
        """Write small print in Markdown."""
        self._put(f'<div class="quiet">{as_html(body)}</div>')

    def container(self, *, horizontal: bool = False, **_: Any) -> Part:
        """Begin a container."""
        part = Part(self, 'class="row"' if horizontal else "")
        self._put(part)
        return part

    def columns(self, spec: int | Sequence[float], **_: Any) -> list[Part]:
        """Begin columns side by side."""
        widths = [1.0] * spec if isinstance(spec, int) else spec
        row = Part(self, 'class="columns"')
        parts = [Part(self, f'style="flex: {width:g} 1 0"') for width in widths]
        row.inside.extend(parts)
        self._put(row)
        return parts

    def vega_lite_chart(self, spec: dict[str, Any], **_: Any) -> None:
        """Write a chart's specification, which drawn.js draws."""
        text = json.dumps(spec, separators=(",", ":")).replace("<", "\\u003c")
        self._put(f'<div class="drawn-chart"><script type="application/json">{text}</script></div>')

    def selectbox(self, _: str, options: Sequence[Any], index: int = 0, **look: Any) -> Any:
        """Write the choice that is made; others need the app."""
        said: Callable[[Any], str] = look.get("format_func", str)
        self._put(f'<span class="quiet">{escape(said(options[index]))}</span>')
        return options[index]

    def download_button(self, label: str, data: str, name: str, kind: str, **_: Any) -> None:
        """Write a link that saves a file."""
        content = base64.b64encode(data.encode()).decode()
        self._put(f'<a download="{escape(name)}" href="data:{kind};base64,{content}">{escape(label)}</a>')


def drawn(stage: Stage[Any], settings: StageSettings, seed: int, view: str, t: int) -> str:
    """Return a view that the stage draws by Streamlit, at iteration t, as HTML.

    Raises
    ------
    NotYet
        If it takes longer than a slice of computing.
    """
    stage.film(settings, seed).reach(t)
    sheet = Sheet()
    with patch.multiple(st, **{name: getattr(sheet, name) for name in vars(Sheet) if not name.startswith("_")}):
        stage.inspect(Topic(stage.name, settings, seed=seed, t=t, view=view))
    return sheet.page.html()
