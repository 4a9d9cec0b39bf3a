"""Every example in docs/openapi.yaml is a body or an answer that the interface could have."""

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from tests.api.description import description

SHOWN = {"collection", "crowd platforms", "pay", "quality", "workers"}
GIVES_WORK = {
    "assignments_another", "assignments_renew", "campaigns_assignments_create",
    "campaigns_exercise_attempts_create", "campaigns_seats_create", "twins_revise",
}  # fmt: skip


def strict(node: Any) -> Any:
    """OpenAPI 3.0 as JSON Schema; an object holds what is described and nothing else."""
    if isinstance(node, list):
        return [strict(part) for part in node]
    if not isinstance(node, dict):
        return node
    schema = {key: strict(value) for key, value in node.items() if key != "nullable"}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        schema.setdefault("additionalProperties", False)
    return {"anyOf": [schema, {"type": "null"}]} if node.get("nullable") is True else schema


def contents() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Yield tag, operation, part of it and what is described, for all JSON."""
    for methods in description()["paths"].values():
        for operation in methods.values():
            parts = {"body": operation.get("requestBody", {}), **operation["responses"]}
            for part, described in parts.items():
                content = described.get("content", {}).get("application/json")
                if content is not None:
                    yield operation["tags"][0], operation["operationId"], str(part), content


def test_what_goes_in_and_comes_out_is_shown() -> None:
    bare = [
        f"{name} {part}"
        for tag, name, part, content in contents()
        if tag in SHOWN and not part.startswith("4") and "examples" not in content
    ]
    assert not bare


def test_every_example_fits_its_description() -> None:
    components = strict(description()["components"])
    wrong = []
    for _, name, part, content in contents():
        schema = strict(content["schema"]) | {"components": components}
        for title, example in content.get("examples", {}).items():
            for error in Draft202012Validator(schema).iter_errors(example["value"]):
                wrong.append(f"{name} {part} {title}: {error.json_path} {error.message[:300]}")
    assert not wrong, "\n".join(wrong)


def test_a_client_asking_for_work_can_read_that_they_may_be_refused() -> None:
    forbidden = {
        operation["operationId"]
        for methods in description()["paths"].values()
        for operation in methods.values()
        if "403" in operation["responses"]
    }
    assert forbidden >= GIVES_WORK
