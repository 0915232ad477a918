"""QR codes of addresses."""

import io

import segno


def as_qr(address: str) -> bytes:
    """Return the QR code of an address, as SVG."""
    drawn = io.BytesIO()
    segno.make(address, error="m").save(drawn, kind="svg", border=4, light="#fff", omitsize=True)
    return drawn.getvalue()
