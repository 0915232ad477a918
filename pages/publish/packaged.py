"""A published course as one file: to hand out, or as a package for a learning platform (SCORM 1.2, or xAPI)."""

import hashlib
import re
import zipfile
from collections.abc import Mapping, Sequence
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from pages.publish.messages import Course, OnMap, Section

NAMES = {
    "": "http://www.imsproject.org/xsd/imscp_rootv1p1p2",
    "adlcp": "http://www.adlnet.org/xsd/adlcp_rootv1p2",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
}
TINCAN = "http://projecttincan.com/tincan.xsd"
XSDS = ("imscp_rootv1p1p2.xsd", "adlcp_rootv1p2.xsd")
TAG = re.compile("<[^>]*>")  # titles are HTML on the map
COMMON = "common"  # the resource with what all lessons need


def zipped(folder: Path, out: Path, added: Mapping[str, str], without: Sequence[str] = ()) -> Path:
    """Write the files of a published course into one file, which is there only once it is whole.

    `added` has texts by name; the files named in `without` are left out.
    """
    part = out.with_name(f".{out.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                name = path.relative_to(folder).as_posix()
                if name not in without and not name.startswith("made/"):
                    file.write(path, name)
            for name, text in added.items():
                file.writestr(name, text)
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return out


def manifest(found: Course, packs: Mapping[str, Sequence[str]], common: Sequence[str], mastery: int) -> str:
    """Return the manifest of a SCORM package: sections as in the course, and an item with a score for each lesson.

    Parameters
    ----------
    found : Course
        The map.
    packs : mapping of str to sequence of str
        The files of each lesson, by its id, and of each that asks one question again.
    common : sequence of str
        The files that all lessons need.
    mastery : int
        From how many per cent on a lesson with questions is passed.
    """
    for prefix, address in NAMES.items():
        ElementTree.register_namespace(prefix, address)
    root = _element(None, "manifest", identifier=_identifier(found), version="1.2")
    places = zip([NAMES[""], NAMES["adlcp"]], XSDS, strict=True)
    root.set(_name("xsi", "schemaLocation"), " ".join(f"{name} {file}" for name, file in places))
    described = _element(root, "metadata")
    _element(described, "schema", "ADL SCORM")
    _element(described, "schemaversion", "1.2")
    course = _element(_element(root, "organizations", default="course"), "organization", identifier="course")
    _element(course, "title", found["title"])
    resources = _element(root, "resources")
    for number, section in enumerate(found["sections"], 1):
        part = _element(course, "item", identifier=f"section-{number}")
        _element(part, "title", section["title"])
        for lesson in section["lessons"]:
            name = f"lesson-{lesson['id']}"
            item = _element(part, "item", identifier=f"item-{name}", identifierref=name)
            _element(item, "title", unescape(TAG.sub("", lesson["title"])))
            if lesson["questions"]:
                ElementTree.SubElement(item, _name("adlcp", "masteryscore")).text = str(mastery)
            again = (one["id"] for one in found["review"] if one["file"] and one["lesson"] == lesson["id"])
            needed = dict.fromkeys(file for own in (lesson["id"], *again) for file in packs[own])
            _resource(resources, name, "sco", [launched(lesson), *needed])
    _resource(resources, COMMON, "asset", common)
    ElementTree.indent(root)
    return ElementTree.tostring(root, "unicode", xml_declaration=True)


def tincan(found: Course) -> str:
    """Return the description of a package for platforms that launch a course by xAPI: what it is, and its page."""
    ElementTree.register_namespace("", TINCAN)
    root = ElementTree.Element(f"{{{TINCAN}}}tincan")
    activities = ElementTree.SubElement(root, f"{{{TINCAN}}}activities")
    kind = "http://adlnet.gov/expapi/activities/course"
    course = ElementTree.SubElement(
        activities, f"{{{TINCAN}}}activity", id=f"urn:{_identifier(found).replace('-', ':')}", type=kind
    )
    for tag, text in (("name", found["title"]), ("description", found["title"]), ("launch", "index.html")):
        language = {} if tag == "name" else {"lang": found["language"]}
        ElementTree.SubElement(course, f"{{{TINCAN}}}{tag}", language).text = text
    ElementTree.indent(root)
    return ElementTree.tostring(root, "unicode", xml_declaration=True)


def _identifier(found: Course) -> str:
    return f"samplescope-{hashlib.sha256(found['title'].encode()).hexdigest()[:12]}"


def launched(lesson: OnMap) -> str:
    """Return the file that a platform opens for a lesson."""
    return f"lesson-{lesson['id']}.html"


def alone(found: Course, section: Section, lesson: OnMap) -> Course:
    """Return the map of a lesson whose answers a platform keeps: this lesson alone, whose questions come back."""
    ideas = [one for one in found["ideas"] if one[1] == lesson["id"]]
    review = [one for one in found["review"] if one["lesson"] == lesson["id"]]
    return {**found, "scorm": True, "sections": [{**section, "lessons": [lesson]}], "review": review, "ideas": ideas}


def _resource(parent: ElementTree.Element, identifier: str, kind: str, files: Sequence[str]) -> None:
    made = _element(parent, "resource", identifier=identifier, type="webcontent")
    if kind == "sco":
        made.set("href", files[0])
    made.set(_name("adlcp", "scormtype"), kind)
    for name in files:
        _element(made, "file", href=name)
    if identifier != COMMON:
        _element(made, "dependency", identifierref=COMMON)


def _element(parent: ElementTree.Element | None, tag: str, text: str = "", **attributes: str) -> ElementTree.Element:
    tag = _name("", tag)
    made = ElementTree.Element(tag, attributes) if parent is None else ElementTree.SubElement(parent, tag, attributes)
    made.text = text or None
    return made


def _name(prefix: str, name: str) -> str:
    return f"{{{NAMES[prefix]}}}{name}"
