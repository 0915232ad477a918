"""Workbooks made for tests, as small as Excel reads them."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

SPACE = "http://schemas.openxmlformats.org"
Cell = str | float | None


def workbook(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> bytes:
    """Return a workbook with these sheets, each with its rows of texts and numbers; None is an empty cell."""
    numbers = range(1, len(sheets) + 1)
    listed = "".join(f'<sheet name="{escape(name)}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(sheets, 1))
    related = "".join(
        f'<Relationship Id="r{n}" Type="{SPACE}/officeDocument/2006/relationships/worksheet" '
        f'Target="worksheets/sheet{n}.xml"/>'
        for n in numbers
    )
    parts = {
        "_rels/.rels": f'<Relationships xmlns="{SPACE}/package/2006/relationships"><Relationship Id="r0" '
        f'Type="{SPACE}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SPACE}/spreadsheetml/2006/main" '
        f'xmlns:r="{SPACE}/officeDocument/2006/relationships"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{SPACE}/package/2006/relationships">{related}'
        "</Relationships>",
    }
    for number, rows in enumerate(sheets.values(), 1):
        body = "".join(f'<row r="{n}">{_cells(row, n)}</row>' for n, row in enumerate(rows, 1))
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{SPACE}/spreadsheetml/2006/main"><sheetData>{body}</sheetData></worksheet>'
        )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), f'<?xml version="1.0" encoding="UTF-8"?>{part}')
    return file.getvalue()


def _cells(row: Sequence[Cell], number: int) -> str:
    cells = []
    for place, cell in enumerate(row):
        at = f'r="{chr(ord("A") + place)}{number}"'
        if isinstance(cell, str):
            cells.append(f'<c {at} t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>')
        elif cell is not None:
            cells.append(f"<c {at}><v>{cell!r}</v></c>")
    return "".join(cells)
