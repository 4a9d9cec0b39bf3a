"""Files of any kind become records one bounded line at a time, or are refused unread."""

import gzip
import io
import json
import tracemalloc
from collections import Counter
from pathlib import Path
from time import process_time

import pytest

from tabular import PROBLEMS, Line, Record, open_stream, problem, read_lines, read_records

COLUMNS = ("title", "text")


def lines_of(data: bytes, longest: int = 100) -> list[tuple[int, str, str]]:
    found = read_lines(io.BytesIO(data), longest=longest)
    return [(one.number, one.text, one.problem.code if one.problem else "") for one in found]


def records_of(data: bytes, longest: int = 1_000) -> list[tuple[int, dict[str, str], str]]:
    found = read_records(io.BytesIO(data), known=COLUMNS, required=COLUMNS, longest=longest)
    return [(one.line, one.fields, one.problem.code if one.problem else "") for one in found]


def unpacked(path: Path, longest: int = 100) -> list[Line]:
    with open_stream(path) as stream:
        return list(read_lines(stream, longest=longest))


def test_lines_keep_their_numbers_and_lose_their_endings() -> None:
    assert lines_of(b"a\r\n\n b \nc") == [(1, "a", ""), (2, "", ""), (3, " b ", ""), (4, "c", "")]


def test_a_byte_order_mark_is_dropped_at_the_start_only() -> None:
    assert lines_of(b"\xef\xbb\xbfa\n\xef\xbb\xbfb") == [(1, "a", ""), (2, "\ufeffb", "")]


def test_bytes_that_are_not_utf_8_cost_their_line_only() -> None:
    assert lines_of(b"a\n\xff\xfe\nb") == [(1, "a", ""), (2, "", "not_utf8"), (3, "b", "")]


@pytest.mark.parametrize("length", [101, 150, 199, 200, 201, 202, 1_000])
@pytest.mark.parametrize("ending", [b"\n", b""])
def test_a_line_that_is_too_long_is_skipped_whole(length: int, ending: bytes) -> None:
    found = lines_of(b"a\n" + b"x" * length + ending + (b"b" if ending else b""))

    assert found == [(1, "a", ""), (2, "", "line_too_long"), *([(3, "b", "")] if ending else [])]


def test_a_line_of_the_greatest_length_is_read() -> None:
    assert lines_of(b"x" * 100 + b"\n") == [(1, "x" * 100, "")]


def test_gzip_is_known_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    (packed := tmp_path / "plain.txt").write_bytes(gzip.compress(b"a\nb\n"))
    (plain := tmp_path / "packed.gz").write_bytes(b"a\nb\n")

    assert unpacked(packed) == unpacked(plain) == [Line(1, "a"), Line(2, "b")]


def test_a_cut_gzip_file_gives_its_whole_lines_and_says_so(tmp_path: Path) -> None:
    text = "".join(f"line {number} {hash(number)}\n" for number in range(1_000)).encode()
    packed = gzip.compress(text)
    (path := tmp_path / "cut.gz").write_bytes(packed[: len(packed) // 2])

    *whole, last = unpacked(path)

    assert len(whole) > 100
    assert [line.text for line in whole] == text.decode().splitlines()[: len(whole)]
    assert last == Line(len(whole) + 1, problem=problem("file_broken"))


@pytest.mark.long
def test_a_gzip_file_with_a_flipped_byte_never_raises(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(b"".join(b"%d\n" % (n * n) for n in range(500))))
    seen = Counter[str]()
    for place in range(len(packed)):
        packed[place] ^= 0xFF
        (path := tmp_path / "flipped").write_bytes(packed)
        last = unpacked(path)[-1].problem
        seen[last.code if last else ""] += 1
        packed[place] ^= 0xFF

    assert seen["file_broken"] > len(packed) / 2


@pytest.mark.long
def test_a_line_of_64_megabytes_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb") as stream:
        for _ in range(64):
            stream.write(b" " * 2**20)
        stream.write(b"\nb\n")
    tracemalloc.start()
    try:
        found = unpacked(path, longest=64 * 1024)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert found == [Line(1, problem=problem("line_too_long", longest=64 * 1024)), Line(2, "b")]
    assert peak < 4 * 2**20


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1', "not_json"),
        ('{"a": 1} x', "not_json"),
        ("[" * 60_000, "not_json"),
        ('{"a": ' + "9" * 5_000 + "}", "not_json"),
        ('{"a": NaN}', "not_json"),
        ('{"a": 1, "a": 2}', "name_repeated"),
        ('{"Title": "T", "title": "U"}', "name_repeated"),
        ("[[]]", "not_an_object"),
        ("[null", "not_an_object"),
        ('["text"]', "not_an_object"),
    ],
)
def test_what_is_no_json_object_says_why(text: str, problem: str) -> None:
    assert records_of(text.encode(), 100_000)[0] == (1, {}, problem)


def test_json_lines_are_read_and_empty_lines_passed_over() -> None:
    good = json.dumps({"title": "T", "text": "x"}).encode()

    assert records_of(b"\n" + good + b"\n  \nrubbish\n") == [
        (2, {"title": "T", "text": "x"}, ""),
        (4, {}, "not_json"),
    ]


def test_a_first_line_of_rubbish_does_not_hide_the_json_below_it() -> None:
    assert [problem for *_, problem in records_of(b'rubbish\n{"title": "T"}\n')] == [
        "no_header",
        "",
    ]


def test_csv_with_a_header_is_read_with_fields_over_several_lines() -> None:
    found = records_of(b'text,extra,title\r\n"one,\n\n  two ""2""",,T\r\n\r\nshort,,U\r\n')

    assert found == [
        (2, {"text": 'one,\n\n  two "2"', "extra": "", "title": "T"}, ""),
        (6, {"text": "short", "extra": "", "title": "U"}, ""),
    ]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (b"T", "wrong_columns"),
        (b"T,x,y", "wrong_columns"),
        (b'"T"x,y', "not_csv"),
        (b"T,\xff", "not_utf8"),
        (b"T," + b"x" * 1_000, "line_too_long"),
        (b'T,"\xff"', "not_utf8"),
    ],
)
def test_a_broken_csv_row_costs_itself_only(row: bytes, problem: str) -> None:
    found = records_of(b"title,text\n" + row + b"\nT,x\n")

    assert found == [(2, {}, problem), (3, {"title": "T", "text": "x"}, "")]


@pytest.mark.long
def test_a_quote_that_is_never_closed_costs_rows_and_not_the_memory() -> None:
    body = b'title,text\nT,"open\n' + b"T,x\n" * 200_000

    found = records_of(body)

    assert "quote_open" in {problem for *_, problem in found}


def test_an_empty_file_has_no_records() -> None:
    assert records_of(b"") == records_of(b"\n\n") == []


def test_every_problem_has_a_sentence() -> None:
    assert all(text.endswith(".") for text in PROBLEMS.values())


def test_a_reader_that_is_left_after_its_file_was_closed_ends_quietly(tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("a\nb\n")
    with path.open("rb") as stream:
        lines = read_lines(stream, longest=10)
        assert next(lines).text == "a"
    lines.close()


def test_a_gzip_file_that_unpacks_to_far_too_much_ends_with_its_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabular.opening.FREE", 1000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"0123456\n" * 500_000))
    with open_stream(path) as stream:
        lines = list(read_lines(stream, longest=9))
    most = 1000 + 200 * path.stat().st_size
    assert lines[-1].problem is not None
    assert lines[-1].problem.code == "file_broken"
    assert 0 < len(lines) <= most // 8 + 1


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
