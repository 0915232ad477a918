"""Pages, lessons and links as a learner goes through them."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import Screen, same, serve
from tests.browser.snippets import PLAYER

pytestmark = pytest.mark.browser


def begin_first_lesson(screen):
    """Go from the course map by the restaurant's cover."""
    screen.settle()
    screen.page.get_by_role("link", name="4 · Chinese restaurant").click()
    screen.heading("Chinese restaurant").wait_for()
    screen.page.mouse.move(0, 0)  # what is told of the lesson that is under the pointer would lie over the next one
    screen.settle()
    screen.page.get_by_role("button", name=re.compile("Seating the first customers")).click()


def test_back_leaves_for_the_course_map_and_forward_returns(screen):
    screen.open()
    begin_first_lesson(screen)
    screen.heading("An empty restaurant").wait_for()
    screen.wait_until_drawn()
    screen.press("ArrowRight")
    screen.rests_at(1)
    screen.settle()
    screen.page.go_back()
    screen.heading("Chinese restaurant").wait_for()
    screen.settle()
    screen.page.go_back()
    screen.heading("See samplers work").wait_for()
    expect(screen.button("play")).to_be_hidden()
    screen.press("ArrowRight", "Space")  # nobody listens here
    screen.page.go_forward()
    screen.heading("Chinese restaurant").wait_for()
    screen.settle()
    screen.page.go_forward()
    screen.wait_until_drawn()
    screen.rests_at(1)
    expect(screen.heading("An empty restaurant")).to_be_visible()


def test_back_goes_to_the_step_before_and_forward_returns(screen):
    screen.step_of("crp-seating", "empty")
    screen.rests_at(0)
    following = screen.page.get_by_role("button", name="Next", exact=True)
    following.click()
    screen.heading("The first customer").wait_for()
    expect(screen.page).to_have_url(re.compile("step=first"))
    screen.page.go_back()
    screen.heading("An empty restaurant").wait_for()
    expect(screen.button("step")).to_be_enabled()
    screen.press("ArrowRight", "ArrowRight", "ArrowRight")  # within a step, the entry is written anew
    screen.rests_at(3)
    assert screen.address()["step"] == "empty"
    screen.page.go_forward()
    screen.heading("The first customer").wait_for()
    screen.at(0)
    screen.page.go_back()
    screen.heading("An empty restaurant").wait_for()
    screen.rests_at(3)
    following.click()
    screen.heading("The first customer").wait_for()
    expect(screen.page).to_have_url(re.compile("step=first"))


def test_an_answer_is_there_again_after_a_reload_and_in_another_tab(new_screen):
    one = new_screen()
    for question, kept in {"crp-order/chance": "<b>nonsense", "crp-seating/second": '["1/7"]'}.items():
        one.page.add_init_script(f"localStorage.setItem('samplescope answer {question}', '{kept}')")
    one.open("crp_seating?lesson=crp-seating&step=fifth&t=9")  # a link from after the answer
    one.at(4)
    one.answer("1/4")
    one.rests_at(5)
    one.press("ArrowRight")
    one.rests_at(6)
    one.page.reload()
    one.wait_until_drawn()
    reason = "That divides by the customers alone."
    expect(one.page.get_by_text(reason)).to_be_visible()
    one.rests_at(6)
    other = new_screen()
    other.step_of("crp-seating", "fifth")
    expect(other.page.get_by_text(reason)).to_be_visible()
    is_dropped_with_a_word(other)
    other.follow("work")
    other.heading("My work").wait_for()
    other.page.locator("summary").filter(has_text=" right").first.click()
    other.page.get_by_role("button", name="Ask me again").first.click()
    expect(other.page.locator("summary").filter(has_text=" right")).to_have_count(0)
    other.settle()
    other.step_of("crp-seating", "fifth")
    expect(other.page.get_by_text(reason)).to_have_count(0)
    other.answer("1/5")
    other.settle()
    one.page.bring_to_front()
    one.page.get_by_role(
        "button", name="Next", exact=True
    ).click()  # it still believes in 1/4, and does not write it again
    one.heading("Because").wait_for()
    kept = "localStorage.getItem('samplescope answer crp-seating/fifth')"
    one.settle()
    assert one.page.evaluate(kept) == '["1/5"]'


def is_dropped_with_a_word(screen):
    """Go to a question that no longer has the answer which the browser has kept."""
    screen.step_of("crp-seating", "second")
    expect(screen.page.get_by_text("The question has changed since you answered it.")).to_be_visible()
    screen.at(1)
    expect(screen.button("step")).to_be_disabled()
    screen.answer("1/2")
    screen.rests_at(2)
    expect(screen.page.get_by_text("The question has changed")).to_have_count(0)


def test_without_the_browsers_memory_questions_work(new_screen):
    screen = new_screen()
    screen.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } })"
    )
    screen.step_of("crp-seating", "fifth")
    screen.answer("1/5")
    screen.rests_at(5)


def test_first_visits_to_a_new_server_all_at_once_and_the_first_click_after_a_restart(context):
    with serve() as server:
        others = [context.new_page() for _ in range(2)]
        for other in others:
            other.goto(f"{server.url}/logistic", wait_until="commit")
        screen = Screen(context.new_page(), server)
        screen.open("crp_seating?seed=3&t=5")
        for other in others:
            expect(other.get_by_role("link", name="Chinese restaurant")).to_be_visible()
            expect(other.get_by_test_id("stSidebarNav")).to_have_count(0)
            other.close()
        screen.rests_at(5)
        expect(screen.page.get_by_role("link", name="Chinese restaurant")).to_be_visible()
        assert screen.address()["seed"] == "3"
        screen.page.get_by_role("link", name="Samplescope").click()
        screen.heading("See samplers work").wait_for()

        begin_first_lesson(screen)
        for title in ("The first customer", "The second customer"):  # the address is another now than the page came by
            screen.page.get_by_role("button", name="Next", exact=True).click()
            screen.heading(title).wait_for()
        screen.answer("1/2")
        screen.rests_at(2)
    app = screen.page.get_by_test_id("stApp")
    expect(app).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    with serve(int(server.url.rpartition(":")[2])):
        expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=30_000)
        screen.page.get_by_role("button", name="Next", exact=True).click()
        screen.heading("Four beats").wait_for()
        screen.page.get_by_role("button", name="Back", exact=True).click()
        screen.heading("The second customer").wait_for()
        expect(screen.page.get_by_text("One customer there, weight 1")).to_be_visible()
        screen.page.close()


def test_in_an_embedded_page_the_navigation_is_hidden_and_others_parameters_stay(new_screen):
    screen = new_screen()
    screen.load("crp_seating?embed=true")
    expect(screen.page.locator(".st-key-text")).to_have_count(0)  # no lesson: the stage alone
    screen.open("crp_seating?embed=true&user=7&lesson=crp-seating&step=empty")
    expect(screen.page.get_by_role("link", name="Logistic regression")).to_have_count(0)
    screen.press("ArrowRight")
    screen.rests_at(1)
    screen.page.get_by_role("button", name="Next", exact=True).click()
    screen.heading("The first customer").wait_for()
    expect(screen.page).to_have_url(re.compile("step=first"))
    screen.page.reload()
    screen.wait_until_drawn()
    assert {"embed": "true", "user": "7"}.items() <= screen.address().items()
    expect(screen.page.get_by_role("link", name="Logistic regression")).to_have_count(0)
    expect(screen.page.get_by_test_id("stAlert")).to_have_count(0)


def test_the_course_that_is_open_stays_in_the_address_of_every_page(new_screen):
    screen = new_screen()
    screen.page.goto(f"{screen.server.url}/?course=all")
    screen.heading("See samplers work").wait_for()
    for name, path in (("Chinese restaurant", "crp_seating"), ("Samplescope", "")):  # by the navigation, which drops it
        screen.page.get_by_role("link", name=name, exact=True).click()
        expect(screen.page).to_have_url(f"{screen.server.url}/{path}?course=all")
    screen.page.go_back()
    expect(screen.page).to_have_url(f"{screen.server.url}/crp_seating?course=all")


def test_the_address_reproduces_what_is_on_the_screen(screen, new_screen):
    one = screen
    one.open("crp_seating?concentration=4.5&discount=0.25&customers=33&seed=12&door=stick")
    one.press("ArrowRight", "ArrowRight", "ArrowRight")
    one.rests_at(3)
    one.settle()
    shown = one.pictures()
    other = new_screen()  # not before: a page in the background gets no animation frames
    other.open(one.page.url.removeprefix(one.server.url + "/"))
    other.rests_at(3)
    assert other.inspector.inner_text() == one.inspector.inner_text()
    assert all(same(*pair) for pair in zip(other.pictures(), shown, strict=True))
    assert other.address() == one.address()
    for name, value in {"Concentration": "4.5", "Discount": "0.25", "Customers": "33"}.items():
        expect(other.page.get_by_role("slider", name=name)).to_have_value(value)
    expect(other.page.get_by_role("textbox", name="Seed")).to_have_value("12")
    expect(other.page.get_by_text("The link was not quite right")).to_have_count(0)


def test_nonsense_in_the_address_is_said(screen):
    screen.open("crp_seating?concentration=many&customers=9999&seed=-1&door=%3Cb%3E&t=1e9&concentratio=2")
    note = screen.page.get_by_test_id("stAlert")
    for words in (
        "'many', which is not a number",
        "the most is 500",
        "the least is 0",
        "'<b>'",
        "Did you mean concentration?",
    ):
        expect(note).to_contain_text(words)
    screen.rests_at(0)
    assert screen.page.get_by_text("Traceback").count() == 0


def test_a_reload_in_the_middle_of_a_run(screen):
    screen.open("crp_seating")
    screen.press("ArrowRight")
    screen.rests_at(1)
    screen.press("+", "Space")
    screen.passes(4)
    screen.page.reload()
    screen.wait_until_drawn()
    t = int(screen.address()["t"])
    screen.rests_at(t)
    screen.press("ArrowRight")
    screen.rests_at(t + 1)


def test_a_lesson_ends_with_what_was_answered_and_a_way_on(new_screen):
    screen = new_screen()
    given = {"crp-two-doors/look": "Yes, full tables attract more", "crp-family/coupling": "0.33"}
    for step, answer in given.items():
        screen.page.add_init_script(f"localStorage.setItem('samplescope answer {step}', '[\"{answer}\"]')")
    screen.step_of("crp-family", "relatives")
    screen.page.get_by_role("button", name="Finish").click()
    screen.heading("What you have seen").wait_for()
    expect(screen.page).to_have_url(re.compile("step=end"))
    expect(screen.page.locator(".st-key-answered")).to_contain_text("0.33; right: 0.5")
    screen.page.go_back()
    screen.heading("Read on").wait_for()
    screen.page.go_forward()
    expect(screen.page.get_by_text("Next lesson: Write it yourself")).to_be_visible()
    screen.page.goto(f"{screen.server.url}/work")
    screen.page.get_by_text("Two recipes for tables").click()
    screen.page.get_by_role("link", name="Who looks at whom?").click()  # a link in a text, which opens in this tab
    screen.heading("Who looks at whom?").wait_for()
    screen.page.go_back()
    screen.heading("My work").wait_for()
    with screen.page.expect_download() as made:
        screen.page.get_by_role("button", name="As a file").click()
    brought = made.value.path().read_text("utf-8").replace('"name": ""', '"name": "Ada"')
    screen.page.get_by_text("Bring it from another browser").click()
    file = {"name": "my-work.json", "mimeType": "application/json", "buffer": brought.encode()}
    screen.page.locator("input[type=file]").set_input_files(file)  # into a browser that has answers already
    expect(screen.page.get_by_text("are here now.")).to_be_visible()
    expect(screen.page.get_by_label("Your name")).to_have_value("Ada")


def test_back_in_the_middle_of_a_report_leads_there(screen):
    for wait in (0, 30, 120):  # milliseconds after a step
        screen.go("draws?t=0")
        there = f"{screen.server.url}/crp_seating?lesson=crp-seating&step=fifth"
        screen.page.evaluate(
            f"""async ([there, wait]) => {{
                const player = {PLAYER};
                history.pushState(null, "", there);
                history.pushState(null, "", there + "#");
                for (const t of [1, 2]) {{
                    player.settle(t);
                    player.reporter.report();
                    await new Promise((done) => setTimeout(done, wait));
                }}
                history.back();
            }}""",
            [there, wait],
        )
        screen.heading("The fifth customer").wait_for()
        assert screen.page.get_by_text("Something went wrong").count() == 0


def test_a_click_that_is_told_together_with_a_report_draws_the_whole_page(screen):
    screen.step_of("crp-seating", "empty")
    screen.rests_at(0)
    screen.page.evaluate(
        f"""() => {{
            const player = {PLAYER};
            player.settle(2);
            player.reporter.report();
            document.querySelector(".st-key-next button").click();
        }}"""
    )
    screen.heading("The first customer").wait_for()


def test_who_moves_on_before_pages_are_drawn_comes_to_the_last_one(new_screen):
    """By default, a browser drops large elements after two runs, and a walk like this often ends with an error."""
    screen = new_screen()
    screen.open("crp_seating")
    for seed in range(12):
        for topic in ("coin", "logistic", "crp_seating"):
            screen.follow(f"{topic}?t=0&seed={seed}")
            screen.painted()
    screen.is_of("crp_seating")
    screen.settle()
    assert screen.address()["seed"] == "11"
