"""Records of an XML file, read line by line, with no entity expanded and no address opened."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import ErrorString

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

# The published files nest four elements; the texts' paths grow with the square of the depth.
DEEPEST = 20


@dataclass(slots=True)
class XmlRecord:
    """One element of interest: its line, its attributes and the texts of the elements in it.

    Parameters
    ----------
    line : int
        Where it starts, counted from 1.
    attributes : mapping of str to str
    texts : dict of str to list of str
        By the path of tags below the record, ``text/pron`` for instance; whitespace collapsed.
    """

    line: int
    attributes: Mapping[str, str]
    texts: dict[str, list[str]] = field(default_factory=dict)

    def one(self, path: str) -> str:
        """Return the only text at *path*; ValueError if there is none, or several."""
        elements = self.texts.get(path, [])
        if len(elements) != 1:
            raise ValueError(f"line {self.line}: expected one <{path}>, got {len(elements)}")
        return elements[0]


def xml_records(lines: Iterable[str], tag: str) -> Iterator[XmlRecord]:
    """Read the elements named *tag* below the root, with the text of what they contain.

    The parser takes decoded text, so the encoding that the file declares has no effect. Entity
    declarations are refused, so there is nothing to expand; a DOCTYPE is not fetched.

    Raises
    ------
    ValueError
        With the line where the XML is malformed, nested too deeply or declares an entity.
    """
    target = _Target(tag)
    parser = DefusedXMLParser(target=target)
    try:
        for target.line, line in enumerate(lines, 1):
            parser.feed(line if line.endswith("\n") else f"{line}\n")
            yield from target.taken()
        parser.close()
    except ParseError as error:
        message = ErrorString(error.code)
        raise ValueError(f"line {target.line}: the XML is malformed: {message}") from error
    except DefusedXmlException as error:
        raise ValueError(f"line {target.line}: entity declarations are refused") from error


class _Target:
    """Collects records while the parser calls it; keeps only those not taken yet."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.line = 0
        self._path: list[str] = []
        self._open: XmlRecord | None = None
        self._texts: list[list[str]] = []
        self._done: list[XmlRecord] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if len(self._path) == DEEPEST:
            raise ValueError(f"line {self.line}: elements are nested more than {DEEPEST} deep")
        self._path.append(tag)
        self._texts.append([])
        if len(self._path) == 2 and tag == self.tag:
            self._open = XmlRecord(self.line, dict(attributes))

    def data(self, text: str) -> None:
        if self._open is not None:
            self._texts[-1].append(text)

    def end(self, tag: str) -> None:
        text = " ".join("".join(self._texts.pop()).split())
        if self._open is not None and len(self._path) > 2:
            self._open.texts.setdefault("/".join(self._path[2:]), []).append(text)
        elif self._open is not None:
            self._done.append(self._open)
            self._open = None
        self._path.pop()

    def close(self) -> None:
        """Required by the parser."""

    def taken(self) -> list[XmlRecord]:
        done, self._done = self._done, []
        return done
