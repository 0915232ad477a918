"""Prose: what the page would show otherwise than the author means."""

import pytest

from tests.lessons.format.sample import edited, problems

DOLLAR = r"this $ is not closed in its paragraph; write \$ for a dollar sign"
PICTURE = "this picture has no text for those who cannot see it; say what it shows: ![three tables](…)"
BESIDE = "put it beside the lesson, ![…](tables.png), or on the web, ![…](https://…)"
NUMBER = "56:7: N stands for a number: #mark:table-1, say"
UNKNOWN = "56:{}: unknown mark '{}' (did you mean 'table-N'?)"
HTML = "HTML is not shown by the page; write Markdown (and ::: instructor for a comment)"
MARKUP = r"this formula would bring markup into the page; write \lt for < and \& for &, outside of \text{…}"

MISTAKES = [
    (r"$a<b$ and $\tag{<img src=x onerror=y>}$", [f"56:12: {MARKUP}"]),
    ("It costs $3.", [f"56:10: {DOLLAR}"]),
    ("Where $x$ and\nthen $y.", [f"57:6: {DOLLAR}"]),
    ("$a\n\nb$", [f"56:1: {DOLLAR}", f"58:2: {DOLLAR}"]),
    ("- deep\n  - $x", [f"57:5: {DOLLAR}"]),
    ("> a\n> $x", [f"57:3: {DOLLAR}"]),
    ("`` ` `` $x", [f"56:9: {DOLLAR}"]),
    ("$$x$", [r"56:1: this $$ is not closed in its paragraph; write \$ for a dollar sign"]),
    ("::: hint\n$x\n:::", [f"57:1: {DOLLAR}"]),
    ("a ![](http://b.c/d) ![ ](https://e)", [f"56:7: {PICTURE}", f"56:26: {PICTURE}"]),
    ("a ![b](../c.png)", [f"56:8: no picture can be shown from ../c.png; {BESIDE}"]),
    ("![b]()", [f"56:6: no picture can be shown from nowhere; {BESIDE}"]),
    ("a <b>bold</b>", [f"56:3: {HTML}"]),
    ("<div>\nx\n</div>", [f"56:1: {HTML}"]),
    ("<!-- a comment -->", [f"56:1: {HTML}"]),
    ("[it](#mark:tabel-2)", ["56:6: unknown mark 'tabel-2' (did you mean 'table-N'?)"]),
    ("a [b](#mark:table-N) [c](#mark:table-0)", [NUMBER, UNKNOWN.format(26, "table-0")]),
    ("::: hint\n[it](#new)\n:::", ["57:6: #new leads nowhere; a link on the page points at a mark: #mark:…"]),
    ("a\nb <br> c <br>", [f"57:3: {HTML}", f"57:10: {HTML}"]),
]


@pytest.mark.parametrize(("text", "expected"), MISTAKES, ids=[text for text, _ in MISTAKES])
def test_a_mistake_is_reported_at_its_place(text, expected):
    assert problems(edited("Only text.", text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        r"$\alpha_1 * b_1$ and $$\sum_{k} \$ n_k$$",
        r"$a\\$ costs \$5",
        "`$`, ``a ` $``, `![](x)` and `<b>`",
        "```\n$ <b> ![](x)\n```",
        "$x <b> y$",
        "$$\na < b\n$$",
        "![three tables](https://example.org/a.png), <https://example.org>",
        "[a](#mark:new), [b](#mark:table-12) and **[c](#mark:dart)**",
        "a < b > c",
        "### A smaller heading\n\n***\n\n| a | b |\n|---|---|\n| $x$ | 1 |",
    ],
)
def test_good_prose_is_left_alone(text):
    assert problems(edited("Only text.", text)) == []


def test_a_file_that_is_no_lesson_gives_a_list_that_can_be_read():
    found = problems(edited("Only text.", "a <b>\n" * 1_000))
    assert len(found) == 101
    assert found[-1] == "155:3: and 900 more problems from here on"
