"""Files that people bring, read as records: CSV of any dialect, JSON lines, JSON arrays."""

from tabular.header import key
from tabular.lines import Line, read_lines
from tabular.opening import decoded, open_stream
from tabular.problems import PROBLEMS, Problem, problem
from tabular.reading import as_stream, read_records
from tabular.values import Record, is_unknown, reads_as_number, strict, whole_number
