"""The page for an address ``/j/…`` that has no code of a class in it."""

from html import escape

from pages.drawing.palette import THEMES

LONGEST = 40  # characters of a wrong code that are shown

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Join a class · Samplescope</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1rem; box-sizing: border-box;
  font: 1.0625rem/1.5 system-ui, sans-serif; color: {ink};
  background: {paper}; }}
main {{ max-width: 30rem; }}
h1 {{ font-size: 1.5rem; line-height: 1.2; overflow-wrap: anywhere; }}
form {{ display: flex; flex-wrap: wrap; gap: 8px; }}
input, button {{ font: inherit; min-height: 2.75rem; padding: 0 12px; border-radius: 8px; box-sizing: border-box;
  border: 1px solid {soft}; color: inherit; background: none; min-width: 0; }}
input {{ flex: 1 1 10rem; text-transform: uppercase; }}
input::placeholder {{ color: {soft}; }}
button {{ background: {accent}; border-color: transparent; color: {paper}; }}
a {{ color: inherit; }}
</style>
<main>
<h1>{title}</h1>
<p>A code has eight letters and digits, such as KX7M-2PQ9. It is on your instructor’s screen. It never has 0, O, 1, I or
L.</p>
<form action="{base}/j/" method="get"><input name="code" aria-label="Code of the class" placeholder="KX7M-2PQ9"
maxlength="12" autocomplete="off" autocapitalize="characters" spellcheck="false" autofocus required>
<button>Join</button></form>
<p><a href="{base}/">Go to Samplescope without a class</a></p>
</main>
</html>
"""


def misread(code: str, base: str) -> str:
    """Return the page, which asks for the code again.

    Parameters
    ----------
    code : str
        What the address has in place of a code; "" if nothing.
    base : str
        The path below which the app is served.
    """
    shown = code if len(code) <= LONGEST else f"{code[:LONGEST]}…"
    title = f"“{escape(shown)}” is not the code of a class" if code else "Join a class"
    light, dark = THEMES["light"], THEMES["dark"]
    colors = {name: f"light-dark({light[name]}, {dark[name]})" for name in light}
    return _PAGE.format(title=title, base=escape(base), **colors)
