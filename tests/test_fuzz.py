"""Whatever comes in as a lesson, a link, a file or a setting is taken or refused: nothing is raised, and nothing hangs.

``make test`` tries a few, the same ones every time; ``make fuzz`` tries thousands.
"""

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, get_args
from urllib.parse import parse_qsl

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from lessons.chains.chains import MOST_CHAINS, MOST_DRAWS
from lessons.data.csv_text import OwnDataError
from lessons.data.layout import SEPARATORS, How
from lessons.format.glossary import marked
from lessons.own.draws import CHAINS
from lessons.own.taking import Choice, Taking
from lessons.settings.settings import SEED_HIGH, SEED_LOW, flags_of, limits
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.lesson.lessons import FOLDER, library
from pages.lesson.state import OWN_KEYS, Visit
from samplers.judge.bank import PROBLEMS
from samplers.judge.rule import RuleError
from samplers.judge.verdict import judge
from tests.edits import HOSTILE, LESSONS, edited
from tests.lessons.chains import files as chains
from tests.lessons.data.workbooks import workbook
from tests.lessons.format.used import used
from tests.pages.html import words
from tests.pages.topics.few import predict_little, show_little
from tests.samplers.judge.rules import CASES

LONGEST = 20  # seconds for one input: much longer than any takes, and short for a hang


def examples(few: int, many: int) -> Callable:
    """Return how many inputs a test tries: few, or many under ``make fuzz``; the same ones each time."""
    return settings(
        max_examples=many if "FUZZ" in os.environ else few,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@contextmanager
def no_hang() -> Iterator[None]:
    def hangs(*_: object) -> None:
        raise TimeoutError(f"no answer within {LONGEST} s")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_a_hang_would_be_seen(monkeypatch):
    monkeypatch.setitem(globals(), "LONGEST", 1)
    with pytest.raises(TimeoutError), no_hang():
        signal.pause()


def changed(texts: list, pieces: st.SearchStrategy) -> st.SearchStrategy:
    """Return good texts or bytes, each cut and pieced together anew in up to four places."""
    longest = max(map(len, texts))
    place, some = st.integers(0, longest), st.integers(0, 80)
    slices = st.tuples(st.sampled_from(texts), place, some).map(lambda cut: cut[0][cut[1] : cut[1] + cut[2]])
    edits = st.lists(
        st.tuples(place, some | st.just(0), st.one_of(pieces, slices, slices.map(lambda x: 3 * x))), max_size=4
    )

    def apply(text: str | bytes, edits: list) -> str | bytes:
        for start, removed, piece in edits:
            start %= len(text) + 1
            text = text[:start] + piece + text[start + removed :]
        return text

    return st.builds(apply, st.sampled_from(texts), edits)


# ---- lessons ---------------------------------------------------------------------------------------------------------

QUICK = [text for text in LESSONS if re.search("^stage: (coin|draws|crp_seating|ibp_buffet|laplace_line)$", text, re.M)]
COURSES = [path.read_text("utf-8") for path in sorted(FOLDER.glob("*course.yaml"))]
GLOSSARY = (FOLDER / "glossary.md").read_text("utf-8")
PIECES = st.sampled_from(HOSTILE) | st.text(max_size=6)


@given(changed(LESSONS, PIECES))
@examples(150, 20_000)
def test_changed_lessons(text):
    with no_hang():
        used(text, Path("lessons/changed.md"), library().terms, run=False)


@given(st.integers(0, 2**32))
@examples(150, 10_000)
def test_edited_lessons(number):
    with no_hang():
        used(edited(Random(number), None if "FUZZ" in os.environ else QUICK), Path("lessons/changed.md"))


@given(changed(COURSES, PIECES))
@examples(100, 10_000)
def test_changed_courses(text):
    with no_hang():
        used(text, Path("lessons/course.yaml"))


@given(changed([GLOSSARY], PIECES))
@examples(50, 2_000)
def test_changed_glossaries(text):
    with no_hang():
        terms = used(text, Path("lessons/glossary.md")).terms
        assert len(marked(tuple(LESSONS[:2]), terms)) == 2


# ---- rules -----------------------------------------------------------------------------------------------------------

TOKENS = st.sampled_from(
    ["n", "fit", "alpha", "fit_new", "gammas", "p", "p_there", "q", "q_back", "0", "1", "2.5", "1e400", "9" * 60,
     "+", "-", "*", "/", "**", "//", "%", "@", "~", "<", "<=", "==", "!=", "=", ":=", "(", ")", ",", "[", "]", "{", "}",
     " if ", " else ", " for ", " in ", "lambda:", "sum", "max", "min", "exp", "log", "sqrt", "lgamma", ".", ":", "*n",
     "__import__", "'", '"', "\\", "\n", "#", ";", "\x00", "α", "×", "−", "…", "ｎ", "not ", " and ", "True", "1j",
     "0x1f", "await "]
)  # fmt: skip
RULES = [case.texts for case in CASES]
LINES = st.one_of(
    st.lists(TOKENS, max_size=30).map("".join),
    changed([text for texts in RULES for text in texts], TOKENS | st.text(max_size=4)),
    st.text(max_size=450),
)


@given(st.sampled_from(["metropolis-grid", "crp-seating", "stan-pr-z", "logistic-gradient", "lda-word"]), LINES, LINES)
@examples(400, 100_000)
def test_rules_are_judged_or_refused(name, text, other):
    problem, found = PROBLEMS[name], None
    with no_hang():
        try:
            found = judge(problem, [text, other][: len(problem.lines)])
        except RuleError as error:
            found = error
        if isinstance(found, RuleError):
            assert str(found)
            assert found.column >= 1
        else:
            assert found.text
            assert 0 <= found.score <= 1


# ---- links -----------------------------------------------------------------------------------------------------------

VALUES = st.one_of(
    st.text(max_size=30),
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(
        [
            "",
            "1e400",
            "-0",
            "0x1F",
            "0123456789abcdef" * 2,
            "١٢",
            "9" * 5_000,
            "nan",
            "\x00",
            "%00",
            "<script>",
            "{}",
            "../..",
            "None",
        ]
    ),
    st.sampled_from(
        [name for lesson in library().lessons for name in (lesson.id, *(step.id for step in lesson.steps))]
    ),
)


@st.composite
def links(draw: st.DrawFn) -> tuple[str, list[dict[str, str]]]:
    """Return a stage, and what the address bar holds one after the other."""
    stage = draw(st.sampled_from(sorted(STAGES)))
    fields = STAGES[stage].model_fields
    good = {name: st.just(str(field.default)) for name, field in fields.items()}
    lessons = st.sampled_from([(lesson.id, step.id) for lesson in library().for_stage(stage) for step in lesson.steps])
    link = st.builds(
        lambda some, step, bad: {**some, **dict(zip(("lesson", "step"), step, strict=False)), **bad},
        st.fixed_dictionaries({}, optional=good),
        lessons | st.just(()),
        st.dictionaries(st.sampled_from([*fields, *OWN_KEYS]) | st.text(max_size=8), VALUES, max_size=5),
    )
    return stage, draw(st.lists(link, min_size=1, max_size=4))


def where(place: Visit) -> tuple:
    return place.settings, place.seed, place.t, place.lesson, place.step, place.view


@given(links())
@examples(200, 5_000)
def test_hostile_links_in_a_row_and_back(asked):
    stage, rows = asked

    def begun() -> Visit:
        return Visit(stage, STAGES[stage](), view=next(iter(STAGES[stage].views)))

    place = begun()
    for values in rows:
        with no_hang():
            place.follow(values)
            type(place.settings).model_validate(place.settings.model_dump())
            assert SEED_LOW <= place.seed <= SEED_HIGH
            assert 0 <= place.t <= place.settings.iterations
            assert place.view in place.settings.views
            assert all(0 < len(note) < 300 for note in place.notes)
            back = begun()
            back.follow(dict(parse_qsl(f"{place.link()}&t={place.t}", keep_blank_values=True)))
            assert where(back) == where(place)
            assert back.notes == []


# ---- files -----------------------------------------------------------------------------------------------------------

FILES = [
    b"ham\tCall me at 5, will you?\nspam\tWIN a prize now!!!\nham\tok\n",
    b'label,text\nham,"He said ""no"", twice"\nspam,"two\nlines"\n?,what\n',
    b"text;type\nhello;a\nbye;b\n",
    b"Just a message\nand another one\n",
    b"x,y\n1.5,2\n-3,4e2\n5,NA\n7,8\n",
    b"a;b;c\n1,5;2,5;x\n3,5;4,5;y\n5,5;6,5;z\n",
    "größe\t重さ\n1\t2\n3\t4\n5\t6\n".encode("utf-16"),
    b"1\n2\n3\n4\n",
    b"# one\n# x y\n1 2\n3 4\n5 6\n",
    b'"a" "b"\n"1" 1.5 2\n"2" 2.5 3\n"3" 3.5 4\n',
    b"city\trent\nA\t1,150\nB\t980\nC\t1,420\n",
    b"region,1990,2000\nA,1.5,2\nB,2.5,3\nC,3.5,4\n",
    b'{"text": "hello", "label": "a"}\n{"text": "bye", "label": "b"}\n',
    b"__label__a hello you\n__label__b bye\n",
    b"label|text\na|hello, you\nb|bye\na|so\n",
    b"x;y\n1.150,5;1 000\n2.300;2 000\n3.125;$3\n",
    b'[{"text": "so", "at": {"x": 1, "y": [2]}}, {"text": "no", "at": {"x": 2}}, {"text": "yes", "at": {"x": 4}}]',
    b'{"x": {"0": 1, "1": 2, "2": 4}, "y": {"0": 1, "1": 3, "2": 5}}',
    b",before,,after\nid,cm,kg,cm\n1,5,6,7\n2,6,7,8\n3,7,9,9\n",
    b'"a,b"\n"1,""2"""\n"3,4"\n"5,7"\n',
    b"a: hello you\nb: so it goes\na: no\nb: yes\n",
    "слово;вес\nкот;1\nпёс;2\nёж;4\n".encode("cp1251"),
    "label,text\n好,今天 天气\n坏,今天 下雨\n".encode("gb18030"),
    workbook({"a": [["x", "y"], [1, 2.5], [3, "4,5"], [5, None]], "b": [["text", "label"], ["so", "p"], ["no", "q"]]}),
]
BYTES = st.binary(max_size=6) | st.sampled_from(
    [b"\t", b",", b";", b"\n", b"\r\n", b"\r", b'"', b'""', b"'", b"\xef\xbb\xbf", b"\xff\xfe", b"\xe9", b"\x81",
     b"\x00", b"\x0c", b"\xc2\x85", b"\xe2\x80\xa8", b"&amp;", b"&#13;", b"1e999", b"-inf", b"1,5", b"1_0",
     b"PK\x03\x04", b'"' * 999, b"," * 999, b"\n" * 999, b"9" * 999, b"\x1f", b"\xed\xa0\x80"]
)  # fmt: skip


HOWS = st.builds(
    How,
    st.sampled_from(["", "UTF-8", "Windows-1252", "UTF-16", "Shift JIS"]),
    st.sampled_from(["", "", *SEPARATORS, ":", "\n"]),
    st.sampled_from(["", ".", ","]),
    st.sampled_from([None, True, False]),
    sheet=st.sampled_from(["", "b", "c"]),
)
TAKES = [*{id(takes): takes for model in STAGES.values() if isinstance(takes := model.takes, Taking)}.values()]


@given(changed(FILES, BYTES), HOWS)
@examples(200, 4_000)
def test_changed_files_however_they_are_read(raw, how):
    with no_hang():
        for takes in TAKES:
            with suppress(OwnDataError):
                sheet = takes.read(raw, "own.csv", how)
                sheet = sheet.retyped(dict.fromkeys(sheet.names[:1], "number"))
                assert takes.make(sheet, Choice()).notes


# ---- chains ----------------------------------------------------------------------------------------------------------

CHAIN_FILES = [
    chains.cmdstan(0),
    chains.cmdstan(1, saved=3),
    chains.table(),
    chains.table(";", ","),
    chains.as_parquet(),
    chains.classic(),
    chains.zipped({"a.csv": chains.cmdstan(0), "b.csv": chains.cmdstan(1)}),
]
NETCDF = [chains.netcdf(), chains.netcdf(warm=True)]
STORES = [chains.entries(chains.zarr_of(version)) for version in (2, 3)]


def taken_or_refused(raw: bytes) -> None:
    """Take chains of a file, within the limits, or refuse them in a sentence."""
    with suppress(OwnDataError):
        data, notes = CHAINS.take(raw, "own", Choice())
        assert notes
        assert data.values.shape == (*data.divergent.shape, len(data.names))
        assert len(data.values) <= MOST_CHAINS
        assert data.divergent.shape[1] - data.warmup <= MOST_DRAWS


@given(changed(CHAIN_FILES, BYTES))
@examples(100, 6_000)
def test_changed_chains(raw):
    with no_hang():
        taken_or_refused(raw)


@given(changed(NETCDF, BYTES))
@examples(4, 400)
def test_changed_netcdf(raw):
    with no_hang():
        taken_or_refused(raw)


@given(st.sampled_from(STORES), st.data())
@examples(60, 6_000)
def test_a_changed_file_of_a_zarr_store(store, data):
    name = data.draw(st.sampled_from(sorted(store)))
    content = data.draw(
        changed([store[name]], BYTES | st.sampled_from([b"-1", b"1e9", b"null", b"[]", b"{", b"9" * 12]))
    )
    with no_hang():
        taken_or_refused(chains.zipped(store | {name: content}))


# ---- controls --------------------------------------------------------------------------------------------------------

PATIENCE = 0.5  # seconds of computing for one film or card; what takes longer comes in slices, and is not waited for


def set_anyhow(topic: str) -> st.SearchStrategy:
    """Give settings of a topic with some controls turned to their ends or anywhere between."""

    def values(field: FieldInfo) -> st.SearchStrategy:
        if options := get_args(field.annotation):
            return st.sampled_from([option for option in options if option != "own"])
        number: Any = field.annotation
        (low, high), step = limits(field), flags_of(field)["step"]
        last = round((high - low) / step)
        notch = st.sampled_from([0, last]) | st.integers(0, last)
        return notch.map(lambda place: number(min(high, round(low + place * step, 6))))

    known = STAGES[topic]
    controls = {name: values(known.model_fields[name]) for name in known.controls if name != "seed"}
    return st.fixed_dictionaries({}, optional=controls).map(lambda chosen: known(**chosen))


def waited(make: Callable[[], Any]) -> Any:
    """Return the result of a function that computes in slices, or None if it takes too many."""
    end = time.thread_time() + PATIENCE
    while time.thread_time() < end:
        try:
            return make()
        except NotYet:
            continue
    return None


@pytest.mark.parametrize("topic", STAGES)
def test_whatever_the_controls_are_set_to_there_are_pictures_and_cards(topic, monkeypatch):
    show_little(monkeypatch)
    predict_little(monkeypatch)

    @given(set_anyhow(topic), st.integers(SEED_LOW, SEED_HIGH), st.integers(0, 5))
    @examples(4, 400)
    def shows(chosen, seed, t):
        stage = stage_of(topic)
        film = None if stage.missing(chosen) or chosen.many else waited(lambda: stage.film(chosen, seed))
        if film is None or waited(lambda: film.reach(min(t, film.total)) or True) is None:
            return
        t = min(t, film.total)
        assert film.packed(t, t + 1)
        if film.still:
            waited(lambda: film.still(t))
        for view in chosen.views.keys() - {"code"}:
            html = waited(lambda view=view: stage.written(chosen, seed, view, t))
            assert not re.search(r"\bnan\b|Infinity", words(html or "")), view

    shows()
