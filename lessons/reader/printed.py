"""Lessons' Markdown as HTML that needs no script, for what is printed or handed in: formulas become MathML."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.normalize_url import validateLink
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from lessons.reader.mathml import mathml

PICTURE = "data:image/"  # what a picture that lies beside its lesson has become
OUTSIDE = ("http:", "https:", "mailto:")  # links that lead somewhere from paper too; all others are words alone


def as_html(text: str) -> str:
    """Return Markdown as HTML, with tables, pictures and formulas; HTML in it is shown as it was written."""
    return str(_markdown.render(text))


def inline(text: str) -> str:
    """Return one line of Markdown as HTML, without a paragraph around it."""
    return str(_markdown.renderInline(" ".join(text.split())))


def _formula(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping) -> str:
    token = tokens[index]
    return mathml(token.content, block=token.type != "math_inline")


def _link(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping) -> str:
    """Begin a link; one within the app is none on paper, and has no end tag that would need it."""
    address = str(tokens[index].attrGet("href") or "")
    return f'<a href="{escape(address)}">' if address.startswith(OUTSIDE) else '<a class="within">'


def _made() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.use(dollarmath_plugin, allow_space=False, double_inline=True)
    markdown.validateLink = lambda url: url.startswith(PICTURE) or validateLink(url)  # type: ignore[method-assign]
    for kind in ("math_inline", "math_inline_double", "math_block", "math_block_label"):
        markdown.add_render_rule(kind, _formula)
    markdown.add_render_rule("link_open", _link)
    return markdown


_markdown = _made()
