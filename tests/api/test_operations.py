"""What the API says of each operation."""

from tests.api.description import LIST, description, listed
from tests.api.test_every_route_by_role import routes

GIVES_WORK = {
    "assignments_another", "assignments_renew", "campaigns_assignments_create",
    "campaigns_exercise_attempts_create", "campaigns_seats_create", "twins_revise",
}  # fmt: skip


def operations() -> dict[str, dict]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in description()["paths"].items()
        for method, operation in methods.items()
    }


def test_the_list_of_operations_is_that_of_the_code() -> None:
    assert listed() == LIST.read_text(), (
        "The API has changed: run make operations and read the diff."
    )


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


def test_a_client_asking_for_work_can_read_that_they_may_be_refused() -> None:
    forbidden = {
        each["operationId"] for each in operations().values() if "403" in each["responses"]
    }
    assert forbidden >= GIVES_WORK
