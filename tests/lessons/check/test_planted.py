"""Mistakes that authors make: each is reported once, at its line and with the remedy, and good text is left alone."""

import pytest

from lessons.check.files import parse_lesson
from lessons.check.runs import run_steps
from lessons.course.recorded import Seen, lesson_of
from lessons.format.leftover import icons
from lessons.format.placeholders import MESSAGE, SENTENCES
from lessons.topics import STAGES
from lessons.topics.crp_seating import CRPSeatingSettings
from pages.lesson.lessons import library
from tests.lessons.format.sample import PATH, SAMPLE, edited

TITLE, SETTINGS, PROSE = "title: One update", "stage_settings: {concentration: 1.0}", "Only text."
CHOICES = SAMPLE[SAMPLE.index("- [x] It") : SAMPLE.index("```step\nkind: predict")]
THEN = "then: {advance: 1, open: evening}"


def question(lines: str, more: str = "", advance: int = 30) -> str:
    """Return the sample with other choices in its question, whose first stands on line 17."""
    text = edited(CHOICES, lines + "\n\n").replace(THEN, f"then: {{advance: {advance}}}")
    return text.replace("lock: [step, play]", f"lock: [step, play]{more}")


def prose(text: str) -> str:
    """Return the sample with a text of its own, which begins on line 56."""
    return edited(PROSE, text)


MISTAKES = {
    # what a template wrote
    "write here": (prose("Write here what there is to see."), 56, "the template's text"),
    "hint": (edited("- one\n:::", "Write here what helps.\n:::"), 35, "the template's text"),
    "choice": (edited("It disappears: $K - 1$", "This happens"), 17, "the template's text"),
    "reason": (edited("> Right.", "> Why this is right."), 18, "the template's text"),
    "summary": (edited("[A point is", "[The second line., A point is").replace(", It is rem", " It is rem"), 12, "own"),
    "objective": (edited("say what is forgotten", "say here what a learner can do afterwards"), 8, "the template's"),
    "todo": (prose("TODO: an example"), 56, "the template's text"),
    # numbers of the run
    "format of a program": (edited("Some.", "{tables:.1f}"), 39, "write {tables:1} for the number"),
    "at sign": (prose("{tables@30}"), 56, "write {tables at 30} for the number"),
    "two braces": (edited("Some.", "{{tables}}"), 39, "write {tables} for the number"),
    "index": (prose("{tables[30]}"), 56, "write {tables at 30} for the number"),
    "equals": (prose("{tables at t=30 : .2f}"), 56, "write {tables at 30:2} for the number"),
    "id without its sign": (edited("{#look}", "{look}"), 55, "an id has a # before it: {#look}"),
    # LaTeX
    "round brackets": (prose(r"With \(\alpha\) fixed"), 56, r"write $\alpha$"),
    "square brackets": (prose(r"\[x^2 = \alpha\]"), 56, r"write $$x^2 = \alpha$$"),
    "bold": (prose(r"\textbf{bold}"), 56, "write **bold**"),
    "emphasis": (prose(r"\emph{so}"), 56, "write *emphasis*"),
    "environment": (prose("\\begin{equation}\nx = \\alpha\n\\end{equation}"), 56, "between $$ on lines of their own"),
    "command": (prose(r"the weight \alpha grows"), 56, r"write $\alpha$"),
    "fraction": (prose(r"about \frac{1}{2}"), 56, r"write $\frac{…}$"),
    "command in braces": (prose(r"the {\mu} of it"), 56, r"write $\mu$"),
    "comment": (prose("It is $50 % of$ all"), 56, r"write \%"),
    "raised": (prose("n^2^ customers"), 56, "write $x^2$ or $x_1$"),
    "power": (prose("about n^2 customers"), 56, "write $x^2$ or $x_1$"),
    "lowered": (prose("where x_1 is small"), 56, "write $x^2$ or $x_1$"),
    "tilde": (prose("H~2~O"), 56, r"write $x_1$ or \~"),
    # links, pictures, notes
    "picture with a blank": (prose("![a](my pic.png)"), 56, "write <my pic.png> or my%20pic.png"),
    "picture with a backslash": (prose(r"![a](pics\tables.png)"), 56, "write pics/tables.png"),
    "picture of another size": (prose("![a](https://b.c/d){width=50%}"), 56, "attributes in braces are shown"),
    "picture that pages refuse": (prose("![a](http://b.c/d.png)"), 56, "write https://"),
    "link with a blank": (prose("[x](https://a.org/my file)"), 56, "https://a.org/my%20file"),
    "link of nobody": (prose("see [x][nope]"), 56, "no line says where [nope] leads"),
    "link of a wiki": (prose("see [[rich-5]]"), 56, "write [words](#lesson:its-id)"),
    "link with a gap": (prose("[so] (https://a.org)"), 56, "no blank goes between ] and ("),
    "link the wrong way round": (prose("(so)[https://a.org]"), 56, "a link is [words](address)"),
    "note that is not there": (prose("text[^1]"), 56, "no note belongs to [^1]"),
    "note of nobody": (prose("text\n\n[^1]: A note."), 58, "no text of this step refers to this note"),
    # Markdown
    "bold that is open": (prose("so **bold"), 56, r"close it, or write \*\* for the sign"),
    "bold with blanks": (prose("a\n** bold"), 57, r"close it, or write \*\*"),
    "emphasis that is open": (prose("it is *so"), 56, r"close it, or write \* for the sign"),
    "code that is open": (prose("the `code"), 56, "close it, or write"),
    "struck out": (prose("~~gone"), 56, r"write \~\~ for the sign"),
    "marked": (prose("==this=="), 56, "write **bold**"),
    "table without its line": (prose("| a | b |\n| 1 | 2 |"), 56, "this is no table for the page"),
    "table with fewer cells": (prose("| a | b |\n|---|\n| 1 | 2 |"), 56, "with as many cells"),
    "heading without a blank": (prose("###Smaller"), 56, "a heading has a blank after its #"),
    "step without a blank": (prose("##Next {#next}"), 56, "a blank goes after ##: ## Next {#next}"),
    "heading of two lines": (prose("Title\n====="), 57, "begin a step with ##"),
    "id in the text": (prose("Here {#here} it is"), 56, "an id goes at the end of a step's heading"),
    "bullets": (prose("• one"), 56, "an item of a list begins with - and a blank"),
    "dashes": (prose("– one\n– two"), 56, "an item of a list begins with -"),
    "numbers": (prose("1.one\n2.two"), 56, "an item of a list begins with - or 1."),
    "colour": (prose(":greeen[x]"), 56, "unknown colour 'greeen' (did you mean 'green'?)"),
    "colour that is open": (prose(":green[x"), 56, "this :green[ is not closed"),
    "colour with a blank": (prose(":green [x]"), 56, "no blank goes between :green and its bracket"),
    "icon": (prose(":material/casinoo:"), 56, "unknown icon 'casinoo' (did you mean 'casino'?)"),
    "icon that is open": (prose(":material/casino"), 56, "an icon ends with a colon"),
    "sign of HTML": (prose("a &nsbp; b"), 56, "there is no sign &nsbp;"),
    "note of GitHub": (prose("> [!NOTE]\n> So."), 56, "write **Note.**"),
    "note of another program": (prose("!!! note"), 56, "a hint begins with ::: hint"),
    "colons in a line": (prose("so ::: hint"), 56, "on a line of its own"),
    # choices
    "dash for a hyphen": (edited("- [ ] It stays", "– [ ] It stays"), 19, "begin it with a hyphen, a blank"),
    "right one with a dash": (edited("- [x] It", "– [x] It"), 17, "begin it with a hyphen, a blank"),
    "no-break space": (edited("- [ ] It stays", "-\u00a0[ ] It stays"), 19, "begin it with a hyphen, a blank"),
    "no blank": (edited("- [ ] It stays", "-[ ] It stays"), 19, "begin it with a hyphen, a blank"),
    "no hyphen": (edited("- [x] It", "[x] It"), 17, "begin it with a hyphen, a blank"),
    "one half twice": (
        question("- [x] 1/2\n  > a\n- [ ] 2/4\n  > b\n- [ ] 1/3\n  > c"), 19, "'2/4' is the same number as '1/2'",
    ),
    "run that stops before": (
        question("- [x] 0\n  > a\n- [ ] else\n  > b", "\nnumber: {outcome: customers}", 0)
        .replace("Point 2 sits alone", "How many will there be with customer 60?")
        .replace("then: {advance: 0}", "hide: [trace]"),
        24, "speaks of customer 60, and the answer is that of customer 0; let then advance by 60",
    ),
    # YAML
    "cut by a hash": (edited(TITLE, "title: Rich # get richer"), 4, "only 'Rich'; put the whole text in quotes"),
    "summary cut": (
        edited("[A point is forgotten, A seat is drawn, It is remembered]", "\n  - A # b\n  - C\n  - D"), 13,
        "learners read only 'A'",
    ),
    "quotes of a word processor": (edited(TITLE, "title: “One update”"), 4, "write straight ones"),
    "decimal comma": (edited("{concentration: 1.0}", "{concentration: 5,5}"), 9, "write 5.5, with a point"),
    "decimal comma on a line": (edited(SETTINGS, "stage_settings:\n  discount: 0,5"), 10, "write 0.5, with a point"),
    "zero-width space": (edited(TITLE, "ti\u200btle: One"), 4, "an invisible sign here (U+200B"),
    "no-break space in YAML": (edited(TITLE, "title:\u00a0One"), 4, "an invisible sign here (U+00A0"),
    "invisible sign in a setting": (edited("{concentration", "{con\u00adcentration"), 9, "invisible sign here (U+00AD"),
    "indented less": (edited(SETTINGS, "stage_settings:\n  discount: 0.5\n door: stick"), 11, "indent it as they are"),
    "indented more": (edited("minutes: 12", "  minutes: 12"), 7, "indent it as they are"),
    "no colon": (edited("minutes: 12", "minutes 12"), 7, "a line has a key, a colon and a value"),
    "text behind quotes": (edited(TITLE, 'title: "One" update'), 4, "put all of it in quotes"),
    "list on the line of its key": (edited("[say what is forgotten]", "- say"), 8, "a list begins on a line of"),
    # invisible signs
    "bell": (prose("a\x07b"), 56, "U+0007"),
    "letter that was lost": (prose("Gr\ufffd\u00dfe"), 56, "type it anew"),
    "direction turned round": (prose("a \u202eb"), 56, "U+202E, right-to-left override"),
}  # fmt: skip

SILENT = {
    "emphasis": prose("*a* **b** ***c*** _d_ __e__ ~~f~~ a*b*c"),
    "code": prose("`**`, `{tables:.1f}`, ``a ` b``, `\\textbf{x}`, `==x==` and `[x][y]`"),
    "block of code": prose("```\n**a [x][y] \\textbf{b} ==c==\n| a |\nWrite here\n- [x] a\n```"),
    "indented code": prose("So:\n\n    ##Title {#x}\n    **a"),
    "formulas": prose(r"$x_1^2$, $\textbf{a}$, $\{a\}_b$, **$x$**, $5\%$ and $$\begin{aligned}a_1\end{aligned}$$"),
    "signs that are escaped": prose(r"\*a, \_b, \`c, \[d\](e), 5\$, \#f, \~g, \{tables}, \\alpha"),
    "brackets that are escaped": prose(r"\[1, 2\] and \(so\] or \[a\](b)"),
    "stars and lines in numbers": prose("2 * 3 * 4, snake_case, a__b__c, ____ and 5 - 3 = 2"),
    "comparisons": prose("a < b > c, a == b, a != b, x >= 3 & y | z, <- -> and ~="),
    "tildes": prose("about ~5 or ~6 of them"),
    "sets": prose("{1, 2}, {x, y}, {} and {0: 1}"),
    "intervals": prose("[0, 1], (0, 1], f(x)[0] and [sic]"),
    "table": prose("| a | b |\n|---|:-:|\n| $x$ | **1** |"),
    "table without its rims": prose("a | b\n--- | ---\n1 | 2"),
    "table below a line": prose("So it is:\n\n| a |\n|---|\n| 1 |"),
    "note": prose("A note.[^1] Another.[^b]\n\n[^1]: It is [here](https://a.b).\n[^b]: Why."),
    "note of one word": prose("A note.[^1]\n\n[^1]: Why."),
    "link with a name": prose("See [here][a] and [there].\n\n[a]: https://a.b\n[there]: https://c.d 'So'"),
    "links": prose("[a](https://b.c/d_e_f), <https://a.b/c^d>, https://a.b/c_d, [x](<https://a.b/c d>)"),
    "colours": prose(":green[a **b** $c$], :red-background[[x](https://a.b)], :small[y] and :blue-badge[z]"),
    "own colour": prose(':color[x]{foreground="red"}'),
    "icons": prose(":material/casino: and :material/10k:"),
    "times and ratios": prose("At 12:30, 3:1, a:b, note: [so] and 10::20"),
    "signs of HTML": prose("a &amp; b &nbsp; &lt; R&D &#8212; so"),
    "paths": prose("C:\\Users\\me and 50 % of it"),
    "dialogue": prose("– And then?"),
    "item that begins with a number": prose("3.5 of them\n4.5 of those"),
    "line that begins with a hash": prose("#1 of all and #2"),
    "smaller heading": prose("### Smaller\n\nSo."),
    "lists": prose("- a\n- b\n\n1. c\n2. d\n\n* e"),
    "boxes in a sentence": prose("Tick the box [x] to go on."),
    "star for a bullet": SAMPLE.replace("- [x] It", "* [x] It").replace("- [ ] It", "* [ ] It"),
    "bold choice": edited("It disappears: $K - 1$", "**It** disappears {#gone}"),
    "different numbers": question("- [x] 1/2\n  > a\n- [ ] 1/3\n  > b"),
    "equal numbers with words": question("- [x] 1/2, as before\n  > a\n- [ ] 2/4, by chance\n  > b"),
    "question about its end": question(
        "- [x] 30\n  > a\n- [ ] else\n  > b", "\nnumber: {outcome: customers}"
    ).replace("Point 2 sits alone", "How many will there be at the end, after 10 customers?"),
    "comment in the front matter": edited(TITLE, "title: One update  # of the first week"),
    "comment behind quotes": edited(TITLE, 'title: "Rich" # get richer'),
    "hash in a word": edited(TITLE, "title: C#, or a#b"),
    "comment behind an id": edited("id: crp-one", "id: crp-one # stays"),
    "quotation in quotes": edited(TITLE, 'title: "“All models are wrong”"'),
    "quotation within a title": edited(TITLE, "title: What “rich” means"),
    "no-break space in a text": edited(TITLE, "title: One\u00a0update"),
    "Windows": SAMPLE.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + SAMPLE,
    "Persian, Arabic": prose("می\u200cخواهم \u200f(أ)\u200e"),
    "soft hyphens": prose("Markov\u00adketten"),
    "words of the template": prose("What would you write here? That happens often. This happens twice."),
    "emoji": prose(":smile: and 🙂"),
}  # fmt: skip


def reports(text: str) -> list[tuple[int, str]]:
    """Return the problems and warnings of a text, with those of its runs, each as its line and message."""
    reading = parse_lesson(text, PATH)
    ran = run_steps(reading.lesson) if reading.lesson else []
    return [(one.line, one.message) for one in (*reading.problems, *reading.warnings, *ran)]


def test_there_are_enough_of_both():
    assert len(MISTAKES) >= 60
    assert len(SILENT) >= 35


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_reported_once_at_its_line_with_the_remedy(name):
    text, line, words = MISTAKES[name]
    found = reports(text)
    assert [place for place, _ in found] == [line], found
    assert words in found[0][1]


@pytest.mark.parametrize("name", SILENT)
def test_good_text_is_left_alone(name):
    assert reports(SILENT[name]) == []


def test_nothing_is_said_of_a_number_of_the_run_while_the_front_matter_has_a_problem():
    """Of no lesson with such numbers, whatever is wrong above: the right answer of a guess would be none."""
    checked = 0
    for lesson in library().lessons:
        if not any(step.measured for step in lesson.steps):
            continue
        text = lesson.path.read_text("utf-8")
        below = text[: text.index("\n---\n", 3)].count("\n") + 1
        for old, new in (("\ntitle:", "\ntitel:"), ("\nminutes: ", "\nminutes: 999"), ("\nstage:", "\nstaeg:")):
            found = parse_lesson(text.replace(old, new, 1), lesson.path).problems
            assert found, (lesson.id, new)
            assert [problem for problem in found if problem.line > below] == [], (lesson.id, new)
            checked += 1
    assert checked > 10


def test_a_lesson_of_moments_has_texts_to_replace():
    text = lesson_of([Seen(CRPSeatingSettings(), 1, 5, next(iter(STAGES["crp_seating"].views)))])
    warned = [message for _, message in reports(text)]
    assert warned == [MESSAGE] * (len(SENTENCES) + 2)


def test_the_icons_are_those_of_the_page():
    from streamlit.material_icon_names import ALL_MATERIAL_ICONS

    assert icons() == ALL_MATERIAL_ICONS
