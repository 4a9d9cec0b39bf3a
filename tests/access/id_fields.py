"""Which fields of the API's queries and bodies take ids, as its description tells."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.api.description import description

JSON = "application/json"
ANY_ITEM = "[]"
Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Operation:
    """One operation of the API; ``body`` is the description of its JSON body."""

    method: str
    path: str
    query: tuple[Schema, ...]
    body: Schema | None

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"


@dataclass(frozen=True)
class IdField:
    """A field that takes an id or a name; *keys* lead to it in a body, of a query it is one.

    ``resource`` is what the API's addresses call these rows; empty where they have no word for it.
    """

    operation: Operation
    keys: tuple[str, ...]
    resource: str
    is_uuid: bool

    @property
    def in_query(self) -> bool:
        return self.operation.method == "get"

    def __str__(self) -> str:
        return f"{self.operation} {'.'.join(self.keys)}"


def operations() -> Iterator[Operation]:
    for path, methods in sorted(description()["paths"].items()):
        for method, about in sorted(methods.items()):
            query = tuple(each for each in about.get("parameters", ()) if each["in"] == "query")
            content = about.get("requestBody", {}).get("content", {})
            body = content[JSON]["schema"] if JSON in content else None
            yield Operation(method, path.lstrip("/"), query, body)


def resources() -> dict[str, str]:
    """Return what addresses call rows, by their singular: ``/filter-runs/{id}/`` is filter_run."""
    words = {word for path in description()["paths"] for word in re.findall(r"/([a-z-]+)/\{", path)}
    return {_singular(word.replace("-", "_")): word for word in sorted(words)}


def _singular(word: str) -> str:
    return re.sub("s$", "", re.sub("ies$", "y", word))


def id_fields() -> list[IdField]:
    """Return the fields that are uuids, or whose name or description says that they name a row."""
    return [field for operation in operations() for field in _fields(operation)]


def _fields(operation: Operation) -> Iterator[IdField]:
    if operation.method == "get":
        told = [((each["name"],), {**each, **each["schema"]}) for each in operation.query]
    else:
        told = list(_leaves(operation.body or {}, ()))
    known = resources()
    for keys, schema in told:
        if schema.get("type") != "string" or "enum" in schema:
            continue
        name = next(key for key in reversed(keys) if key != ANY_ITEM)
        resource, is_uuid = known.get(_singular(name), ""), schema.get("format") == "uuid"
        if resource or is_uuid or re.search(r"\bids?\b", schema.get("description", "")):
            yield IdField(operation, keys, resource, is_uuid)


def _leaves(schema: Schema, keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Schema]]:
    schema = resolved(schema)
    if "properties" in schema:
        for name, part in schema["properties"].items():
            yield from _leaves(part, (*keys, name))
    elif schema.get("type") == "array":
        item = {"description": schema.get("description", "")} | resolved(schema["items"])
        yield from _leaves(item, (*keys, ANY_ITEM))
    elif keys:
        yield keys, schema


def resolved(schema: Schema) -> dict[str, Any]:
    """Return a description with all that it refers to."""
    whole = dict(schema)
    for part in (*whole.pop("allOf", ()), *filter(None, [whole.pop("$ref", None)])):
        if isinstance(part, str):
            part = description()["components"]["schemas"][part.rpartition("/")[2]]
        whole = resolved(part) | whole
    return whole


def body_with(field: IdField, value: str) -> Any:
    """Return a body of a field's operation: what it requires, and the value in its place."""
    return _filled(field.operation.body or {}, field.keys, value)


def _filled(schema: Schema, keys: tuple[str, ...], value: str) -> Any:
    schema = resolved(schema)
    if not keys:
        return value
    if keys[0] == ANY_ITEM:
        fewest = max(1, schema.get("minItems", 1))
        return [_filled(schema["items"], keys[1:], value) for _ in range(fewest)]
    body = {name: least(schema["properties"][name]) for name in schema.get("required", ())}
    body[keys[0]] = _filled(schema["properties"][keys[0]], keys[1:], value)
    return body


def least(schema: Schema) -> Any:
    """Return a value that a description allows, with nothing but what is required."""
    schema = resolved(schema)
    if "enum" in schema or schema.get("oneOf"):
        return (schema.get("enum") or [least(kind) for kind in schema["oneOf"]])[0]
    kind = schema.get("type")
    if kind == "object":
        named = schema.get("properties", {})
        return {name: least(named[name]) for name in schema.get("required", ())}
    if kind == "array":
        return [least(schema["items"]) for _ in range(schema.get("minItems", 1))]
    if kind in ("integer", "number"):
        return max(1, schema.get("minimum", 1))
    return True if kind == "boolean" else _text(schema)


def _text(schema: Schema) -> str:
    special = {
        "uuid": "00000000-0000-4000-8000-00000000000a",
        "decimal": "0.10",
        "date-time": "2026-01-01T00:00:00Z",
        "uri": "https://example.org/",
    }
    return special.get(schema.get("format", ""), "some-text")
