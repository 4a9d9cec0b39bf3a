"""What the pages of a Parquet file say of their size, compared with the file's own directory.

A reader reserves the memory that a page's header asks for, whatever the directory says: a file of a
kilobyte can ask for two gigabytes. So the headers are read first, which unpacks nothing.

Source: parquet-format, ``PageHeader`` in ``parquet.thrift``; Thrift's compact protocol.
"""

from typing import IO, Any

LONGEST_HEADER = 1 << 20
"""Bytes of one header; it may hold the smallest and the largest value of its page."""
FIRST_READ = 256
_UNPACKED, _PACKED = 2, 3  # fields of a PageHeader
_NUMBERS = (4, 5, 6)
_BINARY, _STRUCT = 8, 12
MOST_LEVELS = 8


def refuse_lying_pages(file: IO[bytes], facts: Any) -> None:
    """Refuse a file of which the pages unpack to more than its directory says.

    Parameters
    ----------
    file : binary, seekable file
    facts : pyarrow.parquet.FileMetaData

    Raises
    ------
    ValueError
        Also when a header cannot be read.
    """
    for group in range(facts.num_row_groups):
        columns = facts.row_group(group)
        for number in range(columns.num_columns):
            _check(file, columns.column(number))


def _check(file: IO[bytes], column: Any) -> None:
    starts = [column.data_page_offset, column.dictionary_page_offset or 0]
    # Without rows there is no page of data, and its place is 0.
    place = min((start for start in starts if start > 0), default=0)
    left = column.total_uncompressed_size
    end = place + column.total_compressed_size
    while place < end:
        length, unpacked, packed = _header(file, place)
        left -= unpacked
        if min(unpacked, packed) < 0 or left < 0:
            raise ValueError("a page unpacks to more than the file says")
        place += length + packed


def _header(file: IO[bytes], place: int) -> tuple[int, int, int]:
    """Return the length of the header at a place, and the page's bytes unpacked and packed."""
    size = FIRST_READ
    while True:
        file.seek(place)
        reader = _Compact(file.read(size))
        try:
            header = reader.struct()
            return reader.place, header[_UNPACKED], header[_PACKED]
        except IndexError:
            if size >= LONGEST_HEADER or size > len(reader.data):
                raise ValueError("the header of a page is damaged") from None
            size *= 16
        except KeyError:
            raise ValueError("the header of a page is damaged") from None


class _Compact:
    """Reads Thrift's compact protocol; an ``IndexError`` says that more bytes are needed."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def struct(self, level: int = 0) -> dict[int, int]:
        """Return the whole numbers of a struct by the field's number."""
        if level > MOST_LEVELS:
            raise ValueError("the header of a page is nested too deeply")
        fields: dict[int, int] = {}
        field = 0
        while (head := self._byte()) != 0:
            kind, step = head & 15, head >> 4
            field = field + step if step else self._number()
            if kind in _NUMBERS:
                fields[field] = self._number()
            else:
                self._skip(kind, level)
        return fields

    def _skip(self, kind: int, level: int) -> None:
        if kind in (1, 2):  # a truth value, in the field's own byte
            return
        if kind == 3:
            self._move(1)
        elif kind in _NUMBERS:
            self._varint()
        elif kind == 7:
            self._move(8)
        elif kind == _BINARY:
            self._move(self._varint())
        elif kind == _STRUCT:
            self.struct(level + 1)
        else:  # lists and maps, which no page header has
            raise ValueError("the header of a page is damaged")

    def _move(self, length: int) -> None:
        self.place += length
        if self.place > len(self.data):
            raise IndexError

    def _byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("the header of a page is damaged")

    def _number(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)
