"""Cases that share an item of pytest: each is tried, and named if it fails."""

import pytest

from tests.cases import Case, try_all

pytestmark = pytest.mark.rowless


def test_every_case_is_tried_and_each_that_fails_is_named() -> None:
    tried: list[int] = []

    def test(case: Case) -> None:
        tried.append(case["number"])
        if case["number"] == 2:
            pytest.fail("two")
        assert case["number"] != 3, "three"

    with pytest.raises(ExceptionGroup, match="2 of 4 cases failed") as failed:
        try_all(test, [{"number": number} for number in (1, 2, 3, 4)])
    assert tried == [1, 2, 3, 4]
    notes = [error.__notes__ for error in failed.value.exceptions]
    assert notes == [["in the case {'number': 2}"], ["in the case {'number': 3}"]]


@pytest.mark.parametrize("error", [ValueError("alone"), pytest.skip.Exception("alone")])
def test_a_single_failure_and_a_skip_of_all_are_raised_as_they_are(error: BaseException) -> None:
    def test(case: Case) -> None:
        raise error

    with pytest.raises(type(error), match="alone"):
        try_all(test, [{"case": 1}])


@pytest.mark.parametrize("number", [1, 2])
def test_cases_with_rows_or_fixtures_of_their_own_are_items(
    number: int, request: pytest.FixtureRequest
) -> None:
    assert request.node.name.endswith(f"[{number}]")
