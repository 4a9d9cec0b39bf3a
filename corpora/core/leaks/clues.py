"""The clues of a single question: what a reader of the published files could look at.

A clue says 1 for "the answer is option 1", -1 for "the answer is option 2", or 0 for nothing. It
is called with a row and its twin in the same split, if there is one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corpora.core.clues.options import COMPARISONS, Compares, has_digit, more
from corpora.core.leaks.files import FIELDS, PlacedRow, PublishedFile

Twin = PlacedRow | None
Says = Callable[[PlacedRow, Twin], int]

BALANCE = "always option 1"
LARGEST_MODULUS = 8
HASH_BITS = 4


@dataclass(frozen=True, slots=True)
class Clue:
    """A clue by name.

    Parameters
    ----------
    name : str
    says : callable
    compares : bool
        Whether it compares the options, so that it changes sign when they change places. Other
        clues are the same in either order of the options.
    """

    name: str
    says: Says
    compares: bool = False


def clues_of(files: Sequence[PublishedFile]) -> list[Clue]:
    """Return all clues of a split with these files, apart from the characters of ids."""
    fields = (_field(name, value) for name, values in FIELDS.items() for value in values)
    # A single one has every row of its split, which says nothing.
    of_files = (clue for file in files for clue in _of_file(file.name)) if len(files) > 1 else ()
    return [*PUBLICATION, *map(_hash_bit, range(HASH_BITS)), *fields, *of_files, *TEXT]


def _yes(flag: bool) -> int:
    return 1 if flag else -1


def first_of_pair(row: PlacedRow, twin: Twin) -> int:
    """Return 1 for the first row of a pair in the largest file, -1 for the second, 0 unpaired."""
    return 0 if twin is None else more(twin.line, row.line)


def _modulus(m: int) -> Clue:
    return Clue(f"line number modulo {m}", lambda row, _: _yes(2 * (row.line % m) < m))


def _third(number: int, name: str) -> Clue:
    return Clue(
        f"{name} third of the file",
        lambda row, _: _yes(3 * row.line // max(1, row.home.n_rows) == number),
    )


def _any_option(test: Callable[[str], bool]) -> Says:
    return lambda row, _: _yes(any(map(test, row.options)))


def _before_twin(row: PlacedRow, twin: Twin) -> int:
    return 0 if twin is None else (row.sentence < twin.sentence) - (row.sentence > twin.sentence)


def _longer_than_twin(row: PlacedRow, twin: Twin) -> int:
    return 0 if twin is None else more(len(row.sentence), len(twin.sentence))


def _early_blank(row: PlacedRow, _: Twin) -> int:
    return _yes(2 * row.sentence.find("_") < len(row.sentence))


def _equal_length(row: PlacedRow, _: Twin) -> int:
    first, second = map(len, row.options)
    return _yes(first == second)


PUBLICATION = (
    Clue(BALANCE, lambda row, twin: 1),
    Clue("ending of qID", lambda row, _: _yes(row.ending == "1")),
    Clue("first row of its pair", first_of_pair),
    Clue("twin in the split", lambda _, twin: _yes(twin is not None)),
    *map(_modulus, range(2, LARGEST_MODULUS + 1)),
    _third(0, "first"),
    _third(2, "last"),
    Clue("20 words or more", lambda row, _: _yes(len(row.sentence.split()) >= 20)),
    Clue("odd number of words", lambda row, _: _yes(len(row.sentence.split()) % 2 == 1)),
    Clue("odd number of characters", lambda row, _: _yes(len(row.sentence) % 2 == 1)),
    Clue("blank in the first half", _early_blank),
    Clue("longer than its twin", _longer_than_twin),
    Clue("before its twin in the alphabet", _before_twin),
    Clue("an option with a capital", _any_option(lambda text: text[:1].isupper())),
    Clue("an option with a digit", _any_option(has_digit)),
    Clue("options of equal length", _equal_length),
)


def _of_options(name: str, says: Compares) -> Clue:
    return Clue(name, lambda row, _: says(row.question), compares=True)


TEXT = tuple(_of_options(name, says) for name, says in COMPARISONS.items())


def _hash_bit(bit: int) -> Clue:
    return Clue(
        f"bit {bit} of the row's SHA-256", lambda row, _: _yes(row.hash_byte >> bit & 1 == 1)
    )


def _field(name: str, value: str) -> Clue:
    return Clue(f"{name} {value}", lambda row, _: _yes(row.columns.get(name) == value))


def _of_file(name: str) -> list[Clue]:
    def odd(row: PlacedRow, _: Twin) -> int:
        return _yes(row.lines[name] % 2 == 1) if name in row.lines else 0

    def alone(row: PlacedRow, twin: Twin) -> int:
        here = name in row.lines
        return _yes(here and twin is not None and name not in twin.lines)

    return [
        Clue(f"in {name}", lambda row, _: _yes(name in row.lines)),
        Clue(f"in {name} without its twin", alone),
        Clue(f"odd line of {name}", odd),
    ]
