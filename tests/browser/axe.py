"""The faults that axe finds on a page; the long message on all that is in order is left out."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

OPTIONS = {"resultTypes": ["violations"], "preload": False}  # no rule that is asked for needs style sheets once more

# What is not painted would have no colours.
LOOK = """async (options) => {
  const { unpainted } = window;
  if (unpainted) unpainted.disabled = true;
  const { violations } = await axe.run(document, options);
  if (unpainted) unpainted.disabled = false;
  return violations;
}"""


def violations(page: Page, **options: Any) -> list[dict[str, Any]]:
    """Return the rules that a page breaks, each with the elements that break it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found: list[dict[str, Any]] = page.evaluate(LOOK, OPTIONS | options)
    return found
