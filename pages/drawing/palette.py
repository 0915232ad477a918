"""Colours and shapes of clusters: one palette for both themes, always with a number or a shape."""

# Each colour has a contrast of at least 3 : 1 with the light and the dark background (a test computes it). A number or
# a shape is always beside it.
COLORS = ("#3B6FB6", "#D1495B", "#2E8B57", "#B07C00", "#8A63B8", "#12898C", "#B8572A", "#6B7A34", "#B8479B", "#86674E")

ACCENT, SOFT, RED = "#1F8F99", "#808890", COLORS[1]  # of charts in cards, and of legends, in both themes

THEMES: dict[str, dict[str, str]] = {  # ink and paper as in .streamlit/config.toml, and their mixtures in the player
    "light": {"ink": "#1C2530", "soft": "#5B626A", "line": "#DADEDF", "paper": "#FCFCFA", "accent": "#1F6F78"},
    "dark": {"ink": "#E8ECEF", "soft": "#ACB0B3", "line": "#2F383F", "paper": "#12171C", "accent": "#5BB8BE"},
}
THEMES["print"] = THEMES["light"] | {"paper": "#FFFFFF"}

STAR = "M0,-1.35L.32,-.42L1.28,-.42L.51,.16L.8,1.09L0,.54L-.8,1.09L-.51,.16L-1.28,-.42L-.32,-.42Z"
HOURGLASS = "M-.96,-.96H.96L-.96,.96H.96Z"
SHAPES = (
    *("circle", "square", "triangle-up", "diamond", "cross"),
    *("triangle-down", STAR, "triangle-right", HOURGLASS, "triangle-left"),
)

NAMED = {"ham": COLORS[0], "spam": COLORS[1]}  # classes that have the same colours in all topics


def color(cluster: int) -> str:
    """Return the colour of a cluster; after the last colour, they repeat."""
    return COLORS[cluster % len(COLORS)]
