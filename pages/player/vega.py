"""Vega, Vega-Lite and Vega-Embed for the browser, in the versions that Altair writes for, without a network."""

from importlib.metadata import version
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".cache"
SNIPPET = "export default vegaEmbed;"


def bundle() -> str:
    """Return the JavaScript of the three libraries, 0.9 MB, built once per version, since that takes over a second."""
    cached = CACHE / f"vega-embed-{version('vl-convert-python')}.js"
    if cached.is_file() and cached.stat().st_size:
        return cached.read_text("utf-8")
    import vl_convert

    text: str = vl_convert.javascript_bundle(SNIPPET)
    try:
        CACHE.mkdir(exist_ok=True)
        part = cached.with_suffix(".part")
        part.write_text(text, "utf-8")
        part.replace(cached)
    except OSError:  # a read-only installation makes it again at its next start
        pass
    return text
