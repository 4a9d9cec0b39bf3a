"""CSV files for Excel."""

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from tabular.writing import csv_lines
from winoplatform.exporting.spreadsheets import saved_as
from winoplatform.http.responses import BYTE_ORDER_MARK, ByteOrderMark


def answered(address: str, response: HttpResponse | StreamingHttpResponse) -> bytes:
    def view(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        assert "bom" not in request.GET
        return response

    found = ByteOrderMark(view)(RequestFactory().get(address))
    return b"".join(found)  # type: ignore[arg-type]


def test_a_csv_file_begins_with_a_byte_order_mark_only_if_asked() -> None:
    for address, begin in (("/x?bom=1&q=é", BYTE_ORDER_MARK), ("/x?q=1", b"")):
        assert (
            answered(address, saved_as("x.csv", csv_lines(["é"], []))) == begin + "é\r\n".encode()
        )


def test_the_length_of_a_marked_file_is_its_own() -> None:
    response = HttpResponse(b"a\n", content_type="text/csv", headers={"ETag": "x"})
    response["Content-Length"] = "2"
    assert answered("/x?bom=1", response) == BYTE_ORDER_MARK + b"a\n"
    assert (response["Content-Length"], response.has_header("ETag")) == ("5", False)


@pytest.mark.parametrize(("kind", "status"), [("application/json", 200), ("text/csv", 206)])
def test_other_answers_stay_as_they_are(kind: str, status: int) -> None:
    response = HttpResponse(b"[]", content_type=kind, status=status)
    assert answered("/x?bom=1", response) == b"[]"
