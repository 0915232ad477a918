"""A page of any topic in the browser, and how it is looked over."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.driver import NARROW, WIDE, Screen

COLORS_OF = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""
SCROLLS = """() => {
  const main = document.querySelector(".stMain"), page = document.documentElement;
  return {
    across: Math.max(main.scrollWidth - main.clientWidth, page.scrollWidth - page.clientWidth),
    down: Math.max(main.scrollHeight - main.clientHeight, page.scrollHeight - page.clientHeight),
  };
}"""


class TopicPage(Screen):
    """A topic's page, its first path, and how its counter reads at an iteration."""

    path, counter = "", "^sweep {t} of "

    def open(self, path: str = "") -> None:
        super().open(path or self.path)

    def rests_at(self, t: int) -> None:
        expect(self.now).to_have_text(re.compile(self.counter.format(t=t)))
        expect(self.page).to_have_url(re.compile(rf"[?&]t={t}$"))

    def press_button(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def view(self, name: str) -> None:
        self.page.locator(".st-key-views").get_by_role("radio", name=name, exact=True).click()

    def scrolled_across(self) -> list[dict[str, int]]:
        """Return the sizes of window in which the page scrolls sideways."""
        found = []
        for size in (NARROW, WIDE):
            self.page.set_viewport_size(size)
            self.settle()
            if self.page.evaluate(SCROLLS)["across"] > 0:
                found.append(size)
        return found

    @property
    def cards(self) -> Locator:
        return self.inspector.locator("section.beat")
