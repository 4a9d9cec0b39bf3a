"""How an operation is described in OpenAPI: its name, its answers and every refusal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema

from winoplatform.api.errors import ErrorSerializer, shape

F = TypeVar("F", bound=Callable[..., Any])

REFUSALS = {
    400: "The body or a filter is malformed, or breaks a rule; details say where.",
    401: "There is no valid token or session.",
    403: "Your role may not do this.",
    404: "It does not exist, or it is not yours.",
    409: "The present state does not allow it; the code says why.",
    410: "Your lease has ended.",
    413: "The body is too large; the message gives the limit.",
    429: "Too many tries; the header Retry-After says when to come back.",
}


def operation(
    name: str,
    *,
    tag: str,
    answers: Mapping[Any, Any],
    refusals: Sequence[int] = (),
    signed_in: bool = True,
    **more: Any,
) -> Callable[[F], F]:
    """Describe one method of a view; every refusal has the one error shape.

    *answers* maps a status, or (status, content type), to what a success holds.
    """
    codes = sorted({*refusals, *((401,) if signed_in else ())})
    errors = {code: OpenApiResponse(ErrorSerializer, REFUSALS[code]) for code in codes}
    return extend_schema(operation_id=name, tags=[tag], responses={**answers, **errors}, **more)


def request_example(name: str, value: Any) -> OpenApiExample:
    return OpenApiExample(name, value=value, request_only=True)


def answer_example(name: str, value: Any, *, status: int = 200) -> OpenApiExample:
    return OpenApiExample(name, value=value, response_only=True, status_codes=[str(status)])


def refusal_example(status: int, code: str, message: str, **details: Any) -> OpenApiExample:
    return answer_example(code, shape(code, message, details), status=status)
