"""A class in two real browsers: an instructor's at a projector, a learner's in the hand, through a whole lesson."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.browser.driver import NARROW, Screen, Server
from tests.browser.member import Member, ask, choice, closed, opened
from tests.browser.snippets import MARK, UNPAINTED

pytestmark = pytest.mark.browser
PROJECTOR = {"width": 1920, "height": 1080}
LESSON = "crp-rich-get-richer"
OWN = """Object.keys(localStorage).filter((name) => /^samplescope answer [a-z]/.test(name))"""
SECRETS = "Object.keys(localStorage).filter((name) => /^samplescope class/.test(name))"


@pytest.fixture
def members(browser: Browser, server: Server) -> Iterator[tuple[Member, Member]]:
    """Open two browsers, and fail if anything went wrong in one of them."""
    looks = ({"viewport": PROJECTOR}, {"viewport": NARROW, "has_touch": True})
    contexts = [browser.new_context(color_scheme="light", reduced_motion="reduce", **look) for look in looks]
    for context in contexts:
        context.add_init_script(UNPAINTED)
    lead, learner = (Member(context.new_page(), server) for context in contexts)
    yield lead, learner
    for context in contexts:
        context.close()
    assert not lead.problems + learner.problems


def test_a_class_walks_through_a_lesson(members):
    lead, learner = members
    code, door = opened_and_joined(lead, learner)
    asked_on_a_projector(lead, learner)
    walked_and_left(lead, learner)
    looked_at_and_ended(lead, learner, code, door)


def opened_and_joined(lead: Member, learner: Member) -> tuple[str, Locator]:
    """Open a class, and let the learner join it by its code; return the code and the learner's door."""
    lead.open(f"crp_seating?lesson={LESSON}")
    code = opened(lead)
    assert re.fullmatch(r"\w{4}-\w{4}", code)
    learner.page.goto(f"{learner.server.url}/j/{code.lower()}")
    door = learner.page.get_by_role("dialog")
    expect(door).to_contain_text(
        "Your instructor sees your name and your answers; the server deletes them 24 hours after"
    )
    door.get_by_role("button", name="Join", exact=True).click()
    learner.reads("A head start", 15)
    expect(learner.panel).to_contain_text(f"{code} · following")
    assert "room=" not in learner.page.url
    expect(lead.panel).to_contain_text("1 here, 1 follows")
    return code, door


def asked_on_a_projector(lead: Member, learner: Member) -> None:
    """Ask the class, with a projector, and show what came of it."""
    expect(learner.page.locator(".st-key-text .st-key-check")).to_be_hidden()  # it waits until it is asked
    learner.press("1", "Enter")
    with lead.page.context.expect_page() as opened:
        lead.press_button("Projector window")
    projector = Member(opened.value, lead.server)
    projector.page.set_viewport_size(PROJECTOR)
    projector.reads("A head start", 15)
    assert projector.page.locator(".st-key-text .st-key-question").is_hidden()
    ask(lead, learner, choice(learner, "The small tables catch up"))
    expect(projector.panel).to_contain_text("1 of 1 have answered")
    assert projector.faults() == set()
    assert learner.faults() | lead.faults(color_scheme="dark") == set()
    closed(lead, learner)
    expect(learner.panel.locator("li.own em")).to_have_text("your answer")
    for screen in (lead, learner):  # the page goes on as it does alone
        screen.at(50)
        expect(screen.page.locator("div.said").first).to_be_visible()
    expect(learner.page.locator(".st-key-text .folded summary")).to_have_text(
        re.compile("The small tables|The choices")
    )
    assert learner.faults(color_scheme="dark") | lead.faults(forced_colors="active") == set()

    expect(projector.panel.locator("li.right em")).to_have_text("right")
    expect(projector.panel.locator(".reason")).to_be_in_viewport(ratio=1)
    projector.page.set_viewport_size({"width": 1280, "height": 720})
    lead.press_button("Hide the question")
    expect(projector.page.locator("div.said").first).to_be_in_viewport(ratio=1)  # a projector is not scrolled
    expect(projector.page.locator(":is(.stButton, .stTextInput):visible")).to_have_count(0)
    assert lead.page.evaluate(OWN) == []  # what is right is the class's answer, and not the instructor's own
    lead.go_on()
    projector.reads("Early luck", 15)
    assert not projector.problems
    projector.page.close()


def walked_and_left(lead: Member, learner: Member) -> None:
    """Go through steps; the learner follows, leaves, and comes back."""
    learner.reads("Early luck", 15)
    learner.settle()
    lead.press("ArrowRight")
    learner.at(16)
    lead.press("ArrowRight")
    learner.at(17)
    lead.button("goal").click()
    learner.passes(20)

    lead.go_on()
    learner.reads("Another evening", 15)
    learner.settle()
    lead.press_button("Ask the class")
    choice(learner, "Table 2").wait_for()
    learner.settle()
    learner.page.mouse.click(*learner.page.evaluate(MARK, "2"))
    expect(choice(learner, "Table 2")).to_be_checked()
    learner.press_button("Answer")
    expect(lead.panel).to_contain_text("1 of 1 have answered")
    closed(lead, learner)

    lead.go_on()
    learner.heading("Because").wait_for()
    lead.go_on()
    learner.heading("How large is the first table?").wait_for()
    learner.go_on()  # who leaves the place explores, and is told
    expect(learner.panel).to_contain_text("you left the class")
    expect(lead.panel).to_contain_text("1 here, 0 follow")
    learner.page.get_by_role("button", name="Back", exact=True).click()
    lead.go_on()
    lead.reads("A tax on every table", 15)
    expect(learner.heading("How large is the first table?")).to_be_visible()
    learner.press_button("Back to the class")
    learner.reads("A tax on every table", 15)
    ask(lead, learner, choice(learner, "Tables with one customer"))
    closed(lead, learner)


def looked_at_and_ended(lead: Member, learner: Member, code: str, door: Locator) -> None:
    """Look at the answers, start hands-on, let the learner leave and join again, and end the class."""
    lead.panel.get_by_text("Learners and devices").click()
    lead.press_button("Who has answered what")
    table = lead.page.get_by_role("dialog", name="Who has answered what")
    table.get_by_role("button", name="Learner 1", exact=True).click()
    expect(table.locator("dl > div").last).to_contain_text("Tables with one customer")
    table.get_by_role("button", name="Close").click()
    held: list[Route] = []
    lead.page.route("**/room.json", lambda route: held.append(route))
    with lead.page.expect_request("**/room.json"):
        lead.panel.get_by_text("Hands on", exact=True).click()
    expect(lead.panel.get_by_role("button", name="Start", exact=True)).to_be_hidden()  # there is nothing to choose yet
    held[0].continue_()
    lead.press_button("Start")
    expect(learner.panel.get_by_text("The class: 1 answer")).to_be_hidden()  # a result gives way to what comes next
    learner.press_button("Hide")
    learner.press_button("To your run")
    lead.press_button("Stop")

    lead.go_on()
    learner.heading("Now you").wait_for()
    learner.page.get_by_role("button", name="Name, or leave").click()
    learner.press_button("Leave and delete my answers")
    learner.press_button("Press again to delete your name and answers")
    expect(learner.page.get_by_role("dialog")).to_contain_text("has deleted your name and your answers")
    expect(lead.panel).to_contain_text("0 here")
    learner.page.goto(f"{learner.server.url}/?room={code}")
    door.get_by_role("button", name="Join", exact=True).click()
    learner.heading("Now you").wait_for()
    lead.page.get_by_role("button", name="Finish").click()
    learner.heading("What you have seen").wait_for()
    lead.press_button("End the class")
    lead.press_button("End it for everyone? Press again")
    lead.panel.get_by_role("button", name="Another evening").click()  # results are still there
    large = lead.page.get_by_role("dialog", name="Shown large")
    expect(large.locator("li.right em")).to_have_text("right")
    expect(learner.page.get_by_role("dialog")).to_contain_text("The class has ended")
    expect(learner.panel).to_have_count(0)


def lead_from(lead: Member, learner: Member, address: str) -> None:
    """Open a class at a step, and let a learner join it."""
    lead.open(address)
    lead.page.get_by_role("button", name="Display").click()
    lead.page.get_by_role("button", name="Lead a class").click()
    lead.page.get_by_role("button", name="Open a class").click()
    lead.page.get_by_role("dialog", name="Join the class").get_by_role("button", name="Close").click()
    learner.page.goto(f"{learner.server.url}/?room={lead.panel.locator('.code').inner_text()}")
    learner.page.get_by_role("dialog").get_by_role("button", name="Join", exact=True).click()


LEAVE = "() => { document.querySelector('button.prove').click(); location.reload(); }"


def prove(screen: Screen, lines: tuple[str, ...], *, leaving: bool = False) -> None:
    """Write a rule in the step, and have it proved, or leave and come back before the judge has answered."""
    for field, line in zip(screen.page.locator(".rule-line input").all(), lines, strict=True):
        field.fill(line)
    if leaving:
        screen.page.evaluate(LEAVE)
    else:
        screen.page.get_by_role("button", name="Prove it").click()
    screen.page.locator(".st-key-question .proof, .rule-proof h4").first.wait_for()


def test_rules_that_a_class_proves_are_piled_up_and_kept_in_each_learners_work(members):
    lead, learner = members
    lead.charts = learner.charts = 2
    lead_from(lead, learner, "crp_seating?lesson=crp-write&step=rule")
    learner.heading("Where does the next customer sit?").wait_for()
    lead.press_button("Ask the class")
    expect(learner.panel).to_contain_text("Write your rule in the step, and press Prove it")
    prove(learner, ("1 / (tables + alpha)", "alpha / (tables + alpha)"))
    expect(lead.panel).to_contain_text("1 of 1 have answered")
    lead.press_button("Close the question")
    lead.press_button("Show the answers")
    for screen in members:
        expect(screen.panel).to_contain_text("tables are counted, not customers")
        expect(screen.panel).to_contain_text("1 / (tables + alpha), alpha / (tables + alpha)")
    lead.press_button("Reveal the answer")
    expect(lead.panel.locator("li.right")).to_contain_text("right")
    lead.press_button("End the class")
    lead.press_button("End it for everyone? Press again")
    learner.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    learner.page.get_by_role("button", name="Repair").click()
    prove(learner, ("n / (total + alpha)", "alpha / (total + alpha)"), leaving=True)
    expect(learner.page.locator(".rule-proof")).to_contain_text("Right in each of 75 cases.")
    learner.settle()
    learner.follow("work")
    expect(learner.page.get_by_text("1 of 2 right, 1 answered")).to_be_visible()
    expect(learner.page.get_by_text("n / (total + alpha)").first).to_be_attached()


def step_on(learner: Member, number: int) -> None:
    """Throw the dart if the rule has one, and do what it says."""
    panel = learner.panel
    panel.locator("[data-act=throw], .round button[aria-disabled=false]").first.wait_for()
    if panel.get_by_role("button", name="Throw the dart").is_visible():
        learner.press_button("Throw the dart")
        expect(panel.locator(".dart-bar .dart")).to_be_visible()
        moves = "in the coloured" in (panel.locator(".dart-bar").get_attribute("aria-label") or "")
    else:
        moves = float(re.findall(r"is ([\d.]+)\.$", panel.locator(".round p").first.inner_text())[0]) > 1
    panel.get_by_role("button", name="Move to" if moves else "Stay at").click()
    expect(panel.locator(".round .status")).to_contain_text(f"{number} step")


def test_a_class_passes_chains_on_from_hand_to_hand(members):
    lead, learner = members
    lead_from(lead, learner, "why_sample?lesson=why-class&step=pass")
    learner.heading("Pass it on").wait_for()
    lead.panel.get_by_text("The class is the chain", exact=True).click()
    lead.press_button("Pass on what is shown")
    for number in (1, 2):
        step_on(learner, number)
    expect(lead.panel).to_contain_text("2 steps of 30 chains")
    held = learner.panel.locator(".round .kind").inner_text()
    assert learner.faults() | lead.faults(color_scheme="dark") == set()
    learner.page.reload()
    expect(learner.panel.locator(".round .kind")).to_have_text(held)  # the chain is still hers
    with lead.page.context.expect_page() as opened:
        lead.press_button("Projector window")
    projector = Member(opened.value, lead.server)
    projector.page.set_viewport_size(PROJECTOR)
    expect(projector.panel.get_by_role("img", name=re.compile("Half .: 15 chains, 2 visits"))).to_be_visible()
    lead.press_button("Stop")
    expect(learner.panel.get_by_role("img", name=re.compile("Half B"))).to_be_visible()
    assert projector.faults() | learner.faults(color_scheme="dark") == set()
    lead.panel.get_by_text("How far each half is, for me alone").click()
    expect(lead.panel).to_contain_text("0 steps not by its rule")

    lead.panel.get_by_label("A question to the class’s mind").fill("Windows of this house?")
    lead.press_button("Pass on this question")
    expect(learner.panel).to_contain_text("Which is the more likely?")
    learner.panel.locator("button.big").first.click()
    expect(lead.panel).to_contain_text("1 step of 30 chains")
    expect(projector.panel).to_contain_text("The exact distribution is unknown")
    lead.press_button("Stop")
    expect(learner.panel).to_contain_text("Windows of this house?")
    assert not projector.problems


def asked_in_words(remote: Member, learner: Member) -> None:
    """Ask the class a question of one's own, for half a minute, and show an answer."""
    remote.panel.get_by_text("Ask something else").click()
    remote.panel.get_by_label("Your question").fill("Why?")
    remote.panel.get_by_label("How learners answer").select_option("in words")
    remote.press_button("Ask it")
    remote.press_button("30 s")
    expect(learner.panel).to_contain_text("s left")
    learner.panel.get_by_role("textbox").last.fill("By luck")
    learner.press_button("Answer")
    expect(remote.panel).to_contain_text("1 of 1 have answered")
    remote.press_button("Close the question")
    remote.press_button("Show the answers")
    expect(learner.panel).to_contain_text("No answers are shown yet.")
    remote.panel.get_by_label("By luck").check()
    expect(learner.panel.locator(".words-said")).to_have_text("By luck")
    assert remote.faults() == set()
    remote.press_button("Hide the question")


def handed_on(remote: Member, learner: Member) -> None:
    """Let the class run by hand: each learner may run twice."""
    remote.panel.get_by_text("Hands on", exact=True).click()
    remote.press_button("Start")
    for number in (1, 2):  # a small class makes many dots
        learner.press_button("Run it to 16")
        expect(remote.panel.get_by_label("A learner’s run").locator("option")).to_have_count(number)
        learner.press_button("Another run")
    expect(remote.panel.get_by_label("A learner’s run").locator("option").last).to_contain_text("Learner 1 · seed 2001")
    remote.press_button("Stop")


def test_a_class_is_led_from_a_phone(browser, server, members):
    lead, learner = members
    lead.open(f"crp_seating?lesson={LESSON}&step=long-run")
    code = opened(lead)
    learner.page.goto(f"{server.url}/?room={code}")
    door = learner.page.get_by_role("dialog")
    door.get_by_label("Your name, if you like").fill("Ada")
    expect(lead.panel).to_contain_text("0 here")  # a link asks, and sends nothing
    door.get_by_role("button", name="Join", exact=True).click()
    learner.reads("Early luck", 15)

    lead.panel.get_by_text("Learners and devices").click()
    with lead.page.expect_response("**/link?at=*") as made:
        lead.press_button("Lead from another device")
    phone = browser.new_context(viewport=NARROW, has_touch=True, reduced_motion="reduce")
    phone.add_init_script(UNPAINTED)
    remote = Member(phone.new_page(), server)
    remote.page.goto(made.value.json()["address"])
    remote.reads("Early luck", 15)
    assert "#" not in remote.page.url
    laptop = lead.page.context
    lead.page.close()  # the laptop dies
    remote.button("step").tap()
    learner.at(16)
    remote.press_button("Pause")
    expect(learner.panel).to_contain_text("paused: look up")
    learner.press("ArrowRight", " ")
    remote.press_button("Go on")
    expect(learner.panel).to_contain_text("following")
    learner.at(16)
    learner.press_button("I’m lost")
    expect(remote.panel).to_contain_text("1 here, 1 follows, 1 lost")

    asked_in_words(remote, learner)
    handed_on(remote, learner)

    lead.page = laptop.new_page()
    lead.page.goto(server.url)
    lead.stands("")
    lead.settle()
    lead.page.get_by_role("button", name="Class").first.click()
    lead.page.get_by_role("button", name="Lead a class").click()
    door = lead.page.get_by_role("dialog", name="Class")
    expect(door.get_by_role("button", name=f"Resume class {code}")).to_be_visible()
    door.get_by_role("button", name="Forget it on this computer").click()
    expect(door).to_contain_text("can no longer lead that class")
    remote.press_button("End the class")
    remote.press_button("End it for everyone? Press again")
    remote.press_button("Close")
    for screen in (lead, remote):
        assert screen.page.evaluate(SECRETS) == []
    assert not remote.problems
    remote.page.context.close()
