"""A page of lines, bars and short texts as a PDF file, with no library.

The text is in Helvetica, one of the fonts that every reader of PDF has, and is not embedded.
Source: ISO 32000-1 (PDF 1.4 is a part of it), 7.5 and 8.5; widths from Adobe's Core 14 metrics.
"""

from dataclasses import dataclass, field
from typing import Literal

_WIDTHS = (
    [278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278]
    + [556] * 10
    + [278, 278, 584, 584, 584, 556, 1015]
    + [667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833]
    + [722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611]
    + [278, 278, 278, 469, 556, 333]
    + [556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833]
    + [556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500]
    + [334, 260, 334, 584]
)
"""Of the characters from space to tilde, in thousandths of the size."""
Anchor = Literal["left", "middle", "right"]
_SHIFT = {"left": 0.0, "middle": 0.5, "right": 1.0}


def text_width(text: str, size: float) -> float:
    """Return the width of a text of ASCII characters, in points.

    >>> text_width("dev", 10)
    16.12
    """
    return size * sum(_WIDTHS[ord(char) - 32] for char in text) / 1000


@dataclass(slots=True)
class Page:
    """A page; lengths are in points, from the lower left corner."""

    width: float
    height: float
    drawn: list[str] = field(default_factory=list)

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        grey: float = 0,
        width: float = 0.6,
        dashed: bool = False,
    ) -> None:
        dash = "[2 2] 0 d" if dashed else "[] 0 d"
        self.drawn.append(
            f"{dash} {grey:.2f} G {width:.2f} w {x1:.2f} {y1:.2f} m {x2:.2f} {y2:.2f} l S"
        )

    def bar(self, x: float, y: float, width: float, height: float, *, grey: float) -> None:
        self.drawn.append(f"{grey:.2f} g {x:.2f} {y:.2f} {width:.2f} {height:.2f} re f")

    def text(self, x: float, y: float, text: str, *, size: float = 8, at: Anchor = "left") -> None:
        """Write a text; what is not ASCII becomes a question mark."""
        plain = "".join(char if " " <= char <= "~" else "?" for char in text)
        left = x - _SHIFT[at] * text_width(plain, size)
        for sign in "\\()":
            plain = plain.replace(sign, f"\\{sign}")
        self.drawn.append(f"0 g BT /F {size:.1f} Tf {left:.2f} {y:.2f} Td ({plain}) Tj ET")

    def pdf(self) -> bytes:
        """Return the file; equal drawings give equal bytes."""
        content = "\n".join(self.drawn).encode("ascii")
        box = f"0 0 {self.width:.2f} {self.height:.2f}"
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents 4 0 R "
            "/Resources << /Font << /F 5 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ]
        return _file(objects)


def _file(objects: list[bytes]) -> bytes:
    parts, places = [b"%PDF-1.4\n"], []
    for number, content in enumerate(objects, 1):
        places.append(sum(map(len, parts)))
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    begin, n = sum(map(len, parts)), len(objects) + 1
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n%s" % (n, rows))
    parts.append(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (n, begin))
    return b"".join(parts)
