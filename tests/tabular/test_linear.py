"""Files of one line that took the square of its length."""

import io
from time import process_time

from tabular import Record, read_records

N = 200_000


def records(text: str) -> tuple[list[Record], float]:
    started = process_time()
    found = list(read_records(io.BytesIO(text.encode()), known=("id", "text")))
    return found, process_time() - started


def test_an_object_with_many_names_finds_the_one_that_repeats() -> None:
    names = ",".join(f'"{n}":1' for n in range(N // 4))
    (found,), seconds = records(f'{{"id":1,{names},"last":1,"last":2}}\n')
    assert found.problem is not None
    assert found.problem.code == "name_repeated"
    assert "“last”" in found.problem.sentence
    assert seconds < 2


def test_a_row_of_empty_cells_is_cut_in_linear_time() -> None:
    (found,), seconds = records(f"id,text\n1,a{',' * 4 * N}\n")
    assert found.fields == {"id": "1", "text": "a"}
    assert seconds < 2
