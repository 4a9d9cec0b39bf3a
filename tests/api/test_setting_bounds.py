"""Form, API and command refuse the same values of a setting: those outside its column's bounds."""

import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import DecimalField, Field, FloatField
from rest_framework.serializers import ValidationError as Refused

from collection.api.serializers.campaigns import CampaignChangesSerializer
from collection.models import Campaign
from frontend.setup.settings_forms import CampaignForm
from winoplatform.api.runs import resources
from winoplatform.described import form_field
from winoplatform.management.arguments import checked


class Bound(NamedTuple):
    """A bound of a setting, the value next to it that is refused, and the form of the API."""

    column: Any
    allowed: Any
    refused: Any
    form: Any

    def __str__(self) -> str:
        return f"{self.column.model.__name__}.{self.column.name} at {self.allowed}"


def beyond(column: "Field[Any, Any]", value: Any, side: int) -> Any:
    if isinstance(column, FloatField):
        return math.nextafter(value, side * math.inf)
    if isinstance(column, DecimalField):
        return value + side * Decimal(1).scaleb(-(column.decimal_places or 0))
    return value + side


def bounds(model: Any, form: Any) -> Iterator[Bound]:
    columns = {column.name: column for column in model._meta.concrete_fields}
    for name in form().fields:
        for validator in columns[name].validators if name in columns else ():
            side = {MinValueValidator: -1, MaxValueValidator: 1}.get(type(validator))
            if side is not None:
                column, value = columns[name], validator.limit_value
                yield Bound(column, value, beyond(column, value, side), form)


OF_RUNS = [
    bound for each in resources() for bound in bounds(each.rows.model, each.form)
]  # fmt: skip
OF_CAMPAIGNS = list(bounds(Campaign, CampaignChangesSerializer))


def test_every_kind_of_setting_is_walked() -> None:
    names = {f"{bound.column.model.__name__}.{bound.column.name}" for bound in OF_RUNS}
    assert {"FilterRun.tau", "Tuning.epochs", "FineTuning.seed", "Grid.patience"} <= names
    assert {"gold_share", "goal_pairs"} <= {bound.column.name for bound in OF_CAMPAIGNS}


@pytest.mark.parametrize("bound", OF_RUNS, ids=str)
def test_form_api_and_command_have_the_bounds_of_a_run(bound: Bound) -> None:
    column, field = bound.column, bound.form().fields[bound.column.name]
    on_page = form_field(column.model, column.name)
    assert on_page.clean(repr(bound.allowed)) == bound.allowed
    assert field.run_validation(bound.allowed) == bound.allowed
    with pytest.raises(ValidationError):
        on_page.clean(repr(bound.refused))
    with pytest.raises(Refused):
        field.run_validation(bound.refused)
    with pytest.raises(CommandError, match="Ensure this value is"):
        checked(bound.form, {column.name: repr(bound.refused)})


@pytest.mark.long
@pytest.mark.parametrize("bound", OF_CAMPAIGNS, ids=str)
def test_form_and_api_have_the_bounds_of_a_campaign(bound: Bound) -> None:
    name, field = bound.column.name, bound.form().fields[bound.column.name]
    assert name not in CampaignForm({name: str(bound.allowed)}).errors
    assert field.run_validation(str(bound.allowed)) == bound.allowed
    assert name in CampaignForm({name: str(bound.refused)}).errors
    with pytest.raises(Refused):
        field.run_validation(str(bound.refused))
