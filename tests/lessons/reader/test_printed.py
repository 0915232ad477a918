"""Text on paper: every formula of every lesson becomes MathML, and no markup of a learner gets through."""

import re
from xml.etree import ElementTree

import pytest

from lessons.reader.printed import as_html, inline
from pages.shell.lessons import library


def test_all_formulas_of_all_lessons_are_set():
    texts = [step.body for lesson in library().lessons for step in lesson.steps]
    texts += [choice.text for lesson in library().lessons for step in lesson.steps for choice in step.choices]
    made = [as_html(text) for text in texts]
    formulas = re.findall(r"<math.*?</math>", "".join(made), re.S)
    assert len(formulas) > 300
    for formula in formulas:
        ElementTree.fromstring(formula)
    assert not [text for text in made if "<code>\\" in text or "merror" in text]


def test_a_line_has_its_emphasis_and_its_formula():
    assert inline("**a** *b* `c`") == "<strong>a</strong> <em>b</em> <code>c</code>"
    assert re.fullmatch(r"<math.*<mi>x</mi>.*</math> is 3", inline("$x$ is 3"))
    assert inline(r"$x_$") == "<code>x_</code>"
    assert "<mtext>log_sum_exp</mtext>" in inline(r"$\text{log\_sum\_exp}_k$")


@pytest.mark.parametrize(
    "text", ["<script>x</script>", "<img src=x onerror=y>", "[a](javascript:x)", "[a](data:text/html,x)"]
)
def test_markup_is_shown_and_not_obeyed(text):
    assert not re.search(r"<(script|img)|href=", as_html(text))


def test_a_link_within_the_app_is_words_alone():
    assert inline("[site](#term) [there](https://example.org)") == (
        '<a class="within">site</a> <a href="https://example.org">there</a>'
    )
