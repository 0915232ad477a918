"""Formulas as MathML: elements and attributes of a list alone, since pages take it as it comes.

The converter passes on the text within a formula without a look at its signs: `<img …>` would be a picture there, and
could bring a script with it.
"""

import re
from html import escape
from xml.etree import ElementTree

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
ELEMENTS = frozenset(
    re.findall(
        r"\w+",
        "math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt "
        "mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none",
    )
)
ATTRIBUTES = frozenset(
    re.findall(
        r"\w+",
        "accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form height largeop "
        "linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation "
        "rowlines rowspacing rspace scriptlevel separator stretchy symmetric voffset width",
    )
)
OPENING, CLOSING = "([{⟨⌊⌈", ")]}⟩⌋⌉"


class MarkupError(ValueError):
    """A formula that would bring markup of its own into a page."""


def mathml(formula: str, *, block: bool = False) -> str:
    """Return a formula in LaTeX, without its dollar signs, as MathML; or as it was written if it cannot be set.

    A `block` is on a line of its own.
    """
    try:
        return _listed(_converted(formula, "block" if block else "inline"))
    except Exception:  # whatever the converter stumbles on: the formula as it was written can be read as well
        return f"<code>{escape(formula)}</code>"


def brings_markup(formula: str) -> bool:
    """Return whether a formula would bring markup of its own into a page."""
    if not {*'<&"'} & {*formula}:
        return False
    try:
        _listed(_converted(formula))
    except MarkupError:
        return True
    except Exception:  # it is shown as it was written
        return False
    return False


def _converted(formula: str, display: str = "inline") -> str:
    from latex2mathml.converter import convert  # here: it takes 30 ms to load, and few pages need it

    return str(convert(formula, display=display))


def _listed(made: str) -> str:
    """Return MathML, written anew from its elements; raise `MarkupError` if one of them is not on the list."""
    try:
        root = ElementTree.fromstring(made)
    except ElementTree.ParseError as error:
        raise MarkupError(str(error)) from None
    for one in root.iter():
        one.tag = one.tag.removeprefix(f"{{{NAMESPACE}}}")
        if one.tag not in ELEMENTS or not one.attrib.keys() <= ATTRIBUTES:
            raise MarkupError(one.tag)
        one.text = one.text and one.text.replace(r"\_", "_")  # which the converter leaves as it is within \text
    return "".join(ElementTree.tostring(part, encoding="unicode") for part in _parts(root))


def _parts(root: ElementTree.Element) -> list[ElementTree.Element]:
    """Return a formula in the line, parted after each equals sign outside brackets: a line breaks in no formula."""
    rows: list[list[ElementTree.Element]] = [[]]
    deep = 0
    for one in root[0] if len(root) == 1 and root[0].tag == "mrow" and root.get("display") != "block" else ():
        rows[-1].append(one)
        sign = one.text if one.tag == "mo" else ""
        deep += (sign in OPENING) - (sign in CLOSING) if sign else 0
        if sign == "=" and not deep:
            rows.append([])
    if len(rows) == 1 or not rows[-1]:
        root.set("xmlns", NAMESPACE)
        return [root]
    parts = []
    for row in rows:
        part = ElementTree.Element("math", root.attrib | {"xmlns": NAMESPACE})
        ElementTree.SubElement(part, "mrow").extend(row)
        parts.append(part)
    return parts
