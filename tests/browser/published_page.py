"""A page of a published course, as a learner uses it."""

AT_REST = "() => document.querySelector('.st-key-player')?.dataset.atRest"


PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def resize(page, width, height):
    """Give the page another size, and wait until its charts have one as well."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(PAINTED)
    page.wait_for_function(AT_REST)


def rest(page):
    page.wait_for_function(AT_REST)
    return int(page.evaluate(AT_REST))


def answer(page, step, *, right):
    """Answer the open question as a learner does, and wait until nothing moves."""
    give(page, step, right=right)
    rest(page)


def give(page, step, *, right):
    """Give an answer to the open question, right or the first one that is not."""
    keys = {choice.key for choice in step.choices if choice.correct is right}
    if step.form.problem:
        lines = page.locator(".rule-line input").all()
        for field, line in zip(lines, step.answers.right_keys if right else ["1"] * len(lines), strict=False):
            field.fill(line)
        page.get_by_role("button", name="Prove it").click()
        return
    if step.form.lists:
        for field in page.locator(".st-key-question input").all():
            if field.input_value() in keys:
                field.check()
                break
    else:
        low, high = step.form.limits
        page.locator(".st-key-question input").fill(step.answers.right_keys[0] if right else f"{low or high:g}")
    page.locator(".st-key-check button").click()


def answered(page, lesson):
    """Answer the first question right."""
    step = next(step for step in lesson.steps if step.choices)
    page.goto(f"{page.url.split('#')[0]}#lesson={lesson.id}&step={step.id}")
    page.locator(".st-key-question").wait_for()
    answer(page, step, right=True)
    return step
