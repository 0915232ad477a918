"""Lessons' Markdown as HTML that needs no script, for what is printed or handed in: formulas become MathML."""

from collections.abc import Callable, MutableMapping, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.normalize_url import validateLink
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from lessons.format.mathml import mathml

PICTURE = "data:image/"  # what a picture that lies beside its lesson has become
OUTSIDE = ("http:", "https:", "mailto:")  # links that lead somewhere from paper too; all others are words alone


def _abroad(address: str) -> str | None:
    return address if address.startswith(OUTSIDE) else None


def as_html(text: str, leads: Callable[[str], str | None] = _abroad) -> str:
    """Return Markdown as HTML, with tables, pictures and formulas; HTML in it is shown as it was written.

    Parameters
    ----------
    leads : callable, optional
        Returns where a link with an address leads from the page, None if nowhere: then its words alone stay. Left out,
        only links to the web lead anywhere.
    """
    return str(_markdown.render(text, {"leads": leads}))


def inline(text: str, leads: Callable[[str], str | None] = _abroad) -> str:
    """Return one line of Markdown as HTML, without a paragraph around it."""
    return str(_markdown.renderInline(" ".join(text.split()), {"leads": leads}))


def _formula(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping) -> str:
    token = tokens[index]
    return mathml(token.content, block=token.type != "math_inline")


def _link(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping) -> str:
    """Begin a link; one that leads nowhere from the page has no address, and no end tag that would need it."""
    address, title = (str(tokens[index].attrGet(name) or "") for name in ("href", "title"))
    there = env["leads"](address)
    if there is None:
        return '<a class="within">'
    return f'<a href="{escape(there)}"' + (f' title="{escape(title)}">' if title else ">")


def _made() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.use(dollarmath_plugin, allow_space=False, double_inline=True)
    markdown.validateLink = lambda url: url.startswith(PICTURE) or validateLink(url)  # type: ignore[method-assign]
    for kind in ("math_inline", "math_inline_double", "math_block", "math_block_label"):
        markdown.add_render_rule(kind, _formula)
    markdown.add_render_rule("link_open", _link)
    return markdown


_markdown = _made()
