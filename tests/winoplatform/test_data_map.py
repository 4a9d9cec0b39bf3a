"""Every table, reference to an account and free text is declared, or this fails."""

from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from validation.models import Vote
from winoplatform.personal import declarations, holdings
from winoplatform.personal.declarations import Holding, Identity, undeclared
from winoplatform.personal.erasing import counts_of
from winoplatform.personal.exporting import columns_of, exported, rows_of
from workers.models import User

NOBODY = Identity(0)


def test_what_tables_hold_about_people_is_declared() -> None:
    assert [*undeclared()] == []


@pytest.mark.parametrize(
    ("changed", "gap"),
    [
        ({"about": {}}, "validation.Vote.worker: a reference to an account"),
        ({"wrote": {}}, "validation.Vote.excluded_by: a reference to an account"),
        ({"blank": ()}, "validation.Vote.comment: a text"),
        ({"blank": ("comment", "gone")}, "validation.Vote.gone: no such column"),
        (None, "validation.Vote: not declared"),
    ],
)
def test_a_gap_is_named(
    changed: dict[str, Any] | None, gap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = {holding.model: holding for holding in holdings()}
    vote = rest.pop(Vote)
    monkeypatch.setattr(
        declarations, "_registry", rest | ({Vote: replace(vote, **changed)} if changed else {})
    )
    assert [*undeclared()] == [gap]


@pytest.mark.parametrize("holding", exported(), ids=lambda holding: holding.table)
def test_every_export_reads_columns_that_exist(holding: Holding) -> None:
    assert [*rows_of(holding, NOBODY)] == []


def test_counts_are_of_one_statement(django_assert_num_queries: Any) -> None:
    holdings()
    counts_of(NOBODY)
    with django_assert_num_queries(1):
        assert counts_of(NOBODY) == {}


SECRETS = {
    "digest", "password", "key", "secret", "data", "session_key", "is_gold", "token",
    "token_secret",
}  # fmt: skip


def test_no_secret_is_exported() -> None:
    got = {(holding.table, name) for holding in exported() for name in columns_of(holding)}
    # The digest of a formula is of its text, which its author wrote.
    assert {pair for pair in got if pair[1] in SECRETS} == {("knowledge.Formula", "digest")}


def test_every_period_is_a_setting() -> None:
    periods = {holding.period.setting for holding in holdings() if holding.period}
    stated = {"KEEP_BACKUPS_DAYS", "KEEP_LOGS_DAYS"}
    assert periods | stated == {name for name in dir(settings) if name.startswith("KEEP_")}


def test_an_account_is_stripped_of_all_that_django_asks_people_for() -> None:
    account = next(holding for holding in holdings() if holding.model is User)
    assert {"username", "email", "first_name", "last_name", "password"} <= {*account.emptied}
