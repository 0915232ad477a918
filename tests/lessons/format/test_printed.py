"""Text on paper: every formula of every lesson becomes MathML, and no markup of a learner gets through."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from lessons.format.mathml import ATTRIBUTES, ELEMENTS, brings_markup
from lessons.format.printed import as_html, inline
from pages.lesson.lessons import library


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
    ("formula", "parts"),
    [("x = 3", 2), ("x", 1), ("1 / (1 + e^{7 - 13}) = 1 / (1 + e^{-6}) = 0.998", 3), ("p(z = 1)", 1), ("= 3", 2)],
)
def test_a_formula_in_a_line_is_parted_after_equals_signs_where_the_line_may_break(formula, parts):
    made = inline(f"${formula}$")
    assert made.count("<math") == parts
    assert re.sub("<.*?>", "", made) == formula.replace(" ", "").replace("e^{7-13}", "e7−13").replace("e^{-6}", "e−6")


@pytest.mark.parametrize(
    "text", ["<script>x</script>", "<img src=x onerror=y>", "[a](javascript:x)", "[a](data:text/html,x)"]
)
def test_markup_is_shown_and_not_obeyed(text):
    assert not re.search(r"<(script|img)|href=", as_html(text))


MARKUP = [
    r"\tag{<img src=x onerror=window.x=1>}",
    r"\color{\"><img src=x onerror=window.x=1>}x",
    r"\fbox{<img src=x onerror=window.x=1>}",
    r"\text{<img src=x onerror=window.x=1>}",
    r"\verb|<img src=x onerror=window.x=1>|",
    r"\hbox{<![CDATA[<img src=x onerror=window.x=1>]]>}",
    r"\mbox{<!--</mtext><img src=x onerror=window.x=1>-->}",
    r"\text{<mi>x</mi><annotation-xml encoding='text/html'><b>y</b></annotation-xml>}",
    r"\href{javascript:x}{y}",
    r"\style{background:url(//x)}{y}",
]


@pytest.mark.parametrize("formula", MARKUP)
def test_no_formula_brings_markup(formula):
    seen: list[tuple[str, set[str]]] = []
    reader = HTMLParser()
    reader.handle_starttag = lambda tag, attrs: seen.append((tag, {name for name, _ in attrs}))  # type: ignore[method-assign]
    reader.feed(as_html(f"a ${formula}$ b"))
    assert seen[1][0] in ("math", "code")
    for tag, attributes in seen:
        assert tag in ELEMENTS | {"p", "code"}
        assert attributes <= ATTRIBUTES | {"xmlns"}


def test_what_would_bring_markup_is_known():
    assert [formula for formula in MARKUP if not brings_markup(formula)] == MARKUP[5:7] + MARKUP[8:]
    assert not any(map(brings_markup, ("a<b", r"\begin{array}{cc}a & b\end{array}", r"x_", r"\left<x\right>", "x")))


def test_a_link_within_the_app_is_words_alone():
    assert inline("[site](#term) [there](https://example.org)") == (
        '<a class="within">site</a> <a href="https://example.org">there</a>'
    )
