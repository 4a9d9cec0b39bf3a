"""One format of amounts, in every way in."""

from decimal import Decimal
from typing import Any

import pytest
from django import forms
from django.core.checks import Error
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st
from rest_framework import serializers

from winoplatform import checks
from winoplatform.api.fields import AmountField
from winoplatform.db.money import AmountFormField, amount_from

WRONG = [
    "1e5", "1E5", " 1 ", "1 ", "\t1", "1\n", "+1", "1.", ".5", "01", "1,5", "1,000", "1_000",
    "1.000", "١", "１", "NaN", "nan", "sNaN", "Infinity", "-inf",
    "0x10", "--1", "- 1", "−1", "1.2.3", "$1", "½",
    "1\x00", "9" * 17, "9" * 5000,
]  # fmt: skip
RIGHT = {"0": "0.00", "2": "2.00", "2.5": "2.50", "0.40": "0.40", "1234567.89": "1234567.89"}


class Sent(serializers.Serializer[Any]):
    amount = AmountField()
    change = AmountField(signed=True, required=False)


class Form(forms.Form):
    amount = AmountFormField(max_digits=12)
    change = AmountFormField(max_digits=12, signed=True, required=False)


@pytest.mark.parametrize("text", WRONG)
def test_another_format_is_refused_by_pages_and_programs_alike(text: str) -> None:
    with pytest.raises(ValidationError):
        amount_from(text, signed=True)
    assert not Sent(data={"amount": text}).is_valid()
    assert not Form({"amount": text}).is_valid()


@pytest.mark.parametrize(("text", "amount"), RIGHT.items())
def test_a_plain_amount_is_taken_to_the_cent(text: str, amount: str) -> None:
    sent, form = Sent(data={"amount": text}), Form({"amount": text})
    assert sent.is_valid()
    assert form.is_valid()
    assert str(sent.validated_data["amount"]) == str(form.cleaned_data["amount"]) == amount


@pytest.mark.parametrize("value", [1.5, 1e5, float("inf"), True, None, [], {}, 10**40])
def test_a_number_that_is_not_whole_is_refused_as_it_is_not_exact(value: Any) -> None:
    assert not Sent(data={"amount": value}).is_valid()


def test_a_whole_number_is_an_amount() -> None:
    sent = Sent(data={"amount": 3})
    assert sent.is_valid()
    assert sent.validated_data["amount"] == 3


@pytest.mark.parametrize("kind", [Sent, Form])
def test_only_a_change_may_be_negative(kind: Any) -> None:
    form = kind(data={"amount": "-1", "change": "-1"})
    assert not form.is_valid()
    assert set(form.errors) == {"amount"}


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2))
def test_an_amount_as_it_is_written_is_read_again(amount: Decimal) -> None:
    assert amount_from(f"{amount:.2f}".replace("-0.00", "0.00"), signed=True) == amount


@given(st.text())
def test_any_text_is_an_amount_to_the_cent_or_refused(text: str) -> None:
    try:
        amount = amount_from(text, signed=True)
    except ValidationError:
        return
    assert text.isascii()
    assert amount == Decimal(text)


@pytest.mark.parametrize(
    ("entry", "day", "is_wrong"),
    [(500, 5_000, False), (500, 500, False), (500, 499, True), (1_000_001, 2_000_000, True)],
)
def test_limits_of_pay_that_do_not_fit_are_told_at_start(
    entry: int, day: int, is_wrong: bool, settings: Any
) -> None:
    settings.PAY_ENTRY_MAX, settings.PAY_DAY_MAX = entry, day
    found = checks.limits_of_pay_fit(None)
    assert [error.id for error in found if isinstance(error, Error)] == (
        ["winoplatform.E004"] if is_wrong else []
    )
