"""Readers of published benchmarks: they convert the lines of files to items."""

from corpora.core.readers.formats import BY_NAME, MAIN, Format, Reader
from corpora.core.readers.lines import Skipped, checked, decoded
from corpora.core.readers.records import Source, is_binary, is_table
from corpora.core.readers.table import FIELDS

FORMATS = {name: format.about for name, format in BY_NAME.items()}
READERS = {name: format.read for name, format in BY_NAME.items()}
