"""What most tests of verdicts begin with."""

import pytest

from collection.models import Question
from tests.validation.deciding import a_question


@pytest.fixture
def question(db: None) -> Question:
    """A question of a twin written for an assignment, with its three seats open."""
    return a_question()
