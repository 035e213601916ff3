"""Makes a small PDF file with text and drawings on four pages."""

from __future__ import annotations


def make_pdf(pages: int = 4) -> bytes:
    """Return the bytes of a PDF file. Its fonts are two of the fourteen that every viewer has."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    fonts = "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> /F2 << /Type /Font /Subtype /Type1 /BaseFont /Times-Italic >> >>"
    kids = []
    for number in range(1, pages + 1):
        text = "".join(
            f"BT /F{1 + row % 2} {12 + row % 3} Tf 60 {700 - row * 22} Td (Page {number}, line {row}: the kiln cools from 1240 degrees.) Tj ET\n"
            for row in range(24)
        )
        shapes = f"0.{number * 2} 0.4 0.6 rg 380 80 120 90 re f\n2 w 0.8 0.2 0.1 RG 60 60 m 200 160 l 300 60 l s\n"
        stream = (text + shapes).encode()
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 792] /Resources << /Font {fonts} >> /Contents {len(objects) + 2} 0 R >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {pages} >>".encode()
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    return (
        out
        + (
            f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
        ).encode()
    )
