"""Our code for the browser: modules at addresses of their own, `/play/BUILD/js/player/player.js`, once a version.

They are served as they lie in the folders, and find one another by their imports. What Python writes for them comes as
one more module in their folder, `made.js`.
"""

from __future__ import annotations

import hashlib
import json
import re
from importlib.metadata import version
from pathlib import Path, PurePosixPath

from pages.player import vega
from pages.player.markup import HTML

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "pages"
ENTRIES = ("player/player.js", "player/cards.js", "classroom/room.js")  # whose default exports pages ask for
IMPORT = re.compile(r'^(?:import .*|\}) from "(\.[^"]+)";$', re.M)  # over several lines, it ends with the second
COMMENTS = re.compile(r"^ *(?://.*|/\*\*.*\*/)\n", re.M)  # that have a line of their own
VEGA = "vega.js"


def _build() -> str:
    """Return twelve characters that stand for all that the answer to an address depends on, besides the address."""
    seal = hashlib.sha256(" ".join(map(version, ("numpy", "scipy", "altair", "vl-convert-python"))).encode())
    for folder in ("samplers", "lessons", "pages"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".js", ".css", ".tsv"):
                seal.update(path.read_bytes())
    return seal.hexdigest()[:12]


BUILD = _build()


def _file(name: str) -> str:
    return (PAGES / name).read_text("utf-8")


MADE = {  # modules that Python writes: what they export
    "player/made.js": {"HTML": HTML, "CSS": _file("player/player.css")},
    "classroom/made.js": {"CSS": _file("classroom/room.css"), "PAGE_CSS": _file("classroom/page.css")},
}


def text_of(name: str) -> str:
    """Return a module's text, by its path below `pages`."""
    if name == VEGA:
        return vega.bundle()
    if name in MADE:
        return "".join(f"export const {const} = {json.dumps(text)};\n" for const, text in MADE[name].items())
    return _file(name)


def imports(name: str) -> list[str]:
    """Return the modules that a module imports, by their paths."""
    return [str(PurePosixPath(name).parent / path) for path in IMPORT.findall(text_of(name))] if name != VEGA else []


def needed(entry: str) -> list[str]:
    """Return a module and all that it imports, and that those import, by their paths."""
    found = [entry]
    for name in found:  # grows meanwhile
        found += [other for other in imports(name) if other not in found]
    return found


def all_modules() -> list[str]:
    """Return the modules that have an address, and so are served."""
    return [*dict.fromkeys(name for entry in ENTRIES for name in needed(entry)), VEGA]


def loader(entry: str, *more: str, file: str = "player/loader.js") -> str:
    """Return the few lines that load a module in the browser: all of its code that comes with each message.

    Lines of comments stay behind.

    Parameters
    ----------
    entry : str
        The module.
    *more : str
        What it loads later, to be fetched at once as well.
    file : str
        With the lines.
    """
    return COMMENTS.sub("", _file(file)).replace("BUILD", BUILD).replace("MODULES", json.dumps([*needed(entry), *more]))
