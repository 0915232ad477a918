"""The app's JavaScript modules, each at an address with the version: `/play/BUILD/js/player/player.js`.

The server sends the files unchanged, and they find each other by their imports. Text that Python generates for them is
one more module in their folder, `made.js`.
"""

import hashlib
import json
import os
import posixpath
import re
from importlib.metadata import version
from pathlib import Path, PurePosixPath

from lessons.installed import CACHE
from pages.player.markup import HTML

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "pages"
ENTRIES = (  # modules whose default exports pages load
    "player/player.js",
    "player/cards.js",
    "form/component.js",
    "judge/component.js",
    "classroom/room.js",
    "embed/stage.js",
)
IMPORT = re.compile(r'^(?:import .*|\}) from "(\.[^"]+)";$', re.M)  # a long import ends with the second
COMMENTS = re.compile(r"^ *(?://.*|/\*\*.*\*/)\n", re.M)  # on lines of their own
VEGA = "vega.js"
SNIPPET = "export default vegaEmbed;"


def _build() -> str:
    """Return twelve characters that identify everything that an answer depends on, apart from its address."""
    seal = hashlib.sha256(" ".join(map(version, ("numpy", "scipy", "altair", "vl-convert-python"))).encode())
    for folder in ("samplers", "lessons", "pages"):
        for where, folders, names in os.walk(ROOT / folder):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".py", ".js", ".css", ".tsv", ".yaml")):
                    seal.update(Path(where, name).read_bytes())
    return seal.hexdigest()[:12]


BUILD = _build()


def _file(name: str) -> str:
    return (PAGES / name).read_text("utf-8")


MADE = {  # modules that Python generates, with their exports
    "player/made.js": {"HTML": HTML, "CSS": _file("player/player.css")},
    "classroom/made.js": {
        "CSS": _file("classroom/room.css") + _file("form/form.css"),
        "PAGE_CSS": _file("classroom/page.css"),
    },
}


def text_of(name: str) -> str:
    """Return the text of a module, given its path below `pages`."""
    if name == VEGA:
        return vega_bundle()
    if name in MADE:
        return "".join(f"export const {const} = {json.dumps(text)};\n" for const, text in MADE[name].items())
    return _file(name)


def vega_bundle() -> str:
    """Return Vega, Vega-Lite and Vega-Embed in the versions that Altair writes for, without a network.

    The 0.9 MB of JavaScript are built once per version, since that takes over a second.
    """
    cached = CACHE / f"vega-embed-{version('vl-convert-python')}.js"
    if cached.is_file() and cached.stat().st_size:
        return cached.read_text("utf-8")
    import vl_convert

    text: str = vl_convert.javascript_bundle(SNIPPET)
    try:
        CACHE.mkdir(parents=True, exist_ok=True)
        part = cached.with_suffix(".part")
        part.write_text(text, "utf-8")
        part.replace(cached)
    except OSError:  # a read-only installation makes it again at its next start
        pass
    return text


def imports(name: str) -> list[str]:
    """Return the paths of the modules that a module imports."""
    if name == VEGA:
        return []
    return [posixpath.normpath(PurePosixPath(name).parent / path) for path in IMPORT.findall(text_of(name))]


def needed(entry: str) -> list[str]:
    """Return the paths of a module and of everything that it imports, directly or not."""
    found = [entry]
    for name in found:  # grows meanwhile
        found += [other for other in imports(name) if other not in found]
    return found


def all_modules() -> list[str]:
    """Return the modules that have an address."""
    return [*dict.fromkeys(name for entry in ENTRIES for name in needed(entry)), VEGA]


def loader(entry: str, *more: str, file: str = "player/loader.js") -> str:
    """Return the few lines that load a module in the browser; no other code is sent with each message.

    Lines of comments are left out.

    Parameters
    ----------
    entry : str
        The module.
    *more : str
        Modules that it loads later, to fetch at once as well.
    file : str
        The file with the lines.
    """
    return COMMENTS.sub("", _file(file)).replace("BUILD", BUILD).replace("MODULES", json.dumps([*needed(entry), *more]))
