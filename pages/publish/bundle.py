"""The scripts of a published course: the modules of the app as they are, in one script.

Browsers load no modules from a disk. So each module becomes a function, after those that it imports. Those that
ask the server are replaced by others.
"""

import json
import posixpath
import re
from collections.abc import Mapping

from pages.player.markup import ROWS, html
from pages.player.modules import PAGES, VEGA, text_of

ENTRY, WORKER = "publish/main.js", "judge/worker.js"
STAGE = "embed/stage.js"
Instead = Mapping[str, str]  # modules in the place of others
INSTEAD: Instead = {
    "player/source.js": "publish/packs.js",
    "player/library.js": "publish/library.js",
    "player/addresses.js": "publish/addresses.js",
    "embed/leads.js": "publish/leads.js",
}
HERE = ("Picture", "Clip", "My work")  # what can be taken away without a server
COMMENTS = re.compile(r"^ *(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.M)  # on lines of their own: a fifth of the scripts
IMPORT = re.compile(r'^import (\{.*?\}|\w+) from "(\.[^"]+)";\n', re.M | re.S)


def lean(css: str) -> str:
    """Return a style sheet without comments and indents, a sixth of it."""
    return re.sub(r"\n\s+", "\n", re.sub(r" */\*.*?\*/", "", css, flags=re.S))


def _text(name: str) -> str:
    if name == "player/made.js":
        rows = [
            (title, about, {k: v for k, v in kinds.items() if k not in ("svg", "pdf")})
            for title, about, kinds in ROWS
            if title in HERE
        ]
        css = lean((PAGES / "player/player.css").read_text("utf-8"))
        return f"export const HTML = {json.dumps(html(rows))};\nexport const CSS = {json.dumps(css)};\n"
    if name == "publish/sheet.js":
        return f"export const CSS = {json.dumps(lean((PAGES / 'lesson/printed.css').read_text('utf-8')))};\n"
    if name == "publish/worker.js":
        return f"export const SCRIPT = {json.dumps(script(WORKER))};\n"
    return text_of(name)


def _named(name: str) -> str:
    return "_" + re.sub(r"\W", "_", name)


def _bindings(names: str) -> list[str]:
    """Return the names in an import, each as ``name`` or ``name as other``; ``default`` for one without braces."""
    if not names.startswith("{"):
        return [f"default as {names}"]
    return [part.strip() for part in names.strip("{}").split(",") if part.strip()]


def modules(entry: str = ENTRY, instead: Instead = INSTEAD) -> dict[str, set[str]]:
    """Return a module of a published course after all that it imports, each with the names that others import."""
    found: dict[str, set[str]] = {}
    wanted: dict[str, set[str]] = {}

    def visit(name: str) -> None:
        for names, other in IMPORT.findall(_text(name)):
            there = _resolved(name, other, instead)
            seen = there in wanted
            wanted.setdefault(there, set()).update(part.split(" as ")[0] for part in _bindings(names))
            if not seen:
                visit(there)
        found[name] = wanted.setdefault(name, set())

    visit(entry)
    return found


def script(entry: str = ENTRY, instead: Instead = INSTEAD) -> str:
    """Return all modules of an entry as one classic script."""
    parts = (_module(name, wanted, instead) for name, wanted in modules(entry, instead).items())
    return '"use strict";\n(() => {\n' + "".join(parts) + "})();\n"


def _resolved(name: str, other: str, instead: Instead) -> str:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(name), other))
    return instead.get(path, path)


def _module(name: str, wanted: set[str], instead: Instead) -> str:
    def imported(match: re.Match[str]) -> str:
        parts = ", ".join(part.replace(" as ", ": ") for part in _bindings(match[1]))
        return f"const {{ {parts} }} = {_named(_resolved(name, match[2], instead))};\n"

    body = COMMENTS.sub("", IMPORT.sub(imported, _text(name))).replace("import.meta.url", '"published"')
    body = re.sub(r"^export default ", "const default_ = ", body, flags=re.M)
    body = re.sub(r"^export ", "", body, flags=re.M)
    body = re.sub(r"^ +", "", body, flags=re.M)  # indents are 3 kB of a packed course
    given = ", ".join(sorted("default: default_" if one == "default" else one for one in wanted))
    return f"const {_named(name)} = (() => {{\n{body}\nreturn {{ {given} }};\n}})();\n"


def charting() -> str:
    """Return Vega as a classic script, which sets ``vegaEmbed``."""
    text, exported = re.subn(r"export\s*\{\s*(\S+) as default\s*\};?\s*$", r"globalThis.vegaEmbed=\1;", text_of(VEGA))
    assert exported == 1, "Vega's bundle ends otherwise"
    return f'"use strict";(()=>{{{text}}})();\n'
