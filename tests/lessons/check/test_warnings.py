"""Warnings for likely mistakes and dead ends, each at its place and with a remedy."""

from pathlib import Path

import pytest
import streamlit

from lessons.check.checker import inspect
from lessons.check.files import parse_lesson
from lessons.format.latex import COMMANDS, NOT_SHOWN, faults
from tests.lessons.format.sample import PATH, SAMPLE, check, edited, problems

NOWHERE = "a link leads to the web, https://…, to a lesson, #lesson:its-id, or to a mark, #mark:…"
MEANT = "this looks like a step block; begin it with ```step"
RUN = "```step\nkind: run\nuntil: 30\nexpect: {customers: 30}\n```"


def warnings(text, path=PATH):
    """The warnings of a text that is a valid lesson, as they are printed, without the path."""
    reading = parse_lesson(text, path)
    assert reading.lesson is not None
    assert all(str(warning).startswith(f"{path}:") for warning in reading.warnings)
    return [str(warning).removeprefix(f"{path}:") for warning in reading.warnings]


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("It costs $5 or $6.", [r"56:10: warning: the page sets '5 or ' as a formula; write \$ for a dollar sign"]),
        ("It costs $5, not$6.", [r"56:10: warning: the page sets '5, not' as a formula; write \$ for a dollar sign"]),
        (r"$\frac{1}{2$", ["56:10: warning: this { is not closed in its formula"]),
        (r"$\frac{1}2}$", ["56:11: warning: this } closes nothing in its formula"]),
        (r"$a$ and $\foo$", [r"56:10: warning: the page cannot draw \foo"]),
        (r"$\aplha$", [r"56:2: warning: the page cannot draw \aplha (did you mean \alpha?)"]),
        (r"$\href{a}{b}$", [r"56:2: warning: \href is not drawn in a formula; write links and pictures in Markdown"]),
        ("$$\n\\includegraphics{a}\n$$", [r"57:1: warning: \includegraphics is not drawn in a formula; write links "
                                          "and pictures in Markdown"]),
        (r"$\left( x$", [r"56:2: warning: this \left has no \right"]),
        (r"$x \right)$", [r"56:4: warning: this \right has no \left before it"]),
        (r"$\begin{aling}x\end{aling}$", ["56:2: warning: the page cannot draw the environment 'aling' (did you mean "
                                          "align?)", "56:16: warning: the page cannot draw the environment 'aling' "
                                          "(did you mean align?)"]),
        (r"$\begin{cases}x$", [r"56:2: warning: this \begin{cases} has no \end"]),
        (r"$x^2^3$", ["56:5: warning: this is a second ^ in a row; put the first with its base in braces"]),
        ("```yaml\nkind: run\nuntil: 30\n```", [f"56:1: warning: {MEANT}"]),
        ("[a coin](draws?methd=draws&seed=7)",
         ["56:10: warning: this link sets methd, which its topic lacks (did you mean 'method'?)"]),
        ("[a coin](draws?method=drawn)",
         ["56:10: warning: this link is not quite right: method was 'drawn', which is not one of draws, chain; it is "
          "draws."]),
        ("[here](http://localhost:8501/coin)",
         [f"56:8: warning: this address is that of the learner's own machine; {NOWHERE}"]),
    ],
)  # fmt: skip
def test_a_warning_stands_at_its_place(prose, expected):
    assert warnings(edited("Only text.", prose)) == expected


@pytest.mark.parametrize(
    "prose",
    [
        r"$\left( \frac{1}{2} \right)$, $\{1, 2\}$, $a_{i_j}^2$, $\log x$ and $k$th",
        "$$\n\\begin{align}\na &= b \\\\\n&= \\text{one \\% of it}\n\\end{align}\n$$",
        r"$\def\foo{x}\foo$ and `$\foo$` and \$5 or \$6",
        "$5$ or $6$, and $1 - 5$",
        "```python\nkind = 'run'\n```\n\n````markdown\n```step\nkind: run\n```\n````",
        "[web](https://example.org/a.md), <https://example.org>, [a](mailto:a@b.org), [c](#lesson:crp-one)",
        "[free play](draws?seed=7), $f[x](y)$",
        "| a | b |\n|---|---|\n| $x$ | 1 |\n\nA note.[^1]\n\n[^1]: It is [here](https://a.b).",
        ":::hint\nHere.\n:::",
    ],
)
def test_what_is_well_is_left_alone(prose):
    assert warnings(edited("Only text.", prose)) == []


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("[it](mixture-1.md)", "56:6: learners have no file mixture-1.md; a lesson is named by its id: #lesson:its-id"),
        ("[it](javascript:alert(1))", f"56:6: javascript: leads nowhere; {NOWHERE}"),
        ("[it](data:text/html,x)", f"56:6: data: leads nowhere; {NOWHERE}"),
        ("<vbscript:x>", f"56:2: vbscript: leads nowhere; {NOWHERE}"),
        ("[it](slides.pdf)", f"56:6: slides.pdf leads nowhere; {NOWHERE}"),
        ("[it][1]\n\n[1]: slides.pdf", f"56:1: slides.pdf leads nowhere; {NOWHERE}"),
        ("[it]()", f"56:6: this leads nowhere; {NOWHERE}"),
    ],
)
def test_a_link_that_leads_nowhere_is_a_problem(prose, expected):
    assert problems(edited("Only text.", prose)) == [expected]


def test_the_step_that_a_block_of_another_kind_is_meant_for_cannot_stand_without_it():
    assert problems(edited(RUN, RUN.replace("step", "yaml"))) == [f"41:1: {MEANT}"]
    assert problems(edited("```step\nkind: predict", "```\nkind: predict")) == [f"25:1: {MEANT}"]
    code = "Only text.\n\n```yaml\nkind: run\n```\n\n```step\nkind: explain\n```"
    assert warnings(edited("Only text.", code)) == [], "it shows one, and has one of its own"


@pytest.mark.parametrize(
    ("heading", "message"),
    [
        ("### Run {#run}", "this is not a step; a step begins with ##, not ###"),
        ("# Run {#run}", "the title of a lesson belongs in the front matter; a step begins with ##, not #"),
        ("# Run", "the title belongs in the front matter; a step begins with ##, not #"),
    ],
)
def test_a_heading_that_only_looks_like_a_steps_is_all_that_is_said(heading, message):
    assert problems(edited("## Run {#run}", heading)) == [f"38:1: {message}"]


def test_a_smaller_heading_with_an_id_keeps_its_choices_to_itself():
    question = "### Why {#why}\n- [x] a\n  > b\n- [ ] c\n  > d\n\n```step\nkind: quiz\nat: 0\n```\n\n## Look {#look}"
    assert problems(edited("## Look {#look}", question)) == ["55:1: this is not a step; a step begins with ##, not ###"]


def test_a_quote_that_is_not_indented_is_said_to_be_so_at_its_line():
    message = "indent this quote by two spaces, so that it belongs to its choice"
    assert problems(edited("  > Right.\n", "> Right.\n")) == [f"18:1: {message}"]
    assert problems(edited("  > Right.\n", "\n> Right.\n\n")) == [f"19:1: {message}"]
    both = SAMPLE.replace("  > ", "> ").replace("  >\n", ">\n")
    assert problems(both) == [f"18:1: {message}", f"21:1: {message}"]


def write(folder, name, prose="Only text.", track="clusters"):
    path = folder / f"{name}.md"
    path.write_text(
        edited("id: crp-one", f"id: {name}").replace("Only text.", prose).replace(": clusters", f": {track}")
    )
    return path


def found(path):
    return [str(warning) for reading in inspect([path]) for warning in reading.warnings]


def test_a_link_to_a_lesson_that_is_not_there_is_a_problem(tmp_path):
    write(tmp_path, "crp-two", "[a](#lesson:crp-three) and [b](crp_seating?lesson=crp-won&t=3).")
    one = write(tmp_path, "crp-one", "[a](#lesson:crp-two), [b](#lesson:coin-posterior).")
    said = [str(problem) for problem in check(tmp_path)]
    path = tmp_path / "crp-two.md"
    assert [line.partition(" (")[0] for line in said] == [
        f"{path}:56:5: there is no lesson 'crp-three'",
        f"{path}:56:32: there is no lesson 'crp-won'",
    ]
    assert "(did you mean 'crp-" in said[1]
    assert check(one) == [], "alone it is checked beside its neighbours and the lessons of the app all the same"


def test_a_file_that_is_linked_by_its_name_is_named_by_its_id(tmp_path):
    write(tmp_path, "crp-one")
    path = write(tmp_path, "crp-two", "[a](crp-one.md)")
    (problem,) = check(path)
    assert problem.message == "learners have no file crp-one.md; a lesson is named by its id: #lesson:crp-one"


def test_a_track_that_is_nearly_one_of_several_lessons_is_likely_misspelt(tmp_path):
    for name in ("a", "b"):
        write(tmp_path, name, track="Dirichlet-Prozesse")
    odd = write(tmp_path, "c", track="Dirichlet-prozese")
    write(tmp_path, "d", track="MCMC")
    message = "no other lesson has the track 'Dirichlet-prozese' (did you mean 'Dirichlet-Prozesse'?)"
    assert found(tmp_path) == [f"{odd}:6:8: warning: {message}"]
    assert found(odd) == [f"{odd}:6:8: warning: {message}"]


def test_the_place_of_what_a_run_does_not_end_with_is_that_of_its_name(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(edited("expect: {customers: 30}", "expect:\n  customers: 30\n  tables: 0"))
    (problem,) = check(path)
    assert (problem.line, problem.column) == (46, 3)


def test_the_commands_are_those_of_the_page():
    static = Path(streamlit.__file__).parent / "static" / "static" / "js"
    (bundle,) = static.glob("rehype-katex.*.js")
    text = bundle.read_text("utf-8")
    assert len(COMMANDS) > 900
    assert [name for name in sorted({*COMMANDS, *NOT_SHOWN}) if f"\\\\{name}" not in text] == []


def test_a_formula_of_many_braces_is_read_in_no_time():
    assert len(list(faults("{" * 20_000 + "x^" * 20_000))) >= 20_000


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("- [ ] It stays, as an\n  option", "- [ ] It  disappears:\n  $K - 1$ {#again}",
         ["19:1: warning: another choice of this question has the same words; learners cannot tell them apart"]),
        ("## Before {#predict}", "## Why it disappears: $K - 1$! {#predict}",
         ["14:1: warning: the heading has the right answer in it: 'It disappears: $K - 1$'"]),
        ("## Before {#predict}", "## It stays, as an option {#predict}", []),
        ("## Before {#predict}", "## It disappears {#predict}", []),
    ],
    ids=["same words", "heading", "heading with a wrong answer", "heading with a part"],
)  # fmt: skip
def test_choices_that_look_alike_and_a_heading_with_the_answer_are_warned_of(old, new, expected):
    assert warnings(edited(old, new)) == expected
