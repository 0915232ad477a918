"""Pictures beside a lesson: which are taken, and what is said of the others."""

import base64
import os
import re
from unicodedata import normalize

import pytest

from lessons.check.files import read_lesson
from lessons.course.library import Library
from lessons.format.pictures import LARGEST, PictureError, read_picture, with_pictures
from tests.lessons.format.sample import edited

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
ALT = "![three tables]({})"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "png"),
        (b"\xff\xd8\xff\xe0\xff\xd9", "jpeg"),
        (b"GIF89a;", "gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "webp"),
        (SVG, "svg+xml"),
        (b"\xef\xbb\xbf<svg/>", "svg+xml"),
    ],
)
def test_a_picture_is_known_by_its_content(tmp_path, data, kind):
    (tmp_path / "a picture.txt").write_bytes(data)
    head, _, body = read_picture(tmp_path, "a%20picture.txt").partition(",")
    assert head == f"data:image/{kind};base64"
    assert base64.b64decode(body) == data


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("none.png", "there is no picture none.png in the folder of this lesson"),
        ("folder", "there is no picture folder in the folder of this lesson"),
        ("../tables.png", "no picture can be shown from ../tables.png; put it beside the lesson"),
        ("/tables.png", "no picture can be shown from /tables.png; put it beside the lesson"),
        ("file:tables.png", "no picture can be shown from file:tables.png; put it beside the lesson"),
        ("data:image/png;base64,AAAA", "no picture can be shown from data:image/png;base64,AAAA; put it beside"),
        ("a%00.png", "a\0.png cannot be read: "),
        ("ö" * 300, f"{'ö' * 40} cannot be read: "),
        ("away.png", "away.png is outside the lesson's folder; copy it beside the lesson"),
        ("large.png", "large.png has 512,001 bytes; a picture has at most 512,000: save it smaller"),
        ("text.png", "text.png is not a picture that browsers show; save it as PNG, JPEG, SVG, WebP or GIF"),
        ("page.svg", "page.svg is not a picture that browsers show; save it as PNG, JPEG, SVG, WebP or GIF"),
        ("half.png", "half.png ends before the picture does; copy the file again"),
        ("half.webp", "half.webp ends before the picture does; copy the file again"),
        ("pictures\\tables.png", "a picture's folders have / between them; write pictures/tables.png"),
        ("open.svg", "open.svg is not valid SVG: no element found: line 1, column 5"),
    ],
)
def test_what_cannot_be_shown_is_refused(tmp_path, address, message):
    folder = tmp_path / "lessons"
    (folder / "folder").mkdir(parents=True)
    for name, data in {
        "../tables.png": PNG,
        "large.png": PNG + b"\0" * (LARGEST + 1 - len(PNG)),
        "half.png": PNG[:-20],
        "half.webp": b"RIFF\xff\0\0\0WEBPVP8 ",
        "text.png": b"<p>no",
        "page.svg": b"<html><svg/></html>",
        "open.svg": b"<svg>",
    }.items():
        (folder / name).write_bytes(data)
    (folder / "away.png").symlink_to(tmp_path / "tables.png")
    with pytest.raises(PictureError, match=re.escape(message)):
        read_picture(folder, address)


def lesson(folder, prose):
    (folder / "crp.md").write_text(edited("Only text.", prose))
    return read_lesson(folder / "crp.md")


def test_a_lesson_has_its_pictures_with_it(tmp_path):
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "my tables.png").write_bytes(PNG)
    web = ALT.format("https://example.org/a.png")
    reading = lesson(tmp_path, f"{ALT.format('<pictures/my tables.png>')} {web}")
    assert reading.problems == ()
    assert [*reading.lesson.pictures] == ["pictures/my tables.png"]
    assert reading.beside == (tmp_path / "pictures" / "my tables.png",)
    assert reading.lesson.steps[2].body.startswith("![three tables](<pictures/my tables.png>)"), "as it was written"


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        (ALT.format("tables.png"), "56:17: there is no picture tables.png in the folder of this lesson"),
        ("![](crp.md)", "56:5: this picture has no text for those who cannot see it; say what it shows: ![three "
         "tables](…)"),
        ("![a][1]\n\n[1]: crp.md", "56:1: the name of a picture follows its text: ![three tables](tables.png)"),
        ("- [x] ![a](https://b)\n  > c\n- [ ] d\n  > e\n\n```step\nkind: quiz\nat: 0\n```",
         "56:1: a picture in a choice would be no higher than its letters; put it above the choices"),
        ("[a](#mark:new)\n\n## ![a](https://b) {#b}\nb", "58:1: a title has no room for a picture; put it below"),
    ],
)  # fmt: skip
def test_a_picture_that_is_not_as_it_should_be_is_reported_at_its_place(tmp_path, prose, expected):
    path = tmp_path / "crp.md"
    assert str(lesson(tmp_path, prose).problems[0]) == f"{path}:{expected}"


@pytest.mark.parametrize(("written", "stored"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_picture_is_found_however_its_letters_are_composed(tmp_path, written, stored):
    path = tmp_path / normalize(stored, "Größe.png")
    path.write_bytes(PNG)
    reading = lesson(tmp_path, ALT.format(normalize(written, "Größe.png")))
    assert reading.problems == ()
    assert reading.beside == (path,)
    assert next(iter(reading.lesson.pictures.values())).startswith("data:image/png")


def test_pictures_are_put_in_where_text_shows_them_and_not_into_code():
    pictures = {"a b.png": "data:x"}
    for written in ("a%20b.png", "<a b.png>"):
        assert with_pictures(f"![c]({written}) d", pictures) == "![c](data:x) d"
    code = "`![c](a%20b.png)`\n```\n![c](a%20b.png)\n```\n\\![c](e) [c](a%20b.png)"
    assert with_pictures(code, pictures) == code


def test_a_picture_that_changes_changes_the_lesson(tmp_path):
    picture = tmp_path / "tables.png"
    lesson(tmp_path, ALT.format("tables.png"))
    library = Library([tmp_path])
    assert len(library.problems) == 1
    picture.write_bytes(PNG)
    library.refresh()
    assert library.problems == {}
    (first,) = library.lessons
    picture.write_bytes(SVG)
    os.utime(picture, ns=(1, 1))
    library.refresh()
    (second,) = library.lessons
    assert first.pictures != second.pictures
    picture.unlink()
    library.refresh()
    assert library.lessons == (second,), "the last valid version"
    assert len(library.problems) == 1
