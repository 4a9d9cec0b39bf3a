"""What docs/openapi.yaml says of each operation; `make check` compares it with the code."""

from tests.api.description import description
from tests.api.test_every_route_by_role import routes


def operations() -> dict[str, dict]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in description()["paths"].items()
        for method, operation in methods.items()
    }


def test_every_route_is_described() -> None:
    assert len(operations()) == len(routes())


def test_every_operation_says_what_it_does_and_how_it_refuses() -> None:
    for name, operation in operations().items():
        assert operation.get("description"), f"{name} has no description"
        for code, answer in operation["responses"].items():
            if code.startswith("4"):
                schema = answer["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Error"}, (name, code)
        if "security" in operation:
            assert "401" in operation["responses"], f"{name} does not tell of strangers"


def test_who_may_come_without_a_token_is_decided_here() -> None:
    opened = {
        operation["operationId"]
        for operation in operations().values()
        if "security" not in operation
    }
    # A password, and a platform's signature, say who is there.
    assert opened == {"tokens_create", "studies_events_create"}


def test_operation_ids_are_unique_and_plain() -> None:
    ids = [operation["operationId"] for operation in operations().values()]
    assert len(set(ids)) == len(ids)
    assert all(name.replace("_", "").isalpha() and name.islower() for name in ids)
