"""Every test here runs real threads on real rows that are stored for good."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "races" in item.path.parts:
            item.add_marker(pytest.mark.race)
            item.add_marker(pytest.mark.django_db(transaction=True))
