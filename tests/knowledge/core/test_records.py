"""Names of annotators in the votes of a knowledge release."""

import pytest

from knowledge.core.bundle.records import VoteRecord


@pytest.mark.parametrize("name", ["0123456789abcdef", "p123456789012345"])
def test_a_vote_has_each_name_that_a_publisher_gives(name: str) -> None:
    assert VoteRecord(id="a", annotator=name, yes=True, fails="", seconds=None).annotator == name


@pytest.mark.parametrize("name", ["123", "0123456789abcdeg", "pp23456789012345"])
def test_another_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="annotator"):
        VoteRecord(id="a", annotator=name, yes=True, fails="", seconds=None)
