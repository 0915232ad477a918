"""A screen in a class, and what an instructor and a learner do there."""

from playwright.sync_api import Locator, expect

from tests.browser import axe
from tests.browser.driver import Screen


class Member(Screen):
    """A screen in a class."""

    charts = 2

    @property
    def panel(self) -> Locator:
        """The panel beside the page."""
        return self.page.locator("#samplescope-class .dock")

    def press_button(self, name: str) -> None:
        self.panel.get_by_role("button", name=name, exact=True).click()

    def go_on(self) -> None:
        self.page.get_by_role("button", name="Next", exact=True).click()

    def reads(self, heading: str, t: int) -> None:
        """Wait until a step and an iteration are on the screen."""
        self.heading(heading).wait_for()
        self.at(t)

    def faults(self, **look: str) -> set[str]:
        """Return the faults that axe finds in a look. The page's own title is of level two."""
        self.page.emulate_media(**look)
        self.settle()
        found = axe.violations(self.page, rules={"page-has-heading-one": {"enabled": False}})
        self.page.emulate_media(color_scheme="light", forced_colors="none")
        return {f"{one['id']}: {node['html'][:120]} {node['failureSummary']}" for one in found for node in one["nodes"]}


def opened(lead: Member) -> str:
    """Open a class from the page at hand, and return its code."""
    lead.page.get_by_role("button", name="Display").click()
    lead.page.get_by_role("button", name="Lead a class").click()
    lead.page.get_by_role("button", name="Open a class").click()
    lead.page.get_by_role("dialog", name="Join the class").get_by_role("button", name="Close").click()
    code: str = lead.panel.locator(".code").inner_text()
    return code


def ask(lead: Member, learner: Member, answer: Locator) -> None:
    """Ask the class what the step asks, and have the learner answer."""
    lead.press_button("Ask the class")
    answer.check()
    for screen in (lead, learner):  # the page's own Check would go past the round
        assert not screen.page.locator(".st-key-text .st-key-check").is_visible()
    assert not learner.page.locator(".st-key-text .st-key-question").is_visible()
    learner.press_button("Answer")
    expect(learner.panel.get_by_role("status").filter(has_text="Your answer is in")).to_be_visible()
    expect(lead.panel).to_contain_text("1 of 1 have answered")


def choice(learner: Member, text: str) -> Locator:
    return learner.panel.get_by_role("radio", name=text)


def closed(lead: Member, learner: Member) -> None:
    """Close the question; both see what was said."""
    lead.press_button("Close the question")
    expect(learner.panel).to_contain_text("Closed: talk it over")
    assert not lead.page.locator(".st-key-text .st-key-check").is_visible()
    lead.press_button("Reveal the answer")
    expect(learner.panel).to_contain_text("The class: 1 answer")
    expect(lead.panel.locator("li.right em")).to_have_text("right")
