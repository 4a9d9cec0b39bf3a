"""The API's description: as the code generates it, and as the checked-in list of operations.

``make operations`` rewrites the list.
"""

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any

LIST = Path(__file__).with_name("operations.txt")
HEADER = """\
Operations: method, address, id, scope, ?query, body, "->", the statuses with the body of a success.
Then the bodies: "!" marks a required field, "?" one that may be null. Rewritten by make operations.
"""


@cache
def description() -> dict[str, Any]:
    """Return the API's OpenAPI description, generated once per process."""
    from winoplatform.api.description import generated

    described: dict[str, Any] = json.loads(generated())
    return described


def listed() -> str:
    """Return the list: one paragraph per operation, and one per body."""
    paths = description()["paths"]
    operations = [
        _operation(f"{method.upper()} {path}", described)
        for path, methods in sorted(paths.items())
        for method, described in sorted(methods.items())
    ]
    bodies = sorted(description()["components"]["schemas"].items())
    return "\n".join(
        [HEADER, *operations, "", *(_body(name, schema) for name, schema in bodies), ""]
    )


def _operation(address: str, described: dict[str, Any]) -> str:
    parts = [address, described["operationId"], described.get("x-scope", "-")]
    given = described.get("parameters", ())
    parts += [_parameter(each) for each in given if each["in"] != "path"]
    parts += [_content(described["requestBody"])] if "requestBody" in described else []
    answers = [
        status if status.startswith("4") else f"{status} {_content(answer)}".rstrip()
        for status, answer in sorted(described["responses"].items())
    ]
    return _wrapped(f"{' '.join(parts)} -> {', '.join(answers)}")


def _parameter(given: dict[str, Any]) -> str:
    where, mark = given["in"].replace("query", "?"), "!" if given.get("required") else ""
    return f"{where}{given['name']}{mark}: {_type(given['schema'])}"


def _content(given: dict[str, Any]) -> str:
    return " ".join(
        _type(content["schema"]) + ("" if media_type == "application/json" else f"({media_type})")
        for media_type, content in sorted(given.get("content", {}).items())
    )


def _body(name: str, schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return _wrapped(f"{name} = {_type(schema)}")
    required = schema.get("required", ())
    fields = [
        f"{field}{'!' if field in required else ''}: {_type(described)}"
        for field, described in schema["properties"].items()
    ]
    return _wrapped(f"{name}: {', '.join(fields)}")


def _type(schema: dict[str, Any]) -> str:
    text = "".join([_name(schema), *_bounds(schema), "?" if schema.get("nullable") else ""])
    return f"{text} = {json.dumps(schema['default'])}" if "default" in schema else text


def _name(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    for combined in ("allOf", "oneOf"):
        if combined in schema:
            return " | ".join(map(_type, schema[combined]))
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"[{_type(schema['items'])}]"
    if isinstance(schema.get("additionalProperties"), dict) and schema["additionalProperties"]:
        return f"{{{_type(schema['additionalProperties'])}}}"
    return str(schema.get("format") or schema.get("type", "any"))


def _bounds(schema: dict[str, Any]) -> Iterator[str]:
    for low, high in (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")):
        if low in schema or high in schema:
            yield f"({schema.get(low, '')}..{schema.get(high, '')})"


def _wrapped(text: str) -> str:
    lines = wrap(
        text, 100, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "winoplatform.settings")
    import django

    django.setup()
    LIST.write_text(listed())
